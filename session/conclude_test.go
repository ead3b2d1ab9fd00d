package session

import (
	"context"
	"errors"
	"slices"
	"testing"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// A run cancelled during its evaluation has not ended. After resuming, it has the scores of an uninterrupted
// run bit for bit.
func TestCancelledEvaluationIsRepeated(t *testing.T) {
	w := newWorld(t)
	c := fakeConfig("test_samples=512") // 8 test points per chunk: 5 calls of Predict.
	whole := wait(t, w.start(t, c), rundir.StopSteps)
	want := outcomeOf(t, whole.Dir, rundir.StopSteps)

	interrupted := 0
	for at := 1; ; at++ {
		ctx, cancel := context.WithCancel(context.Background())
		var run *Run
		calls := 0
		started := make(chan struct{})
		w.onStep = func(int) error {
			<-started
			return nil
		}
		w.onPredict = func(int) {
			if run.Latest().State != rundir.Finishing {
				return
			}
			calls++
			if calls == at {
				cancel()
			}
		}
		run, err := Start(ctx, c, withEnvironment(w.environment()), WithoutLiveDiagnostics())
		if err != nil {
			t.Fatal(err)
		}
		close(started)
		s := run.Wait()
		cancel()
		w.onStep = nil
		w.onPredict = nil
		if s.Stop == rundir.StopSteps {
			break // This was the last call.
		}
		interrupted++
		info, err := rundir.Find(run.ID())
		if s.Stop != rundir.StopAsked || s.Err != nil || s.Step != whole.Step ||
			err != nil || !info.Resumable {
			t.Fatalf("cancelled at call %d: stop %s at step %d, %v; resumable %v, %v",
				at, s.Stop, s.Step, s.Err, info.Resumable, err)
		}
		again, err := Resume(context.Background(), run.ID(), withEnvironment(w.environment()))
		if err != nil {
			t.Fatalf("cancelled at call %d: %v", at, err)
		}
		end := wait(t, again, rundir.StopSteps)
		if text := outcomeOf(t, end.Dir, rundir.StopSteps).differs(want); text != "" {
			t.Errorf("cancelled at call %d: %s", at, text)
		}
	}
	if interrupted < 5 {
		t.Errorf("cancelled at only %d calls", interrupted)
	}
}

// leftOutModel is a model whose leave-one-out predictions fail.
type leftOutModel struct {
	models.Model
	fail func() error
}

func (m leftOutModel) LeaveOneOut(context.Context, []int, uint64) (*family.LeftOut, error) {
	return nil, m.fail()
}

// A run cancelled during its leave-one-out predictions has not ended; other errors of them are warnings.
func TestFailedLeaveOneOut(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(context.Background())
	fail := func() error { cancel(); return ctx.Err() }
	env := w.environment()
	plain := env.Family
	env.Family = func(name string) (models.Spec, error) {
		spec, err := plain(name)
		build := spec.New
		spec.New = func(v models.Values, d models.Data, seed uint64) (models.Model, error) {
			m, err := build(v, d, seed)
			return leftOutModel{m, func() error { return fail() }}, err
		}
		return spec, err
	}
	run, err := Start(ctx, fakeConfig(), withEnvironment(env))
	if err != nil {
		t.Fatal(err)
	}
	wait(t, run, rundir.StopAsked)
	fail = func() error { return errors.New("singular") }
	again, err := Resume(context.Background(), run.ID(), withEnvironment(env))
	if err != nil {
		t.Fatal(err)
	}
	s := wait(t, again, rundir.StopSteps)
	if want := "could not compute leave-one-out predictions: singular"; !slices.Contains(s.Warnings, want) {
		t.Errorf("warnings %q, want %s", s.Warnings, want)
	}
}

// A run cancelled during the evaluation of its objective over all points is also resumed exactly.
func TestCancelledObjectiveIsRepeated(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(context.Background())
	passes := 0
	env := w.environment()
	plain := env.Family
	env.Family = func(name string) (models.Spec, error) {
		spec, err := plain(name)
		build := spec.New
		spec.New = func(v models.Values, d models.Data, seed uint64) (models.Model, error) {
			m, err := build(v, d, seed)
			value := func(seed uint64) (float64, bool, error) {
				passes++
				if passes == 3 {
					cancel()
					return 0, true, ctx.Err()
				}
				return float64(seed % 100), true, nil
			}
			return estimated{m, value}, err
		}
		return spec, err
	}
	run, err := Start(ctx, fakeConfig(), withEnvironment(env))
	if err != nil {
		t.Fatal(err)
	}
	s := wait(t, run, rundir.StopAsked)
	if s.Evaluation != nil {
		t.Errorf("evaluated over all points: %+v", s.Evaluation)
	}
	again, err := Resume(context.Background(), run.ID(), withEnvironment(env))
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, again, rundir.StopSteps); s.Evaluation == nil || s.Evaluation.Passes != 20 {
		t.Errorf("evaluation %+v", s.Evaluation)
	}
}
