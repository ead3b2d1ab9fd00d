package setup

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/memory"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// harness is a set-up screen with its test host. Tests that use it run with the fake clock of synctest, so
// the delay after each change takes no time.
type harness struct {
	*kittest.Host
	setup *Setup
}

// newHarness returns a set-up screen of w x h cells, filled in from c.
func newHarness(e Engine, c rundir.Config, w, h int) *harness {
	d := &harness{Host: kittest.NewHost()}
	d.setup = New(d, e, c)
	d.Screen = d.setup
	d.Size(w, h)
	return d
}

// on selects a setting.
func (d *harness) on(name string) {
	d.setup.section = sectionForm
	d.setup.form.GoTo(name)
}

// planned returns a set-up screen after the inspection.
func planned(t *testing.T, w, h int) (*harness, *kittest.Engine) {
	t.Helper()
	e := kittest.NewEngine()
	d := newHarness(e, rundir.Config{}, w, h)
	d.Perform(d.setup.Open(nil))
	if d.setup.plan.Known == nil {
		t.Fatal("the default configuration has no plan")
	}
	return d, e
}

func TestDefaultHasAPlan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		for _, want := range []string{"› mountaincar", "f: download 51.2 kB", "Stripes-and-arrow deep GP",
			"N 1,620 + 180 validation + 200 test points",
			"(123,456 variational)", "unknown before the first run"} {
			if !strings.Contains(a.View(), want) {
				t.Errorf("no %q in\n%s", want, a.View())
			}
		}
	})
}

// z changes between a quick run and the full size. The header names the size, and the footer the other one.
func TestSize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		for _, c := range []struct{ header, footer, budget string }{
			{"mean-field · full size", "z quick", ""},
			{"mean-field · quick, within 1m", "z full size", "1m"},
			{"mean-field · full size", "z quick", ""},
		} {
			if view := a.View(); !strings.Contains(view, c.header) || !strings.Contains(view, c.footer) {
				t.Errorf("want %q and %q in\n%s", c.header, c.footer, view)
			}
			if got := a.setup.config().Set[rundir.BudgetSetting]; got != c.budget {
				t.Errorf("%s: the budget is %q, want %q", c.header, got, c.budget)
			}
			a.Keys("z")
		}
		a.setup.form.Put(rundir.BudgetSetting, "5m")
		if view := a.View(); !strings.Contains(view, "within 5m") {
			t.Errorf("want the budget in\n%s", view)
		}
	})
}

// If the time of a step is known, the header tells how many steps a quick run makes, and what fewer steps
// lost where that was measured.
func TestSizeTellsSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		a.Keys("z")
		a.setup.plan.Known.Budget = time.Minute
		a.setup.plan.Known.Halved = []config.Cheaper{{Name: "inducing", Value: "64", Ratio: 0.3}}
		for _, c := range []struct {
			seconds float64
			want    string
		}{
			{0.001, "quick, all steps in 1m  "},
			{0.02, "quick, about 2,700 steps in 1m; under 0.1 nats lost on 8 of 10 tables  "},
			{0.05, "quick, about 1,100 steps in 1m  "},
			{0.1, "quick, about 1,400 steps in 1m; 64 inducing points  "},
		} {
			a.setup.plan.Known.SecondsPerStep = c.seconds
			if view := a.View(); !strings.Contains(view, "mean-field · "+c.want) {
				t.Errorf("with %g s per step, want %q in\n%s", c.seconds, c.want, view)
			}
		}
	})
}

func TestListPosition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		if view := a.View(); !strings.Contains(view, "╭─▸ Data set ───") ||
			!strings.Contains(view, "╭── Family ───") {
			t.Errorf("a list whose rows all fit has a note:\n%s", view)
		}
		a.Send(tea.WindowSizeMsg{Width: 60, Height: 8})
		n := len(a.setup.data) + 1 // including the path
		a.Keys("down")
		if want := fmt.Sprintf("Data set ── 4 of %d ─", n); !strings.Contains(a.View(), want) {
			t.Errorf("no %q in\n%s", want, a.View())
		}
	})
}

