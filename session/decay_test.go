package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dgplab/models/infer"
	"dgplab/session/rundir"
	"dgplab/session/watch"
)

// decaySet holds the settings of runs with a decay over the last quarter of their steps.
func decaySet(steps string) []string {
	return []string{"steps=" + steps, "checkpoint_every=7", "validation_points=5", "metrics_every=4"}
}

// decayingWorld returns a world whose runs have a decay over the last quarter of their steps.
func decayingWorld(t *testing.T) *fakeWorld {
	w := newWorld(t)
	w.decay = 0.25
	return w
}

// decayField is the field of a checkpoint that describes an early decay.
var decayField = regexp.MustCompile(`,"decay":{[^}]*}`)

// sameRun compares the report lines, parameters and test scores of two runs.
func sameRun(t *testing.T, what string, got, want *Snapshot) {
	t.Helper()
	if a, b := lines(t, got.Dir), lines(t, want.Dir); a != b {
		t.Errorf("%s: report lines\n%s\nwant\n%s", what, a, b)
	}
	// The checkpoints differ in the reason of the decay.
	state := func(s *Snapshot) []byte { return decayField.ReplaceAll(parameters(t, s.Dir), nil) }
	if a, b := state(got), state(want); !bytes.Equal(a, b) {
		t.Errorf("%s: parameters differ:\n%s\nwant\n%s", what, a, b)
	}
	a, _ := json.Marshal(got.Test)
	b, _ := json.Marshal(want.Test)
	if !bytes.Equal(a, b) {
		t.Errorf("%s: test scores %s, want %s", what, a, b)
	}
}

// resumeWith resumes a run and waits for its end.
func resumeWith(t *testing.T, w *fakeWorld, id string, want rundir.Stop, opts ...Option) *Snapshot {
	t.Helper()
	r, err := Resume(t.Context(), id, append(opts, withEnvironment(w.environment()))...)
	if err != nil {
		t.Fatal(err)
	}
	return wait(t, r, want)
}

// askAt trains a run that gets a request during a step.
func askAt(
	t *testing.T, w *fakeWorld, at int, request func(*Run), want rundir.Stop, set ...string,
) *Snapshot {
	t.Helper()
	var r *Run
	started := make(chan struct{})
	w.onStep = func(step int) error {
		<-started
		if step == at {
			request(r)
		}
		return nil
	}
	r = w.start(t, fakeConfig(set...))
	close(started)
	s := wait(t, r, want)
	w.onStep = nil
	return s
}

// stopAt trains a run until a step.
func stopAt(t *testing.T, w *fakeWorld, at int, set ...string) *Snapshot {
	t.Helper()
	return askAt(t, w, at, (*Run).Stop, rundir.StopAsked, set...)
}

// The report tells the stable phase from the decay, whose first step has a line.
func TestPhasesOfARunWithADecay(t *testing.T) {
	w := decayingWorld(t)
	s := wait(t, w.start(t, fakeConfig(decaySet("90")...)), rundir.StopSteps)
	for _, p := range s.Curve {
		want := infer.StablePhase
		if p.Step > 68 {
			want = infer.DecayPhase
		}
		if p.Phase != want {
			t.Errorf("step %d belongs to %q, want %q", p.Step, p.Phase, want)
		}
	}
	if s.Drift.Phase != infer.DecayPhase || s.Drift.To != 68 || s.Decays() {
		t.Errorf("drift of %+v, yet to decay: %v", s.Drift, s.Decays())
	}
}

// A run that is continued after its decay equals a run that was longer from the start, bit for bit. So does a
// run that was stopped in its stable phase or in its decay.
func TestMoreStepsContinueBeforeTheDecay(t *testing.T) {
	w := decayingWorld(t)
	long := wait(t, w.start(t, fakeConfig(decaySet("120")...)), rundir.StopSteps)
	short := wait(t, w.start(t, fakeConfig(decaySet("90")...)), rundir.StopSteps)
	sameRun(t, "after the decay", resumeWith(t, w, short.ID, rundir.StopSteps, WithSteps(120)), long)
	for _, at := range []int{40, 68, 69, 80} {
		s := stopAt(t, w, at, decaySet("90")...)
		sameRun(t, "stopped", resumeWith(t, w, s.ID, rundir.StopSteps, WithSteps(120)), long)
	}
	whole := wait(t, w.start(t, fakeConfig(decaySet("90")...)), rundir.StopSteps)
	for _, at := range []int{40, 68, 69, 80} {
		s := stopAt(t, w, at, decaySet("90")...)
		if !s.Decays() || s.Conclusive() {
			t.Errorf("stopped at step %d: yet to decay %v, conclusive %v", at, s.Decays(), s.Conclusive())
		}
		sameRun(t, "resumed", resumeWith(t, w, s.ID, rundir.StopSteps), whole)
	}
}

