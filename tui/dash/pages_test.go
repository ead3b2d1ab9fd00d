package dash

import (
	"slices"
	"strings"
	"testing"

	"dgplab/datasets/task"
	"dgplab/models/view"
	"dgplab/tui/board"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// TestComparePage checks the panels for one run and for two runs. At every size the table is on the screen
// with the height that it needs, but at most half of the page.
func TestComparePage(t *testing.T) {
	for n, want := range map[int][]string{
		1: {"Table", "Worst", "Baseline", "Intervals", "Residuals"},
		2: {"Table", "Direct", "Differences", "Points", "Distances", "Worst", "Curves", "Intervals"},
	} {
		d := several(n)
		d.Size(200, 60)
		d.Keys("2")
		got := d.onScreen()
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%d runs show %v, want %v", n, got, want)
		}
		for _, size := range [][2]int{{200, 60}, {120, 40}, {80, 24}, {60, 20}, {40, 10}, {20, 6}} {
			d.Size(size[0], size[1])
			panels := d.dash.arrange().panels
			if panels[0].ID.Name != "Table" {
				t.Errorf("%v shows %v", size, d.onScreen())
			}
			page := 0
			for _, p := range panels {
				page = max(page, p.Rect.Y+p.Rect.H-panels[0].Rect.Y)
			}
			need := min(panels[0].ID.Lines(d.dash.Board, panels[0].Inner().W)+2, page/2)
			if got := panels[0].Rect.H; len(panels) > 1 && got != need {
				t.Errorf("the table has %d lines at %v, it needs %d", got, size, need)
			}
			kittest.CheckFrame(t, "compare", d.View(), size[0], size[1])
		}
	}
}

// TestJoiningRun checks the page of comparisons while the selected run has no snapshot yet.
func TestJoiningRun(t *testing.T) {
	d := several(2)
	d.Size(200, 60)
	d.start(nil)
	for p := range d.dash.Pages {
		d.dash.page = p
		kittest.CheckFrame(t, "joining", d.View(), 200, 60)
	}
}

// onScreen returns the names of the panels on the screen.
func (d *desk) onScreen() (list []string) {
	for _, p := range d.dash.arrange().panels {
		list = append(list, p.ID.Name)
	}
	return list
}

func TestPanelsFollowViews(t *testing.T) {
	begun := *kittest.ExactRun("gp", 3)
	begun.Diagnostics = nil
	d, r := newDesk(&begun, 120, 40)
	d.dash.FocusOn(d.panel("Layers"))
	before := []string{"Objective", "Validation", "Covariance", "Layers"}
	if got := d.onScreen(); !slices.Equal(got, before) ||
		!strings.Contains(d.View(), "waiting for the first diagnostics") {
		t.Errorf("before the first diagnostics there are %T:\n%s", got, d.View())
	}
	r.Show(kittest.ExactRun("gp", 4))
	d.Send(frameDueMsg{})
	if got := d.onScreen(); !slices.Equal(got, []string{"Objective", "Validation", "Functions"}) {
		t.Errorf("for a model with functions there are %T", got)
	}
	if d.focused() != "Objective" {
		t.Errorf("the focus has moved to %s", d.focused())
	}
	d.Keys("shift+tab")
	frame := d.View()
	for _, want := range []string{"Functions of the posterior", "mean ± 2 sd",
		"input 1, standardised", "░"} {
		if !strings.Contains(frame, want) {
			t.Errorf("no %q in\n%s", want, frame)
		}
	}
	kittest.CheckFrame(t, "functions", frame, 120, 40)
	if !strings.Contains(frame, "other inputs at their means") {
		t.Errorf("the note on the other input is missing:\n%s", frame)
	}
	line := *kittest.ExactRun("gp", 5)
	line.Data.D = 1
	r.Show(&line)
	d.Send(frameDueMsg{})
	if frame := d.View(); strings.Contains(frame, "other inputs") {
		t.Errorf("there is a note on other inputs:\n%s", frame)
	}
	d.start(kittest.Training(kittest.OfFamily("star", 0), 500))
	if got := d.onScreen(); !slices.Equal(got, before) {
		t.Errorf("of a selected run without functions there are %v", got)
	}
	kittest.CheckFrame(t, "both", d.View(), 120, 40)
	d.Keys(",")
	want := []string{"Objective", "Validation", "Covariance", "Functions"}
	if got := d.onScreen(); !slices.Equal(got, want) {
		t.Errorf("of a selected run with functions beside a run with layers there are %v", got)
	}
}