func TestFillFromConfig(t *testing.T) {
	c := rundir.Config{
		Dataset: "steps",
		Family:  "star",
		Split:   "interpolation:3",
		Seed:    7,
		Set:     map[string]string{"layers": "4", "mask": "x"},
	}
	a := newHarness(kittest.NewEngine(), c, 80, 24)
	if got := a.setup.config(); !reflect.DeepEqual(got, c) {
		t.Fatalf("the set-up screen changes %+v to %+v", c, got)
	}
	c = rundir.Config{
		Dataset: "/data/x.csv",
		Targets: []string{"a", "b"},
		Family:  "star",
		Set:     map[string]string{},
	}
	a = newHarness(kittest.NewEngine(), c, 80, 24)
	if got := a.setup.config(); !reflect.DeepEqual(got, c) {
		t.Fatalf("the set-up screen changes %+v to %+v", c, got)
	}
}

func TestEnterStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		a.Keys("tab", "down", "tab", "down", "down", "ctrl+u", "backspace", "3")
		a.Keys("enter", "enter")
		want := rundir.Config{Dataset: "mountaincar", Family: "star", Set: map[string]string{"layers": "3"}}
		if len(a.Starts) != 1 || !reflect.DeepEqual(a.Starts[0].Config, want) {
			t.Fatalf("starts %+v, want %+v once", a.Starts, want)
		}
	})
}

func TestInvalidValues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		a.Keys("tab", "tab", "down", "down", "down", "ctrl+u", "backspace", "9", "9")
		if !strings.Contains(a.View(), "✗ want a whole number from 1 to 10") {
			t.Fatalf("no inline refusal:\n%s", a.View())
		}
		if !strings.Contains(a.View(), "default 2 · paper: 3") {
			t.Fatalf("default and paper value are not shown:\n%s", a.View())
		}
		a.Keys("tab", "enter")
		if len(a.Starts) != 0 || a.setup.section != sectionForm ||
			!strings.Contains(a.View(), "layers=99: want") {
			t.Fatalf("an invalid value starts a run or is not shown:\n%s", a.View())
		}
		a.Keys("ctrl+u")
		if why := a.setup.obstacle(); why != nil {
			t.Fatalf("after a reset to the default: %v", why)
		}
	})
}

func TestChoices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		a.on("kernel")
		for _, c := range []struct{ key, want string }{
			{"right", "matern32"}, {"right", "matern52"}, {" ", "rbf"}, {"left", "matern52"},
			{"ctrl+u", "rbf"},
		} {
			a.Keys(c.key)
			if a.setup.form.Current().Value() != c.want {
				t.Fatalf("after %q: %s, want %s", c.key, a.setup.form.Current().Value(), c.want)
			}
		}
	})
}

// Letters are keys of the screen on all rows, of numbers, choices and text, until a row is being edited.
// Enter and esc end the editing.
func TestLettersAreKeysUntilEditing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		letters := func(when string) {
			t.Helper()
			for _, key := range []string{"b", "q", "?", "é", ","} {
				if _, taken := a.setup.Typed(kittest.Press(key)); taken || a.setup.Types([]rune(key)[0]) {
					t.Errorf("%s on the row %q of part %d is typed %s", key, a.setup.form.Row(),
						a.setup.section, when)
				}
			}
		}
		a.Keys("up", "up")
		letters("as a path")
		a.Keys("down", "down")
		a.setup.section = sectionForm
		for range 60 {
			letters("before editing")
			a.Keys("down")
		}
		a.on("split")
		a.Keys("right", "q", "?", "m")
		if got := a.setup.form.Current().Value(); got != "q?m" {
			t.Fatalf("the text is %q, want q?m", got)
		}
		a.Keys("enter")
		letters("after enter")
		a.Keys("right", "x", "esc")
		if got := a.setup.form.Current().Value(); got != "q?m" {
			t.Errorf("esc leaves %q, want q?m", got)
		}
		letters("after esc")
	})
}

func TestPathTyping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		a.Keys("up", "up")
		a.Perform(a.Keys("enter"))
		if len(a.Starts) != 0 || !a.setup.files.picker.IsOpen() || !strings.Contains(a.View(), "testdata/") {
			t.Fatalf("started without a path:\n%s", a.View())
		}
		a.Keys("esc")
		a.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/tmp/fine q?.csv\n"), Paste: true})
		a.Keys("left", "left", "left", "left", "backspace", "x", " ")
		if got := a.setup.config().Dataset; got != "/tmp/fine qx .csv" {
			t.Fatalf("the path is %q", got)
		}
		if !strings.Contains(a.View(), "targets") {
			t.Fatalf("a file has no row for its targets:\n%s", a.View())
		}
	})
}

