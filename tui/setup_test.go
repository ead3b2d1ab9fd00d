package tui

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
)

// setupApp returns an app on the set-up screen whose plan is known.
func setupApp(t *testing.T, w, h int) (*app, *fakeEngine) {
	t.Helper()
	e := newFakeEngine()
	a := testApp(e, w, h)
	perform(a, a.Init())
	if a.setup.plan == nil {
		t.Fatal("the default configuration has no plan")
	}
	return a, e
}

func keys(a *app, list ...string) {
	for _, k := range list {
		a.Update(press(k))
	}
}

func TestSetupOpensOnTheDefaultWithItsPlan(t *testing.T) {
	a, _ := setupApp(t, 120, 40)
	for _, want := range []string{"› mountaincar", "f fetches 51.2 kB", "Stripes-and-arrow deep GP", "1,620 training + 180 validation + 200 test",
		"123,456 variational parameters", "known after a first run"} {
		if !strings.Contains(a.View(), want) {
			t.Errorf("no %q in\n%s", want, a.View())
		}
	}
}

func TestListsThatGoOnSaySo(t *testing.T) {
	a, _ := setupApp(t, 120, 40)
	if view := a.View(); !strings.Contains(view, "╭─▸ Data set ───") || !strings.Contains(view, "╭── Family ───") {
		t.Errorf("a list that fits has a note:\n%s", view)
	}
	a.Update(tea.WindowSizeMsg{Width: 60, Height: 8})
	n := len(a.setup.data) + 1 // with the path
	keys(a, "down")
	if want := fmt.Sprintf("Data set ── 3 of %d ─", n); !strings.Contains(a.View(), want) {
		t.Errorf("no %q in\n%s", want, a.View())
	}
}

func TestSetupIsFilledInFromOptions(t *testing.T) {
	c := session.Config{Dataset: "steps", Family: "star", Split: "interpolation:3", Seed: 7, Set: map[string]string{"layers": "4", "mask": "x"}}
	a := newApp(context.Background(), newFakeEngine(), plainTheme(), Options{Config: c})
	if got := a.setup.config(); !reflect.DeepEqual(got, c) {
		t.Fatalf("the set-up turns %+v into %+v", c, got)
	}
	c = session.Config{Dataset: "/data/x.csv", Targets: []string{"a", "b"}, Family: "star", Set: map[string]string{}}
	a = newApp(context.Background(), newFakeEngine(), plainTheme(), Options{Config: c})
	if got := a.setup.config(); !reflect.DeepEqual(got, c) {
		t.Fatalf("the set-up turns %+v into %+v", c, got)
	}
}

func TestEnterStartsWhatIsShown(t *testing.T) {
	a, e := setupApp(t, 120, 40)
	keys(a, "tab", "down", "tab", "down", "down", "ctrl+u", "backspace", "3")
	_, cmd := a.Update(press("enter"))
	a.Update(cmd())
	want := session.Config{Dataset: "mountaincar", Family: "star", Set: map[string]string{"layers": "3"}}
	if len(e.configs) != 1 || !reflect.DeepEqual(e.configs[0], want) {
		t.Fatalf("started %+v, want %+v", e.configs, want)
	}
	if a.on != onDash || len(a.started) != 1 {
		t.Fatal("the dashboard does not open")
	}
}

func TestFormRefusesInline(t *testing.T) {
	a, e := setupApp(t, 120, 40)
	keys(a, "tab", "tab", "down", "down", "ctrl+u", "backspace", "9", "9")
	if !strings.Contains(a.View(), "✗ want a whole number from 1 to 10") {
		t.Fatalf("no inline refusal:\n%s", a.View())
	}
	if !strings.Contains(a.View(), "default 2 · paper: 3") {
		t.Fatalf("default and paper value are not shown:\n%s", a.View())
	}
	keys(a, "tab", "enter")
	if len(e.configs) != 0 || a.setup.section != sectionForm || !strings.Contains(a.View(), "layers=99: want") {
		t.Fatalf("a bad value must not start, and must be shown:\n%s", a.View())
	}
	keys(a, "ctrl+u")
	if a.setup.obstacle() != "" {
		t.Fatalf("after going back to the default: %s", a.setup.obstacle())
	}
}

