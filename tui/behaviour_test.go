package tui

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// withOptions returns an app of 80 x 24 cells on the set-up screen.
func withOptions(opts Options) *app {
	if opts.Output == nil {
		opts.Output = new(kittest.Buffer)
	}
	a := newApp(context.Background(), kittest.NewEngine(), kittest.PlainTheme(), opts)
	a.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	return a
}

func TestKeysFromSettings(t *testing.T) {
	s := DefaultSettings()
	s.Keys = map[string][]string{
		"quit": {"Q"}, "mouse": {}, "fly": {"f"}, "start": {"return"}, "help": {"f1", "ctrl+c"},
	}
	a := withOptions(Options{
		Settings: s,
		Problems: []error{&SettingsProblem{File: "/home/me/settings.toml", Where: "theme", What: "invalid"}},
	})
	perform(a, a.Init())
	var all []string
	for _, p := range a.problems {
		all = append(all, p.Error())
	}
	for i, want := range []string{"/home/me/settings.toml: theme: invalid",
		"keys.fly: unknown action", `keys.start: unknown key "return"`,
		`keys.help = "ctrl+c": this key is reserved for interrupt`} {
		if len(all) != 4 || !strings.HasPrefix(all[i], want) {
			t.Fatalf("problems %q, want %q as problem %d of four", all, want, i)
		}
	}
	a.Init()
	if !strings.Contains(a.View(), "(and 3 more) settings.toml: theme: invalid") {
		t.Fatalf("no message about the settings:\n%s", a.View())
	}
	if cmd := press(a, "q"); perform(a, cmd) {
		t.Fatal("q quits, although quit has another key")
	}
	press(a, "m")
	if !a.mouse {
		t.Fatal("m turns the mouse off, although the action has no key")
	}
	press(a, "ctrl+p")
	if !strings.Contains(a.View(), "Quit; asks first") {
		t.Fatalf("screen:\n%s", a.View())
	}
	press(a, "esc")
	if cmd := press(a, "Q"); !perform(a, cmd) {
		t.Fatal("the configured key does not quit")
	}
}

func TestFrameRateAndMouseFromSettings(t *testing.T) {
	s := DefaultSettings()
	s.FrameRate, s.Mouse = 4, false
	a := withOptions(Options{Settings: s})
	if a.Frame() != 250*time.Millisecond || a.mouse {
		t.Fatalf("%v between frames, mouse %v", a.Frame(), a.mouse)
	}
	if got := withOptions(Options{}).Frame(); got != 100*time.Millisecond {
		t.Fatalf("without settings %v between frames", got)
	}
}

func TestThemeFromSettings(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("TERM", "xterm")
	for name, want := range map[string]struct{ dark, strong bool }{
		themeLight: {false, false}, themeDark: {true, false},
	} {
		if th := newTheme(Settings{Theme: name}, nil, os.Stdout); th.Dark != want.dark ||
			th.HighContrast != want.strong || !th.Glyphs.Unicode {
			t.Errorf("%s: %+v", name, th)
		}
	}
	yes, no := true, false
	th := newTheme(Settings{Theme: themeHighContrast, ASCII: true, Braille: &yes}, nil, os.Stdout)
	if !th.HighContrast || th.Glyphs.Unicode || !th.Braille {
		t.Errorf("high contrast, ASCII and braille are not all in %+v", th)
	}
	for _, c := range []struct {
		term       string
		set, chose *bool
		want       bool
	}{
		{"xterm", nil, nil, true}, {"linux", nil, nil, false}, {"linux", nil, &yes, true},
		{"xterm", nil, &no, false}, {"xterm", &yes, &no, true}, {"linux", &yes, nil, true},
	} {
		t.Setenv("TERM", c.term)
		if th := newTheme(Settings{Braille: c.set}, c.chose, os.Stdout); th.Braille != c.want {
			t.Errorf("%+v: dots %v", c, th.Braille)
		}
	}
}

// TestStateIsRestored restores the data set and the family unless the user gave a configuration.
func TestStateIsRestored(t *testing.T) {
	config := rundir.Config{Dataset: "mountaincar", Family: "mean-field"}
	a := withOptions(Options{Config: config})
	press(a, "up", "tab", "down")
	state := a.keep()
	var read map[string]any
	if err := json.Unmarshal(state["setup"], &read); err != nil || read["dataset"] != "steps" ||
		read["family"] != "star" {
		t.Fatalf("kept %s, %v", state["setup"], err)
	}
	a = withOptions(Options{Config: config, State: state})
	if !strings.Contains(a.View(), "steps · star") {
		t.Fatalf("not the saved state:\n%s", a.View())
	}
	a = withOptions(Options{Config: config, State: state, Given: true})
	if !strings.Contains(a.View(), "mountaincar · mean-field") {
		t.Fatalf("not the given configuration:\n%s", a.View())
	}
	// The list of recent files is always restored.
	state = SavedState{"setup": json.RawMessage(`{"dataset":"/data/a.csv","files":["/data/a.csv"]}`)}
	a = withOptions(Options{Config: config, State: state, Given: true})
	if !strings.Contains(a.View(), "mountaincar · mean-field") ||
		!strings.Contains(a.View(), "a.csv  /data") {
		t.Fatalf("wrong configuration or files:\n%s", a.View())
	}
	a = withOptions(Options{
		Config: config,
		State:  SavedState{"setup": json.RawMessage(`{"dataset": 3}`)},
	})
	if !strings.Contains(a.View(), "mountaincar") {
		t.Fatalf("damaged state:\n%s", a.View())
	}
}

