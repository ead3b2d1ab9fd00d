package board

import (
	"strings"
	"testing"

	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

func TestObjectiveName(t *testing.T) {
	d := newStage(kittest.ExactRun("gp", 40))
	frame := d.frame()
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
	d := newStage(kittest.ExactRun("gp", 40))
	if c := d.curve(ofObjective); c.Smoothing != 0 || strings.Contains(d.frame(), "smoothed") {
		t.Errorf("an exact curve is smoothed by %g", c.Smoothing)
	}
	if !d.ExactCurves() {
		t.Error("an exact curve counts as an estimate")
	}
	// Next to a comparable estimate only the estimate is smoothed.
	noisy := kittest.ExactRun("estimated", 40)
	noisy.ObjectiveIs.Noisy = true
	d.start(noisy)
	c := d.curve(ofObjective)
	if c.Smoothing == 0 || !c.Series[0].Exact || c.Series[1].Exact || strings.Contains(d.frame(), "exact ·") {
		t.Errorf("smoothing %g, series %+v", c.Smoothing, c.Series)
	}
	if d.ExactCurves() {
		t.Error("an estimate counts as exact")
	}
}

// Curves of other data or splits than those of the selected run are left out. They do not stretch the
// axis of steps.
func TestCurvesOfDifferentData(t *testing.T) {
	d := newStage(kittest.Training(kittest.OfFamily("star", 0), 400))
	other := kittest.OfFamily("star", 0)
	other.Split = "interpolation:1"
	d.start(kittest.Training(other, 1200))
	d.Chosen--
	for _, of := range []quantity{ofObjective, ofValidation} {
		c := d.curve(of)
		if shown := d.shownRange(of); len(c.Series) != 1 || shown[1] > 400 {
			t.Errorf("%d curves over %v", len(c.Series), shown)
		}
	}
	for _, panel := range []string{"Objective", "Validation"} {
		kittest.CheckShows(t, panel, d.see(panel).frame(), "│ 1 run left out: different data or split")
	}
	d.Chosen++
	if shown := d.shownRange(ofValidation); shown[1] < 1000 {
		t.Errorf("the curve of the other run ends at %v", shown)
	}
}

// A run whose objective is not drawn does not extend the axis of the objective.
func TestHiddenRunsDoNotStretchAxes(t *testing.T) {
	d := newStage(kittest.Training(kittest.OfFamily("star", 0), 1200))
	d.start(kittest.ExactRun("gp", 40))
	d.turnXAxis(xSteps)
	if shown := d.shownRange(ofObjective); shown[1] > 40 {
		t.Errorf("the objective is drawn over %v", shown)
	}
	if shown := d.shownRange(ofValidation); shown[1] < 1000 {
		t.Errorf("the validation is drawn over %v", shown)
	}
}

func TestDifferentObjectives(t *testing.T) {
	d := newStage(kittest.Training(kittest.OfFamily("star", 0), 400))
	d.start(kittest.Training(kittest.OfFamily("mean-field", 0), 400))
	d.start(kittest.ExactRun("gp", 400))
	if c := d.curve(ofObjective); len(c.Series) != 1 || c.Series[0].Label != "gp" {
		t.Errorf("with the evidence there are %d curves", len(c.Series))
	}
	if frame := d.frame(); !strings.Contains(frame, "│ 2 runs left out: not the same objective") {
		t.Errorf("the note on runs left out is missing:\n%s", frame)
	}
	d.Chosen--
	if frame := d.frame(); !strings.Contains(frame, "│ 1 run left out: not the same objective") ||
		len(d.curve(ofObjective).Series) != 2 {
		t.Errorf("of the bounds:\n%s", frame)
	}
	if c := d.curve(ofValidation); len(c.Series) != 3 {
		t.Errorf("validation of %d runs", len(c.Series))
	}
}

// A run that has ended shows its error, or that it ended before there were data.
func TestEndedWithoutData(t *testing.T) {
	d := several(2)
	if got := d.noDataYet("samples"); got != "waiting for samples" {
		t.Errorf("while runs train: %q", got)
	}
	for _, r := range d.Runs {
		r.Snapshot.State = rundir.Ended
	}
	if got := d.noDataYet("samples"); got != "the runs ended before samples" {
		t.Errorf("after all runs: %q", got)
	}
	d = newStage(kittest.Ended(someConfig, rundir.StopSteps))
	if got := d.noDataYet("samples"); got != "the run ended before samples" {
		t.Errorf("after the run: %q", got)
	}
	failed := kittest.Ended(someConfig, rundir.StopFailed)
	d = newStage(failed)
	if got := d.noDataYet("samples"); got != failed.Err.Error() {
		t.Errorf("after a failure: %q", got)
	}
}
