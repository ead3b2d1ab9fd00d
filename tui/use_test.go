package tui

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/tui/settings"
)

// f2 opens the settings from every screen, and esc returns.
func TestSettingsFromEveryScreen(t *testing.T) {
	a := testApp(kittest.NewEngine(), 80, 24)
	for _, s := range a.screens {
		if s.id == kit.Settings {
			continue
		}
		a.Go(s.id, nil)
		press(a, "f2")
		if a.on != kit.Settings || !strings.Contains(a.View(), "─▸ Settings") {
			t.Errorf("%s: f2 opens %s:\n%s", s.id, a.on, a.View())
		}
		press(a, "esc")
		if a.on != s.id {
			t.Errorf("%s: esc returns to %s", s.id, a.on)
		}
	}
}

// A change on the page is written to the file and used at once.
func TestSettingsPage(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	a := testApp(kittest.NewEngine(), 80, 24)
	a.theme.Profile = termenv.TrueColor
	soon(a, press(a, "f2"))
	soon(a, press(a, "right"))
	soon(a, press(a, "up", "up", "up", "up", "up", "down", "down", "right"))
	soon(a, press(a, "down", "down", "down", "left"))
	text, err := os.ReadFile(filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "dgplab", "settings.toml"))
	want := "mouse = false\nframe_rate = 20\ntheme = \"high-contrast\"\n"
	if err != nil || string(text) != want {
		t.Errorf("the file is %q (%v), want %q", text, err, want)
	}
	if a.settings.Mouse || a.Frame() != 50*time.Millisecond || !a.theme.HighContrast {
		t.Errorf("mouse %v, %v between frames, high contrast %v", a.settings.Mouse, a.Frame(),
			a.theme.HighContrast)
	}
}

// The mouse goes to the terminal and back.
func TestUseMouse(t *testing.T) {
	a := testApp(kittest.NewEngine(), 80, 24)
	for _, c := range []struct {
		on   bool
		want tea.Msg
	}{{false, tea.DisableMouse()}, {true, tea.EnableMouseCellMotion()}} {
		cmd := a.Use("mouse", c.on)
		if cmd == nil || reflect.TypeOf(cmd()) != reflect.TypeOf(c.want) || a.settings.Mouse != c.on {
			t.Errorf("mouse %v: the command is not %T, or mouse is %v", c.on, c.want, a.settings.Mouse)
		}
	}
	if before := a.settings; a.Use("mouse", "maybe") != nil || !reflect.DeepEqual(a.settings, before) {
		t.Errorf("a value that is not allowed changes the settings to %+v", a.settings)
	}
}

// With ascii, every screen has only ASCII characters at once, and without it Unicode returns.
func TestUseASCII(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	a, _ := dashApp(kittest.Training(someConfig, 1240), 120, 40)
	before := a.View()
	for _, s := range a.screens {
		a.Use("ascii", false)
		soon(a, a.Go(s.id, nil))
		a.View() // Pictures that are kept must not be shown again.
		a.Use("ascii", true)
		kittest.CheckASCII(t, string(s.id), a.viewAt)
	}
	a.Use("ascii", false)
	a.Go(kit.Dash, nil)
	if view := a.viewAt(120, 40); !strings.Contains(view, "╭") || !strings.Contains(before, "╭") {
		t.Errorf("no Unicode again:\n%s", view)
	}
}

// The last change takes precedence over the file, the file over the saved choice of dots, and this over what
// the terminal can show.
func TestPrecedenceOfDots(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("TERM", "xterm")
	yes, no := true, false
	for _, c := range []struct {
		name        string
		file, saved *bool
		keys        string
		want, keep  string
	}{
		{"the terminal", nil, nil, "", "dots", ""},
		{"the saved choice", nil, &no, "", "strokes", "false"},
		{"the file", &yes, &no, "", "dots", "false"},
		{"a key over the file", &yes, nil, "D", "strokes", "false"},
		{"a key over the saved choice", nil, &no, "D", "dots", "true"},
		{"the page over a key", nil, nil, "D on", "dots", "false"},
		{"auto is the last choice with a key", &yes, nil, "D auto", "strokes", "false"},
		{"a key over the page", nil, nil, "on D", "strokes", "false"},
		{"another theme keeps a key", &yes, nil, "D theme", "strokes", "false"},
	} {
		state := SavedState{}
		if c.saved != nil {
			state[dotsState] = []byte("false")
			if *c.saved {
				state[dotsState] = []byte("true")
			}
		}
		s := settings.Default()
		s.Braille = c.file
		opts := Options{Settings: s, State: state, Output: new(kittest.Buffer)}
		a := newApp(kittest.NewEngine(), newTheme(termenv.TrueColor, true, s, rememberedDots(state)), opts)
		for word := range strings.FieldsSeq(c.keys) {
			switch word {
			case "on":
				a.Use("braille", true)
			case "auto":
				a.Use("braille", settings.Auto)
			case "theme":
				a.Use("theme", settings.Light)
			default:
				press(a, word)
			}
		}
		got := "strokes"
		if a.theme.Braille {
			got = "dots"
		}
		if keep := string(a.keep()[dotsState]); got != c.want || keep != c.keep {
			t.Errorf("%s: %s, saved %q; want %s, saved %q", c.name, got, keep, c.want, c.keep)
		}
	}
}

// The automatic theme is that of the terminal's background, whatever theme was used before.
func TestUseTheme(t *testing.T) {
	for _, dark := range []bool{true, false} {
		opts := Options{Settings: settings.Default(), Output: new(kittest.Buffer), dark: dark}
		theme := newTheme(termenv.TrueColor, dark, opts.Settings, nil)
		a := newApp(kittest.NewEngine(), theme, opts)
		for _, c := range []struct {
			name                 string
			dark, ground, strong bool
		}{
			{settings.Light, false, true, false}, {settings.Auto, dark, false, false},
			{settings.Dark, true, true, false}, {settings.HighContrast, dark, true, true},
			{settings.Auto, dark, false, false},
		} {
			a.Use("theme", c.name)
			th := a.Theme()
			if th != theme || th.Dark != c.dark || th.Ground != c.ground || th.HighContrast != c.strong {
				t.Errorf("%s on a terminal with dark %v: dark %v, ground %v, high contrast %v", c.name, dark,
					th.Dark, th.Ground, th.HighContrast)
			}
		}
	}
}

// The page checks the keys of the file as it is, and not as it was at the start.
func TestKeyProblems(t *testing.T) {
	a := withOptions(Options{Settings: settings.Settings{Keys: map[string][]string{"fly": {"f"}}}})
	if len(a.problems) != 1 {
		t.Errorf("problems at the start: %v", a.problems)
	}
	if got := a.KeyProblems(map[string][]string{"stop": {"Z"}}); len(got) > 0 {
		t.Errorf("problems of valid keys: %v", got)
	}
	got := a.KeyProblems(map[string][]string{"stop": {"return"}})
	if len(got) != 1 || !strings.HasPrefix(got[0].Error(), `keys.stop: unknown key "return"`) {
		t.Errorf("problems of an unknown key: %v", got)
	}
	if _, ok := kit.Find(a.front().table, "stop"); ok || len(a.problems) != 1 {
		t.Errorf("the check has changed the keys or the problems: %v", a.problems)
	}
}