func TestFamiliesKeepTypedValues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		a.setup.section = sectionFamily
		a.Keys("down", "tab")
		a.on("mask")
		a.Keys("ctrl+w", "x")
		a.setup.section = sectionFamily
		a.Keys("up")
		if _, ok := a.setup.config().Set["mask"]; ok {
			t.Fatal("a family gets a hyperparameter of another family")
		}
		a.Keys("down")
		if got := a.setup.config().Set["mask"]; got != "x" {
			t.Fatalf("after returning, mask is %q", got)
		}
	})
}

func TestPlanDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, e := planned(t, 120, 40)
		before := e.Inspects()
		var last tea.Cmd
		for range 5 {
			a.Send(kittest.Press("up"))
			last = a.Send(kittest.Press("down"))
		}
		a.Send(kit.PreviewDueMsg[session.Preview]{Gen: a.setup.plan.Gen - 1})
		if e.Inspects() != before {
			t.Fatal("an outdated delay started an inspection")
		}
		a.Perform(last)
		if e.Inspects() != before+1 {
			t.Fatalf("%d plans for one pause", e.Inspects()-before)
		}
		cmd := a.Send(kit.PreviewDueMsg[session.Preview]{Gen: a.setup.plan.Gen})
		a.Send(kittest.Press("up")) // This cancels the running inspection.
		if msg := cmd().(kit.PreviewedMsg[session.Preview]); !errors.Is(msg.Err, context.Canceled) {
			t.Fatalf("the inspection was not cancelled: %v", msg.Err)
		}
	})
}

func TestFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, e := planned(t, 120, 40)
		a.Keys("down")
		if !strings.Contains(a.setup.obstacle().Error(),
			"boston is not downloaded: enter downloads and starts, f downloads") {
			t.Fatalf("screen:\n%s", a.View())
		}
		a.read()
		if view := a.View(); strings.Count(view, "enter downloads and starts") != 1 ||
			strings.Contains(view, "✗") {
			t.Errorf("a missing download is shown as an error:\n%s", view)
		}
		cmd := a.Send(kittest.Press("f"))
		if view := a.View(); !strings.Contains(view, "downloading boston") ||
			strings.Contains(view, "enter downloads") {
			t.Errorf("screen:\n%s", view)
		}
		load := cmd().(tea.BatchMsg)[0]
		e.Fetched <- nil
		msg := load()
		if !strings.Contains(a.View(), "downloading boston: file 2 of 3, 20.0 kB of 51.2") ||
			!strings.Contains(a.View(), "39 %") {
			t.Fatalf("no progress:\n%s", a.View())
		}
		a.Send(msg)
		if !strings.Contains(a.View(), "✓ downloaded") || a.setup.obstacle() != nil {
			t.Fatalf("obstacle %v after the download:\n%s", a.setup.obstacle(), a.View())
		}
	})
}

// enter downloads a data set that is missing, or waits for its download, and then starts the run. If another
// data set is selected in the meantime, no run starts.
func TestEnterFetchesAndStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			keys  []string
			later string
			want  bool
		}{
			{[]string{"enter"}, "", true}, {[]string{"f", "enter"}, "", true}, {[]string{"f"}, "", false},
			{[]string{"enter"}, "up", false},
		} {
			a, e := planned(t, 120, 40)
			a.Keys("down")
			var load tea.Msg
			for i, k := range c.keys {
				cmd := a.Send(kittest.Press(k))
				if i == 0 {
					e.Fetched <- nil
					for batch, ok := cmd().(tea.BatchMsg); ok; batch, ok = load.(tea.BatchMsg) {
						load = batch[0]()
					}
				}
			}
			if c.later != "" {
				a.Send(kittest.Press(c.later))
			}
			a.Send(load)
			if a.setup.starting != c.want {
				t.Errorf("%v, later %q: the run is started: %v", c.keys, c.later, a.setup.starting)
			}
		}
	})
}

func TestFetchFailsOrIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, e := planned(t, 120, 40)
		a.Keys("down")
		cmd := a.Send(kittest.Press("f"))
		e.Fetched <- errors.New("data.txt: 404 Not Found")
		a.Send(cmd().(tea.BatchMsg)[0]())
		if !strings.Contains(a.View(), "download failed: data.txt: 404 Not Found") {
			t.Fatalf("screen:\n%s", a.View())
		}
		cmd = a.Send(kittest.Press("f"))
		a.Send(kittest.Press("f"))
		a.Send(cmd().(tea.BatchMsg)[0]())
		if !strings.Contains(a.View(), "download failed: cancelled") || a.setup.fetch != nil {
			t.Fatalf("screen:\n%s", a.View())
		}
	})
}

func TestWheelScrollsTheForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 80, 11)
		a.setup.section = sectionForm
		if !strings.Contains(a.View(), "split") {
			t.Fatalf("screen:\n%s", a.View())
		}
		for range 4 {
			a.Wheel(10, 5, 1)
		}
		if frame := a.View(); strings.Contains(frame, "split  ") || !strings.Contains(frame, "steps") {
			t.Fatalf("the wheel does not scroll:\n%s", frame)
		}
		a.Click(10, 4)
		if frame := a.View(); !strings.Contains(frame, "› ") {
			t.Fatalf("a click selects a row that is not visible:\n%s", frame)
		}
	})
}

// The wheel scrolls a list but keeps the selection, which is part of the configuration.
func TestWheelKeepsSelection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 80, 8)
		before := a.setup.config().Dataset
		a.View()
		for range 3 {
			a.Wheel(10, 4, 1)
		}
		if frame := a.View(); !strings.Contains(frame, "boston") || strings.Contains(frame, "file  a CSV") ||
			a.setup.config().Dataset != before {
			t.Fatalf("after the wheel, with %s:\n%s", a.setup.config().Dataset, frame)
		}
	})
}

func TestSetupClicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		a.Click(5, 3) // the first data set, below the path
		if a.setup.config().Dataset != "steps" {
			t.Fatalf("a click selects %s", a.setup.config().Dataset)
		}
		a.View()
		a.Click(80, 4) // the second setting, below the heading
		if a.setup.section != sectionForm || a.setup.form.Row() != "seed" {
			t.Fatalf("a click selects part %d, row %s", a.setup.section, a.setup.form.Row())
		}
	})
}

// On the columns page, a click selects a column and the wheel scrolls; the tabs do nothing. In the
// picker, the first click selects a row and the second picks it.
func TestClicksOnPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := kittest.NewEngine()
		e.Describes = describeFile
		a := newHarness(e, rundir.Config{}, 80, 24)
		a.chooseFile("/data/one.csv", "/data/two.csv")
		a.Perform(a.Keys("c"))
		x, y := a.Find(t, "1  b")
		a.Click(x, y)
		if a.setup.page.at != 1 {
			t.Errorf("a click selects column %d:\n%s", a.setup.page.at, a.View())
		}
		tabs := a.setup.arrange().Tabs
		a.Click(tabs.W/2, tabs.Y)
		a.Click(x, y+20)
		if !a.setup.page.IsOpen() || a.setup.page.at != 1 || a.setup.section != sectionData {
			t.Errorf("a click on the tabs or below the columns selects part %d, column %d", a.setup.section,
				a.setup.page.at)
		}
		a.Keys("esc")
		x, y = a.Find(t, sectionNames[sectionForm])
		a.Wheel(x, y, 1)
		if a.setup.section != sectionData {
			t.Error("the wheel on a tab selects a part")
		}
		a.Click(x, y)
		if a.setup.section != sectionForm {
			t.Errorf("a click on a tab selects part %d", a.setup.section)
		}

		dir := folderOf(t, "a.csv", "b.csv", "c.csv")
		a.setup.Restore([]byte(`{"dataset":"` + dir + `/a.csv"}`))
		a.setup.section = sectionData
		a.Perform(a.Keys("ctrl+o"))
		x, y = a.Find(t, "c.csv")
		a.Wheel(x, y, 1)
		a.Wheel(x, y, -1)
		a.Perform(a.Click(x, y))
		if !a.setup.files.picker.IsOpen() || !strings.Contains(a.View(), "› c.csv") {
			t.Fatalf("after a click:\n%s", a.View())
		}
		a.Perform(a.Click(x, y))
		if got := a.setup.config().Dataset; got != dir+"/c.csv" || a.setup.files.picker.IsOpen() {
			t.Errorf("a second click picks %s", got)
		}
	})
}

