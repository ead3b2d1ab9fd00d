package session

import (
	"context"
	"slices"
	"testing"

	"dgplab/session/config"
	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// If the validation of a run gets worse, its best parameters are scored, shown and used for predictions, but
// training continues from its last parameters.
func TestBestParametersAreTheResult(t *testing.T) {
	w := newWorld(t)
	w.bias = worseAfter(100)
	last := wait(t, w.start(t, fakeConfig("steps=200", "keep=last")), rundir.StopSteps)
	if last.KeptStep != 200 || last.TestStep != 200 {
		t.Errorf("keep=last: kept %d, scored %d", last.KeptStep, last.TestStep)
	}
	best := wait(t, w.start(t, fakeConfig("steps=200")), rundir.StopSteps)
	kept := best.KeptStep
	if kept < 60 || kept > 130 {
		t.Fatalf("the parameters of step %d are kept, want about step 100", kept)
	}
	if best.TestStep != kept || best.Diagnostics.Step != kept ||
		best.Predictions == nil || best.Step != 200 || best.CheckpointStep != 200 {
		t.Errorf("kept %d, scored %d, shown %d, ended %d, checkpoint %d",
			kept, best.TestStep, best.Diagnostics.Step, best.Step, best.CheckpointStep)
	}
	if best.Test.LogLik < last.Test.LogLik+0.1 {
		t.Errorf("log-likelihood %v at step %d and %v at step 200", best.Test.LogLik, kept, last.Test.LogLik)
	}
	// The scores equal the scores of a run that ends at that step.
	part := wait(t, w.start(t, config.WithSteps(fakeConfig("keep=last"), kept)), rundir.StopSteps)
	if part.Test.LogLik != best.Test.LogLik || !slices.Equal(part.Hyper[0].Value, best.Hyper[0].Value) {
		t.Errorf("log-likelihood %v, but %v in a run of %d steps", best.Test.LogLik, part.Test.LogLik, kept)
	}
	record, err := rundir.FindReadOnly(best.ID)
	if err != nil {
		t.Fatal(err)
	}
	if s := Open(record); s.KeptStep != kept || s.TestStep != kept {
		t.Errorf("in the record: kept %d, scored %d", s.KeptStep, s.TestStep)
	}
	if d, err := diagnose(context.Background(), record, w.environment()); err != nil || d.Step != kept {
		t.Errorf("diagnostics at step %d, %v", d.Step, err)
	}
}

// worseAfter returns a bias of the predictions that grows from a step on.
func worseAfter(step int) func(int) float64 {
	return func(now int) float64 { return 0.02 * float64(max(now-step, 0)) }
}

// Parameters whose validation is better by chance only are not the result: the last ones are. The run can be
// continued like an uninterrupted one, which may still find that the earlier parameters are clearly better.
func TestLastParametersPassTheKeptOnes(t *testing.T) {
	w := newWorld(t)
	w.bias = func(now int) float64 { return 0.0006 * float64(max(now-700, 0)) }
	short := wait(t, w.start(t, fakeConfig("steps=900")), rundir.StopSteps)
	cp, err := rundir.ReadCheckpoint(short.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if k := cp.Progress.Kept; k == nil || k.Step >= 900 || !k.Passed || short.KeptStep != 900 ||
		short.TestStep != 900 {
		t.Fatalf("kept %+v, result of step %d, scored %d", k, short.KeptStep, short.TestStep)
	}
	if _, step := cp.Result(); step != 900 {
		t.Errorf("the checkpoint has the result of step %d", step)
	}
	record, err := rundir.FindReadOnly(short.ID)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := diagnose(t.Context(), record, w.environment()); err != nil || d.Step != 900 {
		t.Errorf("diagnostics at step %d, %v", d.Step, err)
	}
	w.bias = func(now int) float64 { return 0.0006*float64(max(now-700, 0)) + 0.05*float64(max(now-930, 0)) }
	whole := wait(t, w.start(t, fakeConfig("steps=1000")), rundir.StopSteps)
	more := resumeWith(t, w, short.ID, rundir.StopSteps, WithSteps(1000))
	if whole.KeptStep > 950 || more.KeptStep != whole.KeptStep {
		t.Errorf("the result is of step %d, and of step %d if continued", whole.KeptStep, more.KeptStep)
	}
	sameRun(t, "continued", more, whole)
}

// A resumed run keeps the same parameters as an uninterrupted one.
func TestKeptParametersAfterResume(t *testing.T) {
	for _, at := range []int{57, 90, 95, 140} {
		w := newWorld(t)
		w.bias = worseAfter(100)
		whole := wait(t, w.start(t, fakeConfig("steps=200")), rundir.StopSteps)
		part := wait(t, w.start(t, config.WithSteps(fakeConfig(), at)), rundir.StopSteps)
		again, err := Resume(context.Background(), part.ID, withEnvironment(w.environment()), WithSteps(200))
		if err != nil {
			t.Fatal(err)
		}
		end := wait(t, again, rundir.StopSteps)
		if text := outcomeOf(t, end.Dir,
			rundir.StopSteps).differs(outcomeOf(t, whole.Dir, rundir.StopSteps)); text != "" {
			t.Errorf("resumed at step %d: %s", at, text)
		}
		if end.KeptStep != whole.KeptStep {
			t.Errorf("resumed at step %d: step %d is kept, want %d", at, end.KeptStep, whole.KeptStep)
		}
	}
}

// The parameters with the highest mean validation over 50 steps are kept. Of equal means the first counts,
// and NaN is ignored.
func TestMeanValidationDecides(t *testing.T) {
	for _, c := range []struct {
		every int
		value func(step int) float64
		want  int
	}{
		{10, func(step int) float64 {
			switch {
			case step == 100:
				return 1
			case step >= 200:
				return 0.5
			}
			return 0
		}, 240},
		{10, func(step int) float64 {
			if step == 100 {
				return nan
			}
			return 1 / float64(step)
		}, 10},
		{100, func(step int) float64 {
			if step == 300 {
				return 1
			}
			return 0
		}, 300},
		{10, func(int) float64 { return nan }, 0},
	} {
		w := &fakeWorld{}
		tr := &trainer{
			Resolved: &config.Resolved{Settings: config.Settings{KeepBest: true}},
			probe:    &probe.Probe{Model: &fakeModel{world: w, step: make([]float64, 1)}},
			progress: rundir.Progress{Kept: new(rundir.Kept)},
		}
		for step := c.every; step <= 1000; step += c.every {
			tr.probe.Model.(*fakeModel).step[0] = float64(step)
			tr.keepIfBest(step, c.value(step))
		}
		if got := tr.progress.Kept.Step; got != c.want {
			t.Errorf("every %d steps: step %d is kept, want %d", c.every, got, c.want)
		}
		if c.want > 0 && tr.kept.state[0].Data[0] != float64(c.want) {
			t.Errorf("the state is from step %v, want %d", tr.kept.state[0].Data[0], c.want)
		}
	}
}

// Without a validation set the last parameters are the result.
func TestLastParametersAreKept(t *testing.T) {
	w := newWorld(t)
	s := wait(t, w.start(t, fakeConfig("validation=0")), rundir.StopSteps)
	if s.KeptStep != s.Step || s.TestStep != s.Step {
		t.Errorf("kept %d, scored %d of %d", s.KeptStep, s.TestStep, s.Step)
	}
}
