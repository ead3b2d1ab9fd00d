package tui

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/tui/settings"
)

// press sends keys to an app and returns the command of the last one.
func press(a *app, names ...string) (cmd tea.Cmd) {
	for _, name := range names {
		_, cmd = a.Update(kittest.Press(name))
	}
	return cmd
}

func TestPaletteListsEveryActionAndScreen(t *testing.T) {
	a := testApp(kittest.NewEngine(), 200, 200)
	for _, s := range a.screens {
		a.Go(s.id, nil)
		press(a, "ctrl+p")
		frame := a.View()
		for _, b := range s.table {
			if b.Action != kit.ActPalette && !strings.Contains(frame, b.Action.Words()) {
				t.Errorf("%s: no %s in the palette", s.id, b.Action.Words())
			}
		}
		for _, other := range a.screens {
			want := other.id != s.id && !s.has(kit.Action(other.id)) &&
				!(other.id == kit.Setup && s.has("new_run"))
			if has := strings.Contains(frame, "Go to: "+other.Title()); has != want {
				t.Errorf("%s: the palette lists %s: %v", s.id, other.id, has)
			}
		}
		press(a, "esc")
	}
}

func TestPaletteSearchAndRun(t *testing.T) {
	a, r := dashApp(kittest.Training(someConfig, 100), 80, 24)
	press(a, "ctrl+p", "c", "h", "e", "c", "k", "p")
	if frame := a.View(); !strings.Contains(frame, "› checkpoint") ||
		strings.Contains(frame, "next layer") {
		t.Fatalf("the best match is not the first:\n%s", frame)
	}
	press(a, "enter")
	if r.Count("checkpoint") != 1 || a.palette != nil ||
		!strings.Contains(a.View(), "checkpoint requested") {
		t.Fatalf("requests %v:\n%s", r.Asked(), a.View())
	}
	press(a, "ctrl+p", "z", "q", "z", "enter")
	if !strings.Contains(a.View(), "no matching command") || a.palette == nil {
		t.Fatalf("no message without a match:\n%s", a.View())
	}
	// A word in a name ranks before scattered letters.
	press(a, "ctrl+u", "f", "i", "t")
	for i, match := range a.palette.found {
		name := a.palette.commands[match.Index].name
		if has := strings.Contains(name, "fit"); has != (i < 2) {
			t.Errorf("%s is result %d for the query fit", name, i+1)
		}
	}
	press(a, "esc")
	a.Go(kit.Browse, nil)
	press(a, "ctrl+p", "d", "a", "s", "h", "b", "o", "a", "r", "d")
	if first := a.palette.commands[a.palette.found[0].Index].name; first != "dashboard" {
		t.Errorf("dashboard finds %s first", first)
	}
	press(a, "ctrl+u", "s", "e", "t", " ", "u", "p", "enter")
	if a.on != kit.Setup || a.palette != nil {
		t.Fatalf("the palette opened %s", a.on)
	}
}

// Letters are typed into the palette and do not affect a run.
func TestPaletteReceivesEveryKey(t *testing.T) {
	a, r := dashApp(kittest.Training(someConfig, 100), 80, 24)
	press(a, "ctrl+p", "s", "k", " ", "q", "m", "left", "backspace")
	if len(r.Asked()) != 0 || a.question != nil || !a.settings.Mouse {
		t.Fatalf("keys reached the run: %v", r.Asked())
	}
	press(a, "esc")
	if a.palette != nil || a.on != kit.Dash {
		t.Fatal("esc does not close only the palette")
	}
	press(a, "ctrl+p")
	if cmd := press(a, "ctrl+c"); !perform(a, cmd) || a.palette != nil || r.Count("cancel") != 1 {
		t.Fatal("ctrl+c in the palette does not stop the run cleanly")
	}
}