// TestTextEditing checks the keys of a text field. A paste inserts only printable characters.
func TestTextEditing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		a.on("split")
		a.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a\tb c\x1b\n"), Paste: true})
		for _, c := range []struct{ key, want string }{
			{"left", "ab ▏c"}, {"x", "ab x▏c"}, {"home", "▏ab xc"}, {"backspace", "▏ab xc"},
			{"left", "▏ab xc"},
			{"end", "ab xc▏"}, {"right", "ab xc▏"}, {"backspace", "ab x▏"}, {"ctrl+w", "ab ▏"},
			{" ", "ab  ▏"}, {"ctrl+u", "[default]"},
		} {
			a.Keys(c.key)
			if !strings.Contains(a.View(), "split               "+c.want+"  ") {
				t.Fatalf("after %q there is no %q:\n%s", c.key, c.want, a.View())
			}
		}
	})
}

// The caret stays visible in a path that is longer than its line.
func TestCaretStaysVisible(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 40, 12)
		a.Keys("/a/long/path/to/a/file/with/data/in/it.csv")
		if !strings.Contains(a.View(), "/data/in/it.csv▏") {
			t.Fatalf("the end of the path is not visible:\n%s", a.View())
		}
		for range len("/it.csv") {
			a.Keys("left")
		}
		if !strings.Contains(a.View(), "/data/in▏/it.csv") {
			t.Fatalf("the caret does not move back:\n%s", a.View())
		}
		a.Keys("home")
		if !strings.Contains(a.View(), "file  ▏/a/long") {
			t.Fatalf("the caret is not visible:\n%s", a.View())
		}
	})
}

// The screen shows the parent of a fork. It drops the parent when the fork has started or the user leaves the
// screen.
func TestForksNameTheirParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fork := kit.Fill{
			Config: rundir.Config{Dataset: "steps", Family: "star", Set: map[string]string{"layers": "3"}},
			Parent: "run-7",
		}
		for _, leave := range []func(*harness){
			func(a *harness) { a.Send(kit.RunStartedMsg{}) },
			func(a *harness) { a.Keys("esc") },
		} {
			a, _ := planned(t, 120, 40)
			a.setup.Open(fork)
			if !strings.Contains(a.View(), "fork of run-7  steps · star") {
				t.Fatalf("screen:\n%s", a.View())
			}
			a.Keys("enter")
			if len(a.Starts) != 1 || !reflect.DeepEqual(a.Starts[0], kit.Start{
				Config: fork.Config,
				Parent: "run-7",
			}) {
				t.Fatalf("starts %+v", a.Starts)
			}
			leave(a)
			if strings.Contains(a.View(), "run-7") {
				t.Fatalf("the parent is still shown:\n%s", a.View())
			}
		}
	})
}

func TestSweepFillsConfig(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		a.Keys("up", "a")
		if len(a.Visits) != 1 || a.Visits[0].To != kit.Sweep ||
			a.Visits[0].Payload.(kit.Fill).Config.Dataset != "steps" {
			t.Fatalf("went %+v", a.Visits)
		}
	})
}

func TestPublishedTables(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		a.Keys("up", "t")
		if len(a.Visits) != 1 || a.Visits[0].To != kit.Published {
			t.Fatalf("went %+v", a.Visits)
		}
	})
}

// fullEngine has too little memory for any run.
type fullEngine struct{ *kittest.Engine }

func (fullEngine) Inspect(context.Context, rundir.Config) (session.Preview, error) {
	return session.Preview{}, fmt.Errorf("the run %w", &memory.Error{Need: 43e9, Free: 8e9})
}

func TestTooLittleMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := fullEngine{kittest.NewEngine()}
		d := newHarness(e, rundir.Config{}, 120, 40)
		d.Perform(d.setup.Open(nil))
		d.Perform(d.setup.Start())
		if len(e.Asked()) > 0 || !strings.Contains(d.View(), "43.0 GB") {
			t.Errorf("the runs %v were started; the screen is\n%s", e.Asked(), d.View())
		}
	})
}

