package session

import (
	"testing"

	"dgplab/session/rundir"
	"dgplab/session/watch"
)

// A run is stopped long before step 5,000 if its validation falls while its objective rises, unless
// the rule is off.
func TestOverfittingStopsRun(t *testing.T) {
	w := newWorld(t)
	w.stepCost = 0
	w.bias = worseAfter(300)
	w.gain = func(step int) float64 { return float64(step) }
	s := wait(t, w.start(t, fakeConfig("steps=3000")), rundir.StopEarly)
	if s.Step < watch.OverfitAfter || s.Step > 1000 || !s.Drift.Overfitting() || s.KeptStep > 320 {
		t.Errorf("stopped at step %d, kept step %d, %s", s.Step, s.KeptStep, s.DriftText())
	}
	for _, off := range []string{"stop_overfitting=off", "early_stopping=off"} {
		if s := wait(t, w.start(t, fakeConfig("steps=3000", off)), rundir.StopSteps); s.Step != 3000 {
			t.Errorf("%s: stopped at step %d", off, s.Step)
		}
	}
	// If the objective also falls, the run does not overfit.
	w.gain = func(step int) float64 { return -float64(step) }
	if s := wait(t, w.start(t, fakeConfig("steps=3000")), rundir.StopSteps); s.Step != 3000 {
		t.Errorf("with a falling objective: stopped at step %d", s.Step)
	}
}
