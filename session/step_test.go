package session

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/view"
	"dgplab/session/rundir"
)

// hangingModel is a fake model with an operation that ignores its context. The operation closes stuck when
// it starts, corrupts the state if it is a step, and returns at the end of the test.
type hangingModel struct {
	*fakeModel
	in          string
	at          int // step
	stuck, free chan struct{}
}

// hang blocks until the end of the test.
func (d *hangingModel) hang(in string) {
	if d.in != in || d.StepsDone() != d.at {
		return
	}
	close(d.stuck)
	<-d.free
}

func (d *hangingModel) Step(ctx context.Context) (models.Report, error) {
	if d.in == "step" && d.StepsDone() == d.at {
		d.weight[0], d.step[0] = math.NaN(), 1e9
		close(d.stuck)
		<-d.free
	}
	return d.fakeModel.Step(ctx)
}

func (d *hangingModel) Views(seed uint64) (view.Views, error) {
	d.hang("look")
	return d.fakeModel.Views(seed)
}

func (d *hangingModel) EvaluateObjective(context.Context, uint64) (float64, bool, error) {
	d.hang("objective")
	return 0, true, nil
}

// A run ends soon with a checkpoint at its last step, even if its model ignores cancellation. When resumed,
// it has the same results as an uninterrupted run.
func TestHangingModelsAreAbandoned(t *testing.T) {
	for _, c := range []struct {
		in   string
		step int // step of the checkpoint, or -1 without one
	}{
		{"load", -1}, {"prepare", -1}, {"build", -1}, {"step", 0}, {"step", 30}, {"predict", 40},
		{"look", 60}, {"objective", 60},
	} {
		t.Run(c.in, func(t *testing.T) {
			w := newWorld(t)
			w.stepCost = time.Second // makes each step abandonable
			whole := wait(t, w.start(t, fakeConfig("validation_every=20")), rundir.StopSteps)

			stuck := make(chan struct{})
			free := make(chan struct{})
			t.Cleanup(func() { close(free) })
			hang := func(in string) {
				if c.in == in {
					close(stuck)
					<-free
				}
			}
			env := w.environment()
			family, load, prepare := env.Family, env.load, env.prepare
			env.load = func(ctx context.Context, s datasets.Source) (*datasets.Dataset, error) {
				hang("load")
				return load(ctx, s)
			}
			env.prepare = func(ds *datasets.Dataset, d division) (*datasets.Prepared, string, error) {
				hang("prepare")
				return prepare(ds, d)
			}
			env.Family = func(name string) (models.Spec, error) {
				spec, err := family(name)
				build := spec.New
				spec.New = func(v models.Values, d models.Data, seed uint64) (models.Model, error) {
					hang("build")
					m, err := build(v, d, seed)
					return &hangingModel{m.(*fakeModel), c.in, c.step, stuck, free}, err
				}
				return spec, err
			}
			begin := w.clock.Load()
			if c.in == "predict" {
				w.onPredict = func(int) {
					if w.clock.Load()-begin >= int64(c.step)*int64(w.stepCost) {
						w.onPredict = nil
						hang("predict")
					}
				}
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			r, err := Start(ctx, fakeConfig("validation_every=20"), withEnvironment(env))
			if err != nil {
				t.Fatal(err)
			}
			<-stuck
			cancel()
			s := wait(t, r, rundir.StopAsked)
			if s.CheckpointStep != c.step {
				t.Fatalf("the checkpoint is at step %d, want %d", s.CheckpointStep, c.step)
			}
			w.onPredict = nil
			rest, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment()))
			if err != nil {
				t.Fatal(err)
			}
			got := wait(t, rest, rundir.StopSteps)
			if lines(t, got.Dir) != lines(t, whole.Dir) || got.Test.LogLik != whole.Test.LogLik {
				t.Errorf("resumed run: test scores %v, want %v", got.Test, whole.Test)
			}
		})
	}
}

// A run that is stopped while its data are split does not build a model.
func TestStopBeforeBuild(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	env := w.environment()
	prepare := env.prepare
	env.prepare = func(ds *datasets.Dataset, d division) (*datasets.Prepared, string, error) {
		cancel()
		return prepare(ds, d)
	}
	r, err := Start(ctx, fakeConfig(), withEnvironment(env))
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, r, rundir.StopAsked); w.built != 0 || s.Step != 0 {
		t.Errorf("%d models were built, stopped at step %d", w.built, s.Step)
	}
}

// A panic in abandonable work is reported with its own stack.
func TestPanicInAbandonableWork(t *testing.T) {
	w := newWorld(t)
	w.onStep = func(int) error { panic("out of order") }
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := Start(ctx, fakeConfig(), withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	s := wait(t, r, rundir.StopFailed)
	if !strings.Contains(s.Err.Error(), "panicked at step 0: out of order") {
		t.Errorf("%v", s.Err)
	}
	text, err := os.ReadFile(filepath.Join(r.Dir(), rundir.CrashFile))
	if err != nil || !strings.Contains(string(text), "(*fakeModel).Step") {
		t.Errorf("%v, %s", err, text)
	}
}

// No operation of a family except a step changes the state, because checkpoints are written
// concurrently.
func TestOnlyStepsChangeState(t *testing.T) {
	for _, spec := range sampledFamilies() {
		t.Run(spec.Name, func(t *testing.T) {
			t.Setenv("DGPLAB_RUNS", t.TempDir())
			c := realConfig(spec)
			env := realEnvironment()
			r, err := env.ResolveNew(c)
			if err != nil {
				t.Fatal(err)
			}
			tr := &trainer{
				options:  options{env: env},
				Resolved: r,
				store:    store{config: &rundir.ConfigFile{Config: r.Config}},
			}
			tr.history = newHistory(spec.Objective, 0)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			ds, err := tr.rebuild(ctx)
			if err != nil {
				t.Fatal(err)
			}
			tr.store.config.Data = describe(ds, tr.probe.Data)
			defer tr.leave()
			for range 2 {
				if _, err := tr.probe.Model.Step(ctx); err != nil {
					t.Fatal(err)
				}
				tr.progress.Step++
			}
			before := copyState(nil, tr.probe.Model.State())
			now := tr.probe.Model.State()
			done := make(chan struct{})
			go func() {
				defer close(done)
				tr.diagnose(ctx, true)
				if err := tr.score(ctx); err != nil {
					t.Error(err)
				}
				if err := tr.evaluateOrWarn(ctx); err != nil {
					t.Error(err)
				}
			}()
			for ended := false; !ended; {
				select {
				case <-done:
					ended = true
				default:
				}
				for i, a := range now {
					if !slices.Equal(a.Data, before[i].Data) {
						t.Fatalf("%s was written", a.Name)
					}
				}
			}
		})
	}
}