// TestHeadlines checks the first line for a new run, for a missing path and for a fork.
func TestHeadlines(t *testing.T) {
	a := newHarness(kittest.NewEngine(), rundir.Config{}, 120, 40)
	head := func() string {
		line, _, _ := strings.Cut(a.View(), "\n")
		return strings.Join(strings.Fields(line), " ")
	}
	family := a.setup.familyName()
	if want := "dgplab new run mountaincar · " + family + " · full size"; head() != want {
		t.Errorf("%q, want %q", head(), want)
	}
	a.Keys("up", "up")
	if want := "dgplab new run no file · " + family + " · full size"; head() != want {
		t.Errorf("%q, want %q", head(), want)
	}
	a.Keys("down", "down")
	a.setup.parent = "a"
	a.setup.starting = true
	if want := "dgplab fork of a mountaincar · " + family + " · full size starting…"; head() != want {
		t.Errorf("%q, want %q", head(), want)
	}
	a.Size(50, 20)
	if want := "mountaincar · " + family + " · full size starting…"; head() != want {
		t.Errorf("%q in 50 cells, want %q", head(), want)
	}
}

// The plan names the outputs and the classes if there are several, and the time of all steps if a
// run has measured it.
func TestPlanOfTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		plan := func() string { return strings.Join(a.setup.planRows(100), "\n") }
		for _, c := range []struct {
			outputs int
			classes []string
			want    string
		}{
			{1, nil, "D 2\n"}, {3, nil, "D 2 · 3 outputs\n"}, {1, []string{"no", "yes"}, "D 2\n"},
			{1, []string{"a", "b", "c"}, "D 2 · 3 classes\n"},
		} {
			a.setup.plan.Known.Data.P, a.setup.plan.Known.Data.Classes = c.outputs, c.classes
			if !strings.Contains(plan(), c.want) {
				t.Errorf("%d outputs, classes %v: no %q in\n%s", c.outputs, c.classes, c.want, plan())
			}
		}
		a.on("steps")
		a.Keys("ctrl+u", "3", "0", "0", "0")
		a.setup.plan.Known.SecondsPerStep = 0.02
		if want := "20 ms per step, 1m00s for 3,000 steps (estimated from an earlier " +
			"run)"; !strings.Contains(plan(),
			want) {
			t.Errorf("no %q in\n%s", want, plan())
		}
		a.StepSeconds = 0.01
		if want := "10 ms per step, 30s for 3,000 steps (measured)"; !strings.Contains(plan(), want) {
			t.Errorf("no %q in\n%s", want, plan())
		}
	})
}

// Before the first run of a family, some steps of the model are timed in the background. The result is
// marked as an estimate, and a new inspection drops it.
func TestTimedSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, e := planned(t, 120, 40)
		a.on("steps")
		a.Keys("ctrl+u", "9", "0", "0", "0")
		check := func(timed session.StepTime, want string) {
			t.Helper()
			e.Timed = timed
			a.Perform(a.setup.plan.Schedule())
			if got := a.setup.costRow(110); !strings.HasPrefix(got, want) {
				t.Errorf("%+v: %q, want %q", timed, got, want)
			}
		}
		check(session.StepTime{}, "time per step: unknown before the first run of this family")
		check(session.StepTime{Seconds: 0.02, Steps: 25},
			"20 ms per step, 3m00s for 9,000 steps (estimated from 25 steps)")
		check(session.StepTime{Seconds: 0.02, Steps: 25, Scoring: 40},
			"20 ms per step, 3m00s for 9,000 steps, then 40s for the test set (estimated from 25 steps)")
		check(session.StepTime{Seconds: 1, Steps: 1},
			"! 2h30m for 9,000 steps; try budget=10m (1 s per step, estimated from 1 step)")
		check(session.StepTime{Seconds: 8},
			"! over 20h00m for 9,000 steps; try budget=10m (over 8 s per step, the first has not ended)")
		check(session.StepTime{Seconds: 0.5, Steps: 4, Converged: true}, "converges in about 2.0s")
		a.setup.timing.Running, a.setup.timing.Known = true, nil
		if got := a.setup.costRow(110); !strings.HasPrefix(got, "time per step: timing a few steps") {
			t.Errorf("while it is timed: %q", got)
		}
		a.setup.timing.Running = false
		a.setup.plan.Known.SecondsPerStep = 0.5
		if cmd := a.setup.timeUnknown(); cmd != nil || a.setup.timing.Running {
			t.Error("steps of a known time are timed")
		}
		a.setup.plan.Known.SecondsPerStep = 0
		if cmd := a.setup.timeUnknown(); cmd == nil {
			t.Error("steps of an unknown time are not timed")
		}
		a.StepSeconds = 0.01
		if cmd := a.setup.timeUnknown(); cmd != nil {
			t.Error("steps of a family with earlier runs are timed")
		}
		check(session.StepTime{Seconds: 1, Steps: 1}, "10 ms per step, 1m30s for 9,000 steps (measured)")
	})
}