func TestPaletteByMouse(t *testing.T) {
	a := testApp(kittest.NewEngine(), 80, 24)
	wheel := func(button tea.MouseButton) {
		a.Update(tea.MouseMsg{X: 9, Y: 9, Action: tea.MouseActionPress, Button: button})
	}
	press(a, "ctrl+p")
	wheel(tea.MouseButtonWheelDown)
	wheel(tea.MouseButtonWheelDown)
	wheel(tea.MouseButtonWheelUp)
	if a.palette.chosen != 1 {
		t.Fatalf("the wheel selects line %d", a.palette.chosen)
	}
	press(a, "h", "e", "l", "p")
	a.View()
	a.Update(tea.MouseMsg{X: 9, Y: 3, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	if !a.help || a.palette != nil {
		t.Fatalf("a click on the first line does not run it:\n%s", a.View())
	}
}

func TestPaletteScrolls(t *testing.T) {
	a := testApp(kittest.NewEngine(), 60, 9)
	press(a, "ctrl+p")
	for range 200 {
		press(a, "down")
	}
	if last := a.palette.commands[len(a.palette.commands)-1]; !strings.Contains(a.View(), "› "+last.name) {
		t.Fatalf("the last line is not visible:\n%s", a.View())
	}
	for range len(a.palette.commands) {
		a.View()
		press(a, "pgup")
	}
	if a.palette.chosen != 0 {
		t.Fatalf("line %d is selected", a.palette.chosen)
	}
}

// Unavailable commands come after the available ones and before the navigation keys, with the reason.
func TestUnavailableCommands(t *testing.T) {
	a := testApp(kittest.NewEngine(), 120, 60)
	press(a, "ctrl+p")
	frame := a.View()
	last := -1
	for _, want := range []string{"start  ", "browse  ", "help  ", "fetch  ", "next part  "} {
		at := strings.Index(frame, "  "+want)
		if want == "start  " {
			at = strings.Index(frame, "› "+want)
		}
		if at <= last {
			t.Fatalf("%q is in the wrong place:\n%s", want, frame)
		}
		last = at
	}
	if !strings.Contains(frame, "✗ mountaincar is built in") ||
		!strings.Contains(frame, "✗ no sweep is open") {
		t.Fatalf("no reason in\n%s", frame)
	}
	press(a, "f", "e", "t", "c", "h", "enter")
	if !strings.Contains(a.View(), "mountaincar is built in") || a.palette != nil {
		t.Fatalf("no reason for the unavailable action:\n%s", a.View())
	}
}

// The theme commands change the colours of all screens while the program runs.
func TestThemeCommands(t *testing.T) {
	a, _ := dashApp(kittest.Training(someConfig, 100), 120, 40)
	press(a, "ctrl+p")
	if strings.Contains(a.View(), "theme light") {
		t.Fatalf("themes without colours:\n%s", a.View())
	}
	press(a, "esc")
	a.theme.Profile = termenv.TrueColor
	a.Use("theme", settings.Dark)
	press(a, "tab")
	dark := a.View()
	press(a, "ctrl+p", "t", "h", "e", "m", "e", " ", "l", "i", "g", "h", "t", "enter")
	if a.theme.Dark || a.theme.HighContrast ||
		!strings.Contains(a.View(), "until the program ends; the settings page keeps a theme") {
		t.Fatalf("theme %+v:\n%s", a.theme, a.View())
	}
	a.Update(statusExpiredMsg{a.status.gen})
	if light := a.View(); light == dark || ansi.Strip(light) != ansi.Strip(dark) {
		t.Fatal("nothing changed, or more than the colours")
	}
	for _, line := range strings.Split(a.View(), "\n") {
		if strings.Contains(line, "38;2;215;219;224") { // The text colour of the dark theme.
			t.Fatalf("dark colours are left in %q", line)
		}
	}
	press(a, "ctrl+p", "t", "h", "e", "m", "e", " ", "h", "i", "enter")
	if a.theme.Dark || !a.theme.HighContrast {
		t.Fatalf("theme %+v", a.theme)
	}
}

// A paste is cut. Several pastes cannot exceed the maximum length of a text field either.
func TestPasteLimit(t *testing.T) {
	a := testApp(kittest.NewEngine(), 120, 40)
	press(a, "ctrl+p")
	for range 2 {
		long := strings.Repeat("q", 5*kit.MaxTyped)
		a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(long), Paste: true})
		if n := len(a.palette.query.Value()); n != kit.MaxTyped {
			t.Fatalf("the text has %d characters", n)
		}
	}
	press(a, "esc")
	if view := a.View(); strings.Contains(view, "paste cut") {
		t.Errorf("the message remains after another key:\n%s", view)
	}
	press(a, "/")
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(strings.Repeat("q", kit.MaxTyped+1)), Paste: true})
	if view := a.View(); !strings.Contains(view, "paste cut to 4,096 characters") {
		t.Errorf("no message about the cut paste:\n%s", view)
	}
}