func TestClassPanels(t *testing.T) {
	s := kittest.Training(someConfig, 100)
	s.Data.Task = task.Binary
	d, _ := newDesk(s, 120, 40)
	d.Keys("3")
	if got := d.onScreen(); !slices.Equal(got, []string{"Coverage"}) ||
		!strings.Contains(d.View(), "Reliability") || !strings.Contains(d.View(), "has been evaluated") {
		t.Errorf("for classes before the evaluation there are %v:\n%s", got, d.View())
	}
	evaluated := *s
	evaluated.Predictions = kittest.Classes(400, 3)
	d, _ = newDesk(&evaluated, 120, 40)
	d.Keys("3")
	if got := d.onScreen(); !slices.Equal(got, []string{"Coverage", "Confusion"}) {
		t.Errorf("for classes there are %v", got)
	}
	d.Size(60, 24)
	if frame := d.View(); strings.Contains(frame, "Cover") || !strings.Contains(frame, "Reliability") {
		t.Errorf("the tab of a reliability diagram:\n%s", frame)
	}
}

// A new run and other runs have the default view. The view is kept if the same runs are opened again, or if a
// run joins a training run.
func TestOtherRunsHaveTheDefaultView(t *testing.T) {
	d, run := newDesk(kittest.Training(kittest.OfFamily("star", 0), 400), 120, 40)
	changed := func() bool {
		zoomed := strings.Contains(d.View(), "zoomed")
		return d.dash.Settings() != board.FirstSettings || zoomed || d.panel("Objective").Mover.HasCursor() ||
			d.dash.zoomed
	}
	change := func() {
		t.Helper()
		d.Keys("l", "]", "left", "enter")
		if d.dash.Settings() == board.FirstSettings || !d.panel("Objective").Mover.HasCursor() ||
			!d.dash.zoomed {
			t.Fatalf("the keys change the settings to %+v", d.dash.Settings())
		}
		kittest.CheckShows(t, "the window", d.View(), "zoomed")
	}
	change()
	d.start(kittest.Training(kittest.OfFamily("star", 1), 400))
	if !changed() {
		t.Error("a run that joins a training run changes the view")
	}
	d.watch("fake-2", "fake-1")
	if !changed() {
		t.Error("the same runs have the default view")
	}
	d.watch("fake-1")
	if changed() {
		t.Errorf("other runs have the settings %+v", d.dash.Settings())
	}
	change()
	run.Close()
	d.Send(kit.RunEndedMsg{Run: run})
	d.start(kittest.Training(kittest.OfFamily("star", 2), 400))
	if changed() {
		t.Errorf("a new run has the settings %+v", d.dash.Settings())
	}
}

// If not all panels fit on the screen, the panels around the focus are shown.
func TestPanelsAroundFocus(t *testing.T) {
	views := kittest.Training(kittest.OfFamily("star", 0), 1240).Diagnostics.Views
	views.Plane = kittest.Plane()
	views.Functions = kittest.ExactRun("gp", 3).Diagnostics.Functions
	d, _ := newDesk(kittest.ViewRun(views, 1240), 120, 40)
	all := d.dash.Panels(0)
	for i, focus := range all {
		d.dash.FocusOn(focus)
		got := d.onScreen()
		if !slices.Contains(got, focus.Name) || len(got) != 5 || got[0] != all[0].Name ||
			got[1] != all[1].Name {
			t.Errorf("with the focus on %d of %d: %s", i, len(all), got)
		}
		kittest.CheckFrame(t, "around", d.View(), 120, 40)
	}
}

// The page of chains is available only while a run has chains.
func TestChainPage(t *testing.T) {
	d, _ := newDesk(kittest.ViewRun(view.Views{Chains: kittest.Chains(100)}, 1240), 120, 40)
	d.Keys("5")
	if !slices.Contains(d.onScreen(), "Trace") {
		t.Errorf("5 shows %v", d.onScreen())
	}
	kittest.CheckFrame(t, "page of chains", d.View(), 120, 40)
	d.Size(120, 40)
	l := d.dash.arrange()
	d.Click(l.pages.X+3, l.pages.Y)
	if d.dash.page != 0 {
		t.Errorf("a click on the first page shows page %d", d.dash.page)
	}
	l = d.dash.arrange()
	d.Click(l.pages.X+tabsRoom(l.pageTabs[:4])+2, l.pages.Y)
	if d.dash.page != 4 {
		t.Errorf("a click on the last page shows page %d", d.dash.page)
	}
	other, _ := newDesk(kittest.ViewRun(view.Views{Weights: kittest.Weights()}, 1240), 120, 40)
	other.Keys("5")
	if other.Note != "no run on the screen has chains" || other.dash.onPage() != 0 {
		t.Errorf("without chains 5 reports %q and shows page %d", other.Note, other.dash.onPage())
	}
	other.dash.page = 4 // as in a restored state
	if at := other.dash.arrange().pageTabs; len(at) != len(other.dash.Pages) || other.dash.pageAvailable(4) {
		t.Errorf("tabs %v without chains", at)
	}
}