// The cost of a long run is shown as a warning with a suggestion. A budget bounds the cost.
func TestLongRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		a.on("steps")
		a.Keys("ctrl+u", "9", "0", "0", "0")
		p := a.setup.plan.Known
		p.SecondsPerStep = 1
		p.Cheaper = []config.Cheaper{{Name: "inducing", Value: "64", Ratio: 0.1},
			{Name: "inducing", Value: "32", Ratio: 0.01}, {Name: "batch", Value: "256", Ratio: 0.5}}
		want := "! 2h30m for 9,000 steps; try inducing=32 (3m46s) or budget=10m"
		if got := a.setup.costRow(70); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		p.Cheaper = nil
		if got := a.setup.costRow(70); !strings.Contains(got, "; try budget=10m") {
			t.Errorf("nothing helps: %q", got)
		}
		p.Budget = 5 * time.Minute
		want = "1 s per step, about 270 of 9,000 steps in 5m00s"
		if got := a.setup.costRow(70); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// A default that is adapted to the data is marked in the form with the reason.
func TestAdaptedDefaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		p := a.setup.plan.Known
		p.Adapted = []rundir.Adaptation{{Name: "steps", From: "20000", To: "50", Why: "half of 100"}}
		a.Send(kit.PreviewedMsg[session.Preview]{})
		a.on("steps")
		view := a.View()
		for _, want := range []string{"50 here: half of 100"} {
			if !strings.Contains(view, want) {
				t.Errorf("no %q:\n%s", want, view)
			}
		}
		a.Keys("ctrl+u", "7")
		if view := a.View(); strings.Contains(view, "50 here") {
			t.Errorf("a typed value is adapted:\n%s", view)
		}
	})
}

// A click selects a family below its heading, even during a search.
func TestFamilyClicks(t *testing.T) {
	a := manyFamilies(sectionFamily, 120, 40)
	click := func(text string) {
		t.Helper()
		for y, line := range strings.Split(a.View(), "\n") {
			if before, _, found := strings.Cut(line, text); found && y > 1 {
				a.Click(kit.Cells(before), y)
				return
			}
		}
		t.Fatalf("no %q in\n%s", text, a.View())
	}
	click(" family-11 ")
	if got := a.setup.config().Family; got != "family-11" {
		t.Errorf("a click selects %s", got)
	}
	click("│ amortized")
	if got := a.setup.config().Family; got != "family-11" {
		t.Errorf("a click on a heading selects %s", got)
	}
	a.Keys("/", "s", "a", "m", "p", " ", "1")
	click(" family-18 ")
	if got := a.setup.config().Family; got != "family-18" {
		t.Errorf("a click during the search selects %s", got)
	}
}

