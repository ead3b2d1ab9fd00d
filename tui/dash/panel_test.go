package dash

import (
	"slices"
	"strings"
	"testing"

	"dgplab/datasets/task"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// onScreen returns the names of the panels on the screen.
func (d *desk) onScreen() (list []string) {
	for _, p := range d.dash.arrange().panels {
		list = append(list, nameOf(p.ID))
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
	evaluated.Predictions = sets()["classes"][0].Snapshot.Predictions
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

func TestObjectiveName(t *testing.T) {
	d, _ := newDesk(kittest.ExactRun("gp", 40), 120, 40)
	frame := d.View()
	if !strings.Contains(frame, "log marginal likelihood ── sum · exact · linear") ||
		!strings.Contains(frame, "● log marginal likelihood") || strings.Contains(frame, "ELBO") {
		t.Errorf("the objective is not named:\n%s", frame)
	}
	files := d.exports(t)
	if !strings.Contains(files["log-marginal-likelihood.svg"], "log marginal likelihood, sum") {
		t.Error("the objective is not named in the export")
	}
	if csv := files["functions.csv"]; !strings.HasPrefix(csv, "function,name,x,mean,sd\n1,f,-1,0,0.3\n") {
		t.Errorf("functions.csv: %q", csv)
	}
}

func TestExactCurves(t *testing.T) {
	d, _ := newDesk(kittest.ExactRun("gp", 40), 120, 40)
	if c := d.dash.Board.curve(ofObjective); c.Smoothing != 0 || strings.Contains(d.View(), "smoothed") {
		t.Errorf("an exact curve is smoothed by %g", c.Smoothing)
	}
	if _, barred := d.dash.Now(ActSmoother); !strings.Contains(barred, "exact") {
		t.Errorf("smoothing is offered: %q", barred)
	}
	// Next to a comparable estimate only the estimate is smoothed.
	noisy := kittest.ExactRun("estimated", 40)
	noisy.ObjectiveIs.Noisy = true
	d.start(noisy)
	c := d.dash.Board.curve(ofObjective)
	if c.Smoothing == 0 || !c.Series[0].Exact || c.Series[1].Exact || strings.Contains(d.View(), "exact ·") {
		t.Errorf("smoothing %g, series %+v", c.Smoothing, c.Series)
	}
	if _, barred := d.dash.Now(ActSmoother); barred != "" {
		t.Errorf("smoothing is unavailable: %s", barred)
	}
}

// A new run and other runs have the default view. The view is kept if the same runs are opened again, or if a
// run joins a training run.
func TestOtherRunsHaveTheDefaultView(t *testing.T) {
	d, run := newDesk(kittest.Training(kittest.OfFamily("star", 0), 400), 120, 40)
	changed := func() bool {
		c := d.dash.curves
		return c.curveSettings != firstSettings || c.window.on || c.cursor.on || d.dash.zoomed
	}
	change := func() {
		t.Helper()
		d.dash.curves.Grouped = false
		d.Keys("g", "l", "]", "left", "enter")
		if !changed() || !d.dash.curves.Grouped || !d.dash.curves.window.on || !d.dash.zoomed {
			t.Fatalf("the keys change the view to %+v", d.dash.curves)
		}
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
		t.Errorf("other runs have the view %+v", d.dash.curves)
	}
	change()
	run.Finish()
	d.Send(kit.RunEndedMsg{Run: run})
	d.start(kittest.Training(kittest.OfFamily("star", 2), 400))
	if changed() {
		t.Errorf("a new run has the view %+v", d.dash.curves)
	}
}

// Curves of other data or splits than those of the selected run are left out. They do not stretch the
// axis of steps.
func TestCurvesOfDifferentData(t *testing.T) {
	d, _ := newDesk(kittest.Training(kittest.OfFamily("star", 0), 400), 120, 40)
	other := kittest.OfFamily("star", 0)
	other.Split = "interpolation:1"
	d.start(kittest.Training(other, 1200))
	d.Keys(",")
	for _, of := range []quantity{ofObjective, ofValidation} {
		c := d.dash.Board.curve(of)
		if shown := d.dash.shownRange(of); len(c.Series) != 1 || shown[1] > 400 {
			t.Errorf("%d curves over %v", len(c.Series), shown)
		}
	}
	frame := d.View()
	if strings.Count(frame, "│ 1 run left out: different data or split") != 2 {
		t.Errorf("a panel lacks the note on the run left out:\n%s", frame)
	}
	d.Keys(".")
	if shown := d.dash.shownRange(ofValidation); shown[1] < 1000 {
		t.Errorf("the curve of the other run ends at %v", shown)
	}
}

// A run whose objective is not drawn does not extend the axis of the objective.
func TestHiddenRunsDoNotStretchAxes(t *testing.T) {
	d, _ := newDesk(kittest.Training(kittest.OfFamily("star", 0), 1200), 120, 40)
	d.start(kittest.ExactRun("gp", 40))
	if shown := d.dash.shownRange(ofObjective); shown[1] > 40 {
		t.Errorf("the objective is drawn over %v", shown)
	}
	if shown := d.dash.shownRange(ofValidation); shown[1] < 1000 {
		t.Errorf("the validation is drawn over %v", shown)
	}
}

func TestDifferentObjectives(t *testing.T) {
	d, _ := newDesk(kittest.Training(kittest.OfFamily("star", 0), 400), 120, 40)
	d.start(kittest.Training(kittest.OfFamily("mean-field", 0), 400))
	d.start(kittest.ExactRun("gp", 400))
	if c := d.dash.Board.curve(ofObjective); len(c.Series) != 1 || c.Series[0].Label != "gp" {
		t.Errorf("with the kittest.Evidence there are %d curves", len(c.Series))
	}
	if frame := d.View(); !strings.Contains(frame, "│ 2 runs left out: not the same objective") {
		t.Errorf("the note on runs left out is missing:\n%s", frame)
	}
	d.Keys(",")
	if frame := d.View(); !strings.Contains(frame, "│ 1 run left out: not the same objective") ||
		len(d.dash.Board.curve(ofObjective).Series) != 2 {
		t.Errorf("of the bounds:\n%s", frame)
	}
	if c := d.dash.Board.curve(ofValidation); len(c.Series) != 3 {
		t.Errorf("validation of %d runs", len(c.Series))
	}
}