// At several widths, no text in the palette is cut, sentences and reasons are complete, and no name has an
// underscore.
func TestPaletteShowsWholeTexts(t *testing.T) {
	for _, w := range []int{40, 63, 64, 80, 120, 200} {
		a := testApp(kittest.NewEngine(), w, 1000)
		for _, s := range a.screens {
			a.Go(s.id, nil)
			press(a, "ctrl+p")
			view := a.View()
			if strings.Contains(view, a.theme.Glyphs.Ellipsis) {
				t.Errorf("%s: a text is cut at %d columns:\n%s", s.id, w, view)
			}
			for _, c := range a.palette.commands {
				if strings.Contains(c.name, "_") {
					t.Errorf("the palette shows the name %s", c.name)
				}
				for _, word := range strings.Fields(c.sentence + " " + c.reason) {
					if !strings.Contains(view, word) && !strings.Contains(word, "-") {
						t.Errorf("%s at %d columns: %q of %s is missing", s.id, w, word, c.name)
					}
				}
			}
			press(a, "esc")
		}
	}
}

// Even low windows show all rows of the selected command.
func TestPaletteShowsAllRowsOfTheSelection(t *testing.T) {
	for _, key := range []string{"down", "up"} {
		a := testApp(kittest.NewEngine(), 64, 14)
		press(a, "ctrl+p")
		p := a.palette
		if key == "up" {
			p.chosen = len(p.found) - 1
		}
		for range p.found {
			a.View()
			first := slices.Index(p.rows, p.chosen)
			end := first + len(p.commandRows(a.theme, p.chosen, a.inside().W))
			if top := p.list.Top(); first < top || end > top+p.list.Height() {
				t.Errorf("%s: rows %d to %d of command %d, window from %d", key, first, end, p.chosen, top)
			}
			press(a, key)
		}
	}
}

// Whole words come before beginnings of words, these before letters inside words, and scattered letters last.
func TestPaletteRanksWords(t *testing.T) {
	list := []command{
		{name: "stop", sentence: "Show the panel of the oldest run."},
		{name: "outlook", sentence: "Nothing."},
		{name: "view", sentence: "Look at the run."},
		{name: "lookup", sentence: "Nothing."},
		{name: "next look", sentence: "Nothing."},
		{name: "view", sentence: "Lookalikes of the run."},
		{name: "view", sentence: "An overlooked run."},
	}
	slices.SortStableFunc(list, func(x, y command) int {
		return cmp.Compare(x.distance("look"), y.distance("look"))
	})
	var got []string
	for _, c := range list {
		got = append(got, c.text())
	}
	want := []string{"next look Nothing.", "lookup Nothing.", "view Look at the run.",
		"view Lookalikes of the run.", "outlook Nothing.", "view An overlooked run.",
		"stop Show the panel of the oldest run."}
	if !slices.Equal(got, want) {
		t.Errorf("look finds\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A click on a key of the footer acts as the key, and a click between two keys does nothing.
func TestClickOnFooter(t *testing.T) {
	a, r := dashApp(kittest.Training(someConfig, 100), 100, 30)
	rows := strings.Split(ansi.Strip(a.View()), "\n")
	last := len(rows) - 1
	click := func(x int) {
		a.Update(tea.MouseMsg{X: x, Y: last, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	}
	at := strings.Index(rows[last], "space pause")
	if at < 0 {
		t.Fatalf("the footer is %q", rows[last])
	}
	click(at + len("space pause"))
	if n := r.Count("pause"); n != 0 {
		t.Errorf("a click beside the key pauses %d times", n)
	}
	a.View()
	click(at + len("space p"))
	if n := r.Count("pause"); n != 1 {
		t.Errorf("a click on the key pauses %d times", n)
	}
	a.View()
	press(a, "tab")
	rows = strings.Split(ansi.Strip(a.View()), "\n")
	click(strings.Index(rows[last], "? help"))
	if !a.help {
		t.Error("a click on the help key does not open the help")
	}
}