// While a data set is being downloaded, another one cannot be downloaded, and no start waits for it.
func TestDownloadOfAnother(t *testing.T) {
	a := newHarness(kittest.NewEngine(), rundir.Config{}, 120, 40)
	a.Keys("down", "f")
	a.setup.data = append(a.setup.data, datasets.Info{
		Name: "wine",
		Kind: datasets.Fetchable,
		N:    10,
		D:    1,
		P:    1,
	})
	a.Keys("down")
	want := "boston is still downloading; wine is not downloaded"
	if got := a.setup.absentText(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	a.Keys("enter")
	if a.setup.starting || a.setup.fetch.starts || a.Note != want {
		t.Errorf("enter: note %q, started %v", a.Note, a.Starts)
	}
	// A tick or a result of another download has no effect.
	if cmd := a.Send(kit.DownloadTickedMsg{Of: &kit.Download{}}); cmd != nil {
		t.Error("an outdated tick starts another tick")
	}
	a.Send(kit.DownloadedMsg{Of: &kit.Download{}})
	if a.setup.fetch == nil {
		t.Error("an outdated result ends the download")
	}
	if cmd := a.Send(kit.DownloadTickedMsg{Of: a.setup.fetch.Download}); cmd == nil {
		t.Error("the progress is drawn only once")
	}
}

// A failed start can be repeated. While a run is starting, enter does not start a second run.
func TestStartFails(t *testing.T) {
	a := newHarness(kittest.NewEngine(), rundir.Config{}, 120, 40)
	a.setup.parent = "a"
	a.Keys("enter", "enter")
	a.setup.Start() // as after a download
	if len(a.Starts) != 1 {
		t.Fatalf("started %+v", a.Starts)
	}
	a.Send(kit.RunStartedMsg{Asked: a.Starts[0], Err: errors.New("four runs are going")})
	a.Keys("enter")
	if len(a.Starts) != 2 || a.Starts[1].Parent != "a" {
		t.Errorf("started %+v", a.Starts)
	}
	a.Send(kit.RunStartedMsg{Asked: a.Starts[1]})
	a.Keys("enter")
	if len(a.Starts) != 3 || a.Starts[2].Parent != "" {
		t.Errorf("started %+v", a.Starts)
	}
}

// esc reverts typed text before it leaves the screen, and ctrl+r reverts all settings.
func TestUndoAndReset(t *testing.T) {
	a := newHarness(kittest.NewEngine(), rundir.Config{}, 120, 40)
	a.on("layers")
	a.Keys("7", "esc")
	if got := a.setup.form.Value("layers"); got != "2" || a.Backs > 0 {
		t.Errorf("after esc the text is %s; esc went back %d times", got, a.Backs)
	}
	a.Keys("7", "down", "shift+tab", "ctrl+r")
	if got := a.setup.form.Value("layers"); got != "2" {
		t.Errorf("ctrl+r leaves %s", got)
	}
	a.setup.parent = "a"
	a.Keys("esc")
	if a.Backs != 1 || a.setup.parent != "" {
		t.Errorf("went back %d times, the parent is %q", a.Backs, a.setup.parent)
	}
}

// The recent files can be restored without changing the selection, and a damaged state has no effect.
func TestRestore(t *testing.T) {
	a := newHarness(kittest.NewEngine(), rundir.Config{}, 120, 40)
	a.Keys("up")
	a.setup.RestoreFiles([]byte(`{"dataset":"boston","family":"star","files":["/data/one.csv"]}`))
	if c := a.setup.config(); c.Dataset != "steps" || c.Family != "mean-field" ||
		!reflect.DeepEqual(a.setup.files.recent, []string{"/data/one.csv"}) {
		t.Errorf("%s, %s, files %v", c.Dataset, c.Family, a.setup.files.recent)
	}
	a.setup.Restore([]byte(`{"dataset":"boston","family":"star"}`))
	if c := a.setup.config(); c.Dataset != "boston" || c.Family != "star" {
		t.Errorf("%s, %s", c.Dataset, c.Family)
	}
	a.setup.Restore([]byte(`{"dataset":"mountaincar","family":"gone"}`))
	if c := a.setup.config(); c.Dataset != "mountaincar" || c.Family != "star" {
		t.Errorf("%s, %s", c.Dataset, c.Family)
	}
	for _, text := range []string{"[", `{"dataset":3}`} {
		a.setup.Restore([]byte(text))
		a.setup.RestoreFiles([]byte(text))
		if c := a.setup.config(); c.Dataset != "mountaincar" || c.Family != "star" {
			t.Errorf("%s: %s, %s", text, c.Dataset, c.Family)
		}
	}
	if text := a.setup.PlainText(); !strings.HasPrefix(text, "dataset mountaincar\nfamily star\n") ||
		!strings.Contains(text, "layers") {
		t.Errorf("copied:\n%s", text)
	}
}