// The columns page has its own keys and the global keys.
func TestHelpOnColumnsPage(t *testing.T) {
	a := withOptions(Options{Config: rundir.Config{Dataset: "/data/one.csv", Family: "star"}, Given: true})
	press(a, "c")
	if view := a.View(); !strings.Contains(view, "Columns of one.csv") || !strings.Contains(view, "? help") {
		t.Fatalf("no page of columns:\n%s", view)
	}
	press(a, "?")
	if view := a.View(); !strings.Contains(view, "Make the column the only target.") ||
		strings.Contains(view, "Download") {
		t.Errorf("not the keys of the page:\n%s", view)
	}
	press(a, "pgdown")
	if view := a.View(); !strings.Contains(view, "Show or close this page") {
		t.Errorf("no global keys:\n%s", view)
	}
	press(a, "esc", "f", "a")
	if view := a.View(); !strings.Contains(view, "Columns of one.csv") {
		t.Errorf("keys of the screen behind the page work:\n%s", view)
	}
}

func TestCopyWritesToTheTerminal(t *testing.T) {
	t.Setenv("TMUX", "")
	t.Setenv("TERM", "xterm")
	var out kittest.Buffer
	a := withOptions(Options{Output: &out})
	perform(a, press(a, "y"))
	text := a.front().PlainText()
	if want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) +
		"\x07"; !strings.Contains(text, "mountaincar") || out.String() != want {
		t.Fatalf("wrote %q, want %q", out.String(), want)
	}
	if !strings.Contains(a.View(), "lines copied to the terminal's clipboard") {
		t.Fatalf("no message:\n%s", a.View())
	}
	a.Copy("")
	if !strings.Contains(a.View(), "nothing to copy") {
		t.Fatalf("no message after copying nothing:\n%s", a.View())
	}
}

// Inside tmux and screen, the escape sequence is wrapped for that program.
func TestCopyInsideTmuxAndScreen(t *testing.T) {
	bare := osc52.New("x").String()
	for _, c := range []struct{ tmux, term, want string }{
		{"", "xterm-256color", bare},
		{"/tmp/tmux-0/default,1,0", "screen-256color", bare + "\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\"},
		{"", "screen", "\x1bP\x1b]52;c;eA==\x07\x1b\\"},
	} {
		t.Setenv("TMUX", c.tmux)
		t.Setenv("TERM", c.term)
		var out bytes.Buffer
		newClipboard(&out).write("x")()
		if out.String() != c.want {
			t.Errorf("TMUX %q, TERM %q: wrote %q, want %q", c.tmux, c.term, out.String(), c.want)
		}
	}
}

// The key of the run browser exists only if the screen exists.
func TestBrowserKeyNeedsTheBrowser(t *testing.T) {
	a := withOptions(Options{})
	_, there := a.screen(kit.Browse)
	for _, s := range a.screens {
		if s.id != kit.Browse && s.has(kit.ActBrowse) != there {
			t.Errorf("%s has the key of the browser: %v, the browser exists: %v", s.id, !there, there)
		}
	}
}

// worker is a screen that is a kit.Worker.
type worker struct {
	kit.Screen
	going bool
	done  chan struct{}
}

func (w *worker) Busy() int {
	if w.going {
		return 2
	}
	return 0
}

func (w *worker) End() []<-chan struct{} {
	if w.going {
		w.going = false
		close(w.done)
	}
	return []<-chan struct{}{w.done}
}

func (w *worker) Farewell() []string { return []string{"work is done"} }

// Quitting asks about the runs of Workers and waits for them.
func TestQuittingAsksAboutWorkers(t *testing.T) {
	a := withOptions(Options{})
	w := &worker{a.front().Screen, true, make(chan struct{})}
	a.screens[0].Screen = w
	press(a, "q")
	if !strings.Contains(a.View(), "2 runs are training. Stop them") {
		t.Fatalf("no question:\n%s", a.View())
	}
	if cmd := press(a, "y"); !perform(a, cmd) || w.going {
		t.Fatalf("busy: %v, or the program does not end", w.going)
	}
	var out strings.Builder
	a.farewell(&out)
	if out.String() != "work is done\n" {
		t.Errorf("the farewell is %q", out.String())
	}
}

// TestRunSavesTheState runs the whole program and reads the saved state.
func TestRunSavesTheState(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	opts := Options{engine: kittest.NewEngine(), Settings: DefaultSettings(), Remember: true,
		Problems: []error{&SettingsProblem{File: "f.toml", Where: "theme", What: "invalid"}},
		Input:    strings.NewReader("q")}
	out, err := runWithin(t, context.Background(), opts)
	if err != nil || !strings.HasPrefix(out, "dgplab: f.toml: theme: invalid\n") {
		t.Fatalf("error %v, output starts with %.60q", err, out)
	}
	if state := loadState(); !strings.Contains(string(state["setup"]), "mountaincar") {
		t.Fatalf("kept %s", state)
	}
}
