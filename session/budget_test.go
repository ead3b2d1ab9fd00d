package session

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// readConfig returns the recorded configuration of a run.
func readConfig(t *testing.T, s *Snapshot) *rundir.ConfigFile {
	t.Helper()
	c, err := rundir.ReadConfig(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A run with a budget times some steps and then trains for as many steps as fit. It equals a run that was
// started with that number of steps.
func TestBudget(t *testing.T) {
	w := newWorld(t)
	s := wait(t, w.start(t, fakeConfig("steps=5000", "budget=2s")), rundir.StopSteps)
	file := readConfig(t, s)
	// Of 2 s, 10 % are reserved and timing takes 51 steps of 1 ms.
	if math.Abs(float64(s.Step)-1749) > 1 || file.Values["steps"] != strconv.Itoa(s.Step) {
		t.Errorf("%d steps, recorded %s", s.Step, file.Values["steps"])
	}
	b := file.Budget
	if b == nil || b.Seconds != 2 || b.Timed != 50 || b.Steps != s.Step ||
		math.Abs(b.StepSeconds-0.001) > 1e-9 {
		t.Errorf("recorded %+v", b)
	}
	if file.Chosen("steps") != "5000" || file.Set["steps"] != "5000" {
		t.Errorf("chosen steps %s, set steps %s", file.Chosen("steps"), file.Set["steps"])
	}
	note := "steps is " + file.Values["steps"] + " instead of 5000: the budget of 2s"
	if !strings.Contains(strings.Join(s.Notes, "\n"), note) {
		t.Errorf("no note %q in %q", note, s.Notes)
	}
	checkSame(t, s, wait(t, w.start(t, fakeConfig("steps="+file.Values["steps"])), rundir.StopSteps))

	// If all steps fit, or a step converges, nothing is adapted.
	for _, set := range []string{"steps=600", "steps=90"} {
		s := wait(t, w.start(t, fakeConfig(set, "budget=1m")), rundir.StopSteps)
		if file := readConfig(t, s); file.Adapted != nil || file.Budget == nil {
			t.Errorf("%s: adapted %v", set, file.Adapted)
		}
	}
	w.convergesAt = 3
	if s := wait(t, w.start(t, fakeConfig("steps=5000", "budget=1s")), rundir.StopConverged); s.Step != 3 {
		t.Errorf("converged at step %d", s.Step)
	}
}

// A run with a budget can be interrupted at any time and has the same results bit for bit after resuming,
// even if its steps have become slower, because they are timed only once.
func TestResumedBudget(t *testing.T) {
	w := newWorld(t)
	c := fakeConfig("steps=5000", "budget=1s", "checkpoint_every=100")
	want := wait(t, w.start(t, c), rundir.StopSteps)
	for _, at := range []int{1, 57, 400, want.Step - 1} {
		w.stepCost = time.Millisecond
		timed := 0
		var r *Run
		begun := make(chan struct{})
		w.onStep = func(step int) error {
			if step == 1 {
				timed++
			}
			if step == at && timed == 2 { // The first model is used for timing.
				<-begun
				r.Stop()
			}
			return nil
		}
		r = w.start(t, c)
		close(begun)
		part := wait(t, r, rundir.StopAsked)
		if part.Step > at {
			t.Fatalf("stopped at step %d, want %d", part.Step, at)
		}
		w.onStep = nil
		w.stepCost = 7 * time.Millisecond
		rest, err := Resume(context.Background(), part.ID, withEnvironment(w.environment()))
		if err != nil {
			t.Fatal(err)
		}
		checkSame(t, wait(t, rest, rundir.StopSteps), want)
	}
}

// Without a model, no steps can be timed.
func TestBudgetWithoutModel(t *testing.T) {
	w := newWorld(t)
	unusable["no model"].spoil(w)
	s := wait(t, w.start(t, fakeConfig("steps=5000", "budget=1s")), rundir.StopFailed)
	if !strings.Contains(s.Err.Error(), "too small") {
		t.Errorf("error %v", s.Err)
	}
}

// A run that is stopped while its steps are timed has no results. Its steps are timed again when it is
// resumed.
func TestBudgetInterrupted(t *testing.T) {
	w := newWorld(t)
	w.endlessAt, w.inEndless = 5, make(chan struct{})
	r := w.start(t, fakeConfig("steps=5000", "budget=1s"))
	<-w.inEndless
	r.Stop()
	s := wait(t, r, rundir.StopAsked)
	if s.Step != 0 || s.Test != nil || readConfig(t, s).Budget != nil {
		t.Errorf("stopped at step %d with scores %v", s.Step, s.Test)
	}
	w.endlessAt = 0
	rest, err := Resume(context.Background(), s.ID, withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	s = wait(t, rest, rundir.StopSteps)
	if file := readConfig(t, s); file.Budget == nil || s.Step != file.Budget.Steps {
		t.Errorf("%d steps, recorded %+v", s.Step, file.Budget)
	}
}

// The stairs of the learning rate shrink with the number of steps. A fork of a run with a budget repeats it
// without timing.
func TestBudgetOfARealFamily(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	spec, err := models.Lookup("svgp")
	if err != nil {
		t.Fatal(err)
	}
	c := realConfig(spec)
	delete(c.Set, "decay_steps")
	c.Set["steps"], c.Set["budget"], c.Set["metrics_every"] = "100000000", "1s", "1000"
	c.Set["validation"], c.Set["validation_every"], c.Set["early_stopping"] = "0.1", "500", "off"
	c.Set["checkpoint_every"] = "0"
	r, err := Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	s := wait(t, r, rundir.StopSteps)
	file := readConfig(t, s)
	if file.Chosen("decay_steps") != "1000" || file.Values.Int("decay_steps") >= 1000 {
		t.Errorf("%s steps per stair", file.Values["decay_steps"])
	}
	info, err := rundir.Find(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	fork, err := config.Fork(info, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Start(context.Background(), fork)
	if err != nil {
		t.Fatal(err)
	}
	repeated := wait(t, again, rundir.StopSteps)
	checkSame(t, repeated, s)
	if file := readConfig(t, repeated); file.Budget != nil || file.Adapted != nil {
		t.Errorf("the fork is adapted: %+v", file.Adapted)
	}
}

// inducing returns an environment whose family has a number of inducing points, with the given size.
func (w *fakeWorld) inducing(size func(v models.Values, n, d, p int) (models.Size, error)) environment {
	env := w.environment()
	plain := env.Family
	env.Family = func(name string) (models.Spec, error) {
		spec, err := plain(name)
		spec.Hyperparameters = append(slices.Clip(spec.Hyperparameters), models.Hyperparameter{
			Name: "inducing", Kind: family.Int, Default: "64", Min: 1, Max: 1000, AtMostHalf: true,
		})
		spec.Size = size
		return spec, err
	}
	return env
}

// If a budget allows few steps, the default number of inducing points is lowered. A number set by the user is
// kept.
func TestBudgetOfSlowSteps(t *testing.T) {
	w := newWorld(t)
	w.stepCost = 100 * time.Millisecond
	env := w.inducing(func(v models.Values, n, d, p int) (models.Size, error) {
		return models.Size{Parameters: d, StepFLOPs: float64(n * v.Int("inducing"))}, nil
	})
	for _, set := range [][]string{{"budget=5s"}, {"budget=5s", "inducing=64"}} {
		r, err := Start(context.Background(), fakeConfig(append(set, "steps=500")...), withEnvironment(env))
		if err != nil {
			t.Fatal(err)
		}
		s := wait(t, r, rundir.StopSteps)
		file := readConfig(t, s)
		got := file.Values.Int("inducing")
		chosen := len(set) == 2
		if (got < 64) == chosen || file.Chosen("inducing") != "64" {
			t.Errorf("%v: inducing is %d; %v", set, got, file.Adapted)
		}
		if s.Parameters == 0 || s.Step != file.Budget.Steps {
			t.Errorf("%v: %d parameters, %d steps of %+v", set, s.Parameters, s.Step, file.Budget)
		}
	}
}

// The preview of a long run names the setting to lower and its new value.
func TestRemedy(t *testing.T) {
	p := Preview{Steps: 1000, Cheaper: []config.Cheaper{
		{Name: "inducing", Value: "64", Ratio: 0.2}, {Name: "inducing", Value: "32", Ratio: 0.04},
		{Name: "batch", Value: "256", Ratio: 0.5}, {Name: "batch", Value: "128", Ratio: 0.25},
	}}
	for _, c := range []struct {
		perStep float64
		want    string
	}{
		{0.9, "batch=256"}, {2, "inducing=64"}, {5, "inducing=32"}, {500, "inducing=32"},
	} {
		if c.perStep == 0.9 {
			p.Cheaper[0].Ratio = 0.8
		} else {
			p.Cheaper[0].Ratio = 0.2
		}
		best, seconds := p.Remedy(c.perStep)
		if got := best.Name + "=" + best.Value; got != c.want || Long(seconds) != (c.perStep == 500) {
			t.Errorf("%v s per step: %s takes %v s, want %s", c.perStep, got, seconds, c.want)
		}
	}
	p.Cheaper = nil
	if best, _ := p.Remedy(5); best != nil {
		t.Errorf("without cheaper values: %+v", best)
	}
}

// A run with a budget fails with the error of any size of its model, because inducing points are adapted to
// the sizes.
func TestBudgetWithoutSize(t *testing.T) {
	w := newWorld(t)
	w.stepCost = 100 * time.Millisecond
	calls, failed := 0, 0
	env := w.inducing(func(v models.Values, n, d, p int) (models.Size, error) {
		calls++
		if calls == failed {
			return models.Size{}, fmt.Errorf("size %d is unknown", calls)
		}
		return models.Size{Parameters: d, StepFLOPs: float64(n * v.Int("inducing"))}, nil
	})
	for calls == failed {
		failed++
		calls = 0
		r, err := Start(context.Background(), fakeConfig("steps=500", "budget=5s"), withEnvironment(env))
		if err != nil {
			t.Fatal(err)
		}
		s := r.Wait()
		want := fmt.Sprintf("family fake: size %d is unknown", failed)
		if calls == failed && (s.Err == nil || s.Err.Error() != want) {
			t.Errorf("error %v, want %s", s.Err, want)
		}
	}
	if failed < 6 {
		t.Errorf("the size was needed only %d times", failed-1)
	}
}