// A run that died at any time after it returned to the state before its decay still equals a longer run.
func TestDeathAfterTheReturn(t *testing.T) {
	w := decayingWorld(t)
	long := wait(t, w.start(t, fakeConfig(decaySet("120")...)), rundir.StopSteps)
	short := wait(t, w.start(t, fakeConfig(decaySet("90")...)), rundir.StopSteps)
	dead := short.ID + "-dead"
	dir := filepath.Join(filepath.Dir(short.Dir), dead)
	w.onStep = func(step int) error {
		if step == 69 {
			copyDir(t, short.Dir, dir)
		}
		return nil
	}
	resumeWith(t, w, short.ID, rundir.StopSteps, WithSteps(120))
	w.onStep = nil
	rename(t, dir, dead)
	sameRun(t, "dead", resumeWith(t, w, dead, rundir.StopSteps), long)
}

// A run that finishes begins its decay at once. It equals a run that was planned with its length, also if it
// was stopped before or in the decay, and it can be continued like that run.
func TestFinish(t *testing.T) {
	w := decayingWorld(t)
	planned := wait(t, w.start(t, fakeConfig(decaySet("40")...)), rundir.StopSteps)
	long := wait(t, w.start(t, fakeConfig(decaySet("90")...)), rundir.StopSteps)
	const stable = 30
	s := askAt(t, w, stable, (*Run).Finish, rundir.StopFinished, decaySet("90")...)
	if s.Step != 40 || s.Steps != 40 || s.Decays() {
		t.Errorf("finished at step %d of %d, yet to decay: %v", s.Step, s.Steps, s.Decays())
	}
	sameRun(t, "finished", s, planned)

	stopped := stopAt(t, w, stable, decaySet("90")...)
	sameRun(t, "finished later", resumeWith(t, w, stopped.ID, rundir.StopFinished, WithFinish()), planned)
	if _, err := Resume(t.Context(), stopped.ID, withEnvironment(w.environment())); err == nil {
		t.Error("a finished run was resumed without more steps")
	}
	sameRun(t, "continued", resumeWith(t, w, stopped.ID, rundir.StopSteps, WithSteps(90)), long)

	stopped = stopAt(t, w, stable, decaySet("90")...)
	w.onStep = func(step int) error {
		if step == 35 {
			return errors.New("power failure")
		}
		return nil
	}
	resumeWith(t, w, stopped.ID, rundir.StopFailed, WithFinish())
	w.onStep = nil
	sameRun(t, "resumed in the decay", resumeWith(t, w, stopped.ID, rundir.StopFinished), planned)
}

// Rules that end runs early begin the decay instead.
func TestRulesBeginTheDecay(t *testing.T) {
	w := decayingWorld(t)
	w.stepCost = 0
	w.bias = worseAfter(300)
	w.gain = func(step int) float64 { return float64(step) }
	s := wait(t, w.start(t, fakeConfig("steps=3000")), rundir.StopEarly)
	var decay int
	for _, p := range s.Curve {
		if p.Phase == infer.DecayPhase {
			decay = p.Step - 1
			break
		}
	}
	want := infer.Schedule{Shape: infer.StableDecay, DecayShare: w.decay}.LengthWithDecayAfter(decay)
	if decay < watch.OverfitAfter || s.Step != want {
		t.Errorf("the decay began after step %d and ended at step %d, want %d", decay, s.Step, want)
	}
}

// If the state before the decay is damaged, a run continues from its end only if the user asks for a repair.
func TestDamagedStateBeforeTheDecay(t *testing.T) {
	w := decayingWorld(t)
	s := wait(t, w.start(t, fakeConfig(decaySet("90")...)), rundir.StopSteps)
	path := filepath.Join(s.Dir, "checkpoint.stable")
	if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	more := []Option{withEnvironment(w.environment()), WithSteps(120)}
	if _, err := Resume(t.Context(), s.ID, more...); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("resumed from a damaged state: %v", err)
	}
	end := resumeWith(t, w, s.ID, rundir.StopSteps, WithSteps(120), WithRepair())
	if end.Step != 120 || len(end.Warnings) == 0 || !strings.Contains(end.Warnings[0], path) {
		t.Errorf("repaired: step %d, warnings %q", end.Step, end.Warnings)
	}
}

// Without the state before the decay, a run continues from its end.
func TestMissingStateBeforeTheDecay(t *testing.T) {
	w := decayingWorld(t)
	s := wait(t, w.start(t, fakeConfig(decaySet("90")...)), rundir.StopSteps)
	if err := os.Remove(filepath.Join(s.Dir, "checkpoint.stable")); err != nil {
		t.Fatal(err)
	}
	more := resumeWith(t, w, s.ID, rundir.StopSteps, WithSteps(120))
	if more.Step != 120 {
		t.Errorf("ended at step %d", more.Step)
	}
	// A run without a decay saves no such state.
	w.decay = 0
	s = wait(t, w.start(t, fakeConfig(decaySet("90")...)), rundir.StopSteps)
	if _, err := os.Stat(filepath.Join(s.Dir, "checkpoint.stable")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the state before a decay of a run without one: %v", err)
	}
}
