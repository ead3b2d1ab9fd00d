package dash

import (
	"math"
	"strings"
	"testing"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

// TestDiagnoseCheckpoint computes a fit from the last checkpoint of a run that ended without one.
func TestDiagnoseCheckpoint(t *testing.T) {
	s := kittest.Ended(kittest.OfFamily("star", 0), rundir.StopSteps)
	d := emptyDesk(120, 40)
	f := d.folder("20261121-101500-mountaincar-star-k3x9", s)
	d.watch(f.id)
	d.Keys("6")
	if frame := d.View(); !strings.Contains(frame, "d computes them from the last checkpoint") {
		t.Fatalf("the key for computing a fit is not named:\n%s", frame)
	}
	d.Perform(d.Keys("d"))
	if !strings.Contains(d.Note, "the data have changed since the run") {
		t.Errorf("it says %q", d.Note)
	}
	f.inside = &rundir.Diagnostics{Step: s.Step, Views: view.Views{Fit: kittest.Fit(2, 0)}}
	d.Perform(d.Keys("d"))
	if frame := d.View(); !strings.Contains(frame, "Fit of value along position") ||
		!strings.Contains(d.Note, "computed the diagnostics at step") {
		t.Errorf("said %q:\n%s", d.Note, frame)
	}
	if d.dash.watched[0].take(s) {
		t.Error("the same snapshot counts as new")
	}
	d.dash.watched[0].take(&session.Snapshot{State: rundir.Ended})
	if d.dash.Snapshot().Diagnostics == nil {
		t.Error("another snapshot has lost the diagnostics")
	}
}

// The suggested inputs are marked at their predicted means, and a second key removes the marks.
func TestSuggestedInputs(t *testing.T) {
	s := kittest.Ended(kittest.OfFamily("star", 0), rundir.StopSteps)
	s.Diagnostics = &rundir.Diagnostics{Step: s.Step, Views: view.Views{Fit: kittest.Fit(2, 0)}}
	d := emptyDesk(120, 40)
	f := d.folder("20261121-101500-mountaincar-star-k3x9", s)
	d.watch(f.id)
	d.Keys("6")
	d.Perform(d.Keys("w"))
	if !strings.Contains(d.Note, "the data have changed since the run") {
		t.Errorf("it says %q", d.Note)
	}
	f.suggestions = &probe.Suggestions{Step: 1500, Criterion: probe.ALM, List: []probe.Suggestion{
		{At: []float64{0.5, math.NaN()}, Mean: []float64{-0.5}},
		{At: []float64{0.1, 0.2}, Mean: []float64{0.3}},
	}}
	const legend = "◆ suggested"
	d.Perform(d.Keys("w"))
	if frame := d.View(); !strings.Contains(frame, legend) ||
		!strings.Contains(d.Note, "marked the next 2 inputs by alm at step 1,500") {
		t.Errorf("said %q:\n%s", d.Note, frame)
	}
	d.Perform(d.Keys("w"))
	if frame := d.View(); strings.Contains(frame, legend) {
		t.Errorf("the marks remain:\n%s", frame)
	}
}