func TestChoicesTurn(t *testing.T) {
	a, _ := setupApp(t, 120, 40)
	a.setup.section, a.setup.form.at = sectionForm, 5
	for _, c := range []struct{ key, want string }{{"right", "matern32"}, {"right", "matern52"}, {" ", "rbf"}, {"left", "matern52"}, {"ctrl+u", "rbf"}} {
		if keys(a, c.key); a.setup.form.current().text.Value() != c.want {
			t.Fatalf("after %q: %s, want %s", c.key, a.setup.form.current().text.Value(), c.want)
		}
	}
}

// TestNumbersLeaveLettersToTheScreen checks who gets a letter while the caret is
// in a number, and in a text.
func TestNumbersLeaveLettersToTheScreen(t *testing.T) {
	a, _ := setupApp(t, 120, 40)
	a.setup.section, a.setup.form.at = sectionForm, 2
	if _, cmd := a.Update(press("q")); !perform(a, cmd) {
		t.Fatal("q in a number must quit")
	}
	keys(a, "?")
	if !a.help {
		t.Fatal("? in a number must open the help")
	}
	keys(a, "esc")
	a.setup.form.at = 0
	keys(a, "q", "?", "m")
	if got := a.setup.form.current().text.Value(); got != "q?m" {
		t.Fatalf("a text got %q", got)
	}
}

func TestPathIsTyped(t *testing.T) {
	a, e := setupApp(t, 120, 40)
	keys(a, "down", "down", "enter")
	if len(e.configs) != 0 || !strings.Contains(a.View(), "type the path of a CSV file first") {
		t.Fatalf("no path, and yet:\n%s", a.View())
	}
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/tmp/fine q?.csv\n"), Paste: true})
	keys(a, "left", "left", "left", "left", "backspace", "x", " ")
	if got := a.setup.config().Dataset; got != "/tmp/fine qx .csv" {
		t.Fatalf("the path is %q", got)
	}
	if !strings.Contains(a.View(), "targets") {
		t.Fatalf("a file has no row for its targets:\n%s", a.View())
	}
}

func TestFamiliesKeepWhatWasTyped(t *testing.T) {
	a, _ := setupApp(t, 120, 40)
	a.setup.section = sectionFamily
	keys(a, "down", "tab")
	a.setup.form.at = len(a.setup.form.fields) - 1
	keys(a, "x")
	a.setup.section = sectionFamily
	keys(a, "up")
	if _, ok := a.setup.config().Set["mask"]; ok {
		t.Fatal("a family was given another family's hyperparameter")
	}
	keys(a, "down")
	if got := a.setup.config().Set["mask"]; got != "arrowx" {
		t.Fatalf("mask is %q after coming back", got)
	}
}

func TestPlansAreAskedForOnceThingsRest(t *testing.T) {
	a, e := setupApp(t, 120, 40)
	before := e.inspects
	var last tea.Cmd
	for range 5 {
		a.Update(press("up"))
		_, last = a.Update(press("down"))
	}
	a.Update(inspectDueMsg{a.setup.planGen - 1})
	if e.inspects != before {
		t.Fatal("a stale wait asked for a plan")
	}
	perform(a, last)
	if e.inspects != before+1 {
		t.Fatalf("%d plans for one rest", e.inspects-before)
	}
	_, cmd := a.Update(inspectDueMsg{a.setup.planGen})
	a.Update(press("up")) // Cancels the inspection under way.
	if msg := cmd().(planInspectedMsg); !errors.Is(msg.err, context.Canceled) {
		t.Fatalf("the inspection was not cancelled: %v", msg.err)
	}
}

func TestFetch(t *testing.T) {
	a, e := setupApp(t, 120, 40)
	keys(a, "down", "enter")
	if !strings.Contains(a.View(), "boston is not here yet: press f to fetch it") {
		t.Fatalf("screen:\n%s", a.View())
	}
	_, cmd := a.Update(press("f"))
	load := cmd().(tea.BatchMsg)[0]
	e.fetched <- nil
	msg := load()
	a.dirty = true
	if !strings.Contains(a.View(), "fetching boston: file 2 of 3, 20.0 kB of 51.2 kB") || !strings.Contains(a.View(), "39 %") {
		t.Fatalf("no progress:\n%s", a.View())
	}
	a.Update(msg)
	if !strings.Contains(a.View(), "✓ here") || a.setup.obstacle() != "" {
		t.Fatalf("the set is here, and yet %q:\n%s", a.setup.obstacle(), a.View())
	}
}

func TestFetchFailsOrIsCancelled(t *testing.T) {
	a, e := setupApp(t, 120, 40)
	keys(a, "down")
	_, cmd := a.Update(press("f"))
	e.fetched <- errors.New("data.txt: 404 Not Found")
	a.Update(cmd().(tea.BatchMsg)[0]())
	if !strings.Contains(a.View(), "not fetched: data.txt: 404 Not Found") {
		t.Fatalf("screen:\n%s", a.View())
	}
	_, cmd = a.Update(press("f"))
	a.Update(press("f"))
	a.Update(cmd().(tea.BatchMsg)[0]())
	if !strings.Contains(a.View(), "not fetched: cancelled") || a.setup.fetch != nil {
		t.Fatalf("screen:\n%s", a.View())
	}
}

func TestWheelScrollsTheForm(t *testing.T) {
	a, _ := setupApp(t, 80, 11)
	a.setup.section = sectionForm
	a.dirty = true
	if !strings.Contains(a.View(), "split") {
		t.Fatalf("screen:\n%s", a.View())
	}
	for range 4 {
		a.Update(tea.MouseMsg{X: 10, Y: 5, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	}
	if frame := a.View(); strings.Contains(frame, "split  ") || !strings.Contains(frame, "steps") {
		t.Fatalf("the wheel does not scroll:\n%s", frame)
	}
	a.Update(tea.MouseMsg{X: 10, Y: 4, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	if a.setup.form.at < a.setup.panes[sectionForm].YOffset {
		t.Fatal("a click chose a row that is out of sight")
	}
}

// TestWheelLeavesAChoiceAlone scrolls a list whose rows are choices.
func TestWheelLeavesAChoiceAlone(t *testing.T) {
	a, _ := setupApp(t, 80, 8)
	before := a.setup.config().Dataset
	a.View()
	for range 3 {
		a.Update(tea.MouseMsg{X: 10, Y: 4, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	}
	if frame := a.View(); !strings.Contains(frame, "file  a CSV") || strings.Contains(frame, "steps") || a.setup.config().Dataset != before {
		t.Fatalf("after the wheel, with %s:\n%s", a.setup.config().Dataset, frame)
	}
}

func TestSetupClicks(t *testing.T) {
	a, _ := setupApp(t, 120, 40)
	click := func(x, y int) {
		a.Update(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	}
	click(5, 2) // the first data set
	if a.setup.config().Dataset != "steps" {
		t.Fatalf("a click chose %s", a.setup.config().Dataset)
	}
	click(80, 4) // the third setting
	if a.setup.section != sectionForm || a.setup.form.at != 2 {
		t.Fatalf("a click went to part %d, row %d", a.setup.section, a.setup.form.at)
	}
}

// TestTextsAreEdited goes through the keys of a text; a paste brings in what can
// be printed.
func TestTextsAreEdited(t *testing.T) {
	a, _ := setupApp(t, 120, 40)
	a.setup.section, a.setup.form.at = sectionForm, 0
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a\tb c\x1b\n"), Paste: true})
	for _, c := range []struct{ key, want string }{
		{"left", "ab ▏c"}, {"x", "ab x▏c"}, {"home", "▏ab xc"}, {"backspace", "▏ab xc"}, {"left", "▏ab xc"},
		{"end", "ab xc▏"}, {"right", "ab xc▏"}, {"backspace", "ab x▏"}, {"ctrl+w", "ab ▏"}, {" ", "ab  ▏"}, {"ctrl+u", "▏"},
	} {
		a.dirty = true
		if keys(a, c.key); !strings.Contains(a.View(), "split               "+c.want+"  ") {
			t.Fatalf("after %q there is no %q:\n%s", c.key, c.want, a.View())
		}
	}
}

// TestCaretStaysInSight types a path that is longer than its line.
func TestCaretStaysInSight(t *testing.T) {
	a, _ := setupApp(t, 40, 12)
	keys(a, "down", "down", "/a/long/path/to/a/file/with/data/in/it.csv")
	if !strings.Contains(a.View(), "/data/in/it.csv▏") {
		t.Fatalf("the end of the path is out of sight:\n%s", a.View())
	}
	for range len("/it.csv") {
		keys(a, "left")
	}
	if !strings.Contains(a.View(), "/data/in▏/it.csv") {
		t.Fatalf("the caret does not go back:\n%s", a.View())
	}
	if keys(a, "home"); !strings.Contains(a.View(), "file  ▏/a/long") {
		t.Fatalf("the caret is out of sight:\n%s", a.View())
	}
}
