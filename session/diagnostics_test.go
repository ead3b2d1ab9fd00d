package session

import (
	"context"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/session/config"
	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// flat replaces the data of a world by data with two inputs of different scales.
func (w *fakeWorld) flat(kind task.Task) environment {
	env := w.environment()
	prepare := env.prepare
	env.prepare = func(ds *datasets.Dataset, d division) (*datasets.Prepared, string, error) {
		p, name, err := prepare(ds, d)
		for _, part := range []*datasets.Part{&p.Train, &p.Validation, &p.Test} {
			if part.X != nil {
				part.X = mat.DenseCopyOf(part.X.Slice(0, part.Len(), 0, 2))
			}
		}
		p.Task = kind
		p.Scaling.InputMean, p.Scaling.InputSD = []float64{10, 0}, []float64{2, 1}
		p.Scaling.TargetMean = []float64{5}
		return p, name, err
	}
	return env
}

// Predictions are computed at the start and at the end, and the last ones are stored in the run directory.
func TestPredictionsAreStored(t *testing.T) {
	w := newWorld(t)
	r, err := Start(t.Context(), fakeConfig(), withEnvironment(w.flat(task.Regression)))
	if err != nil {
		t.Fatal(err)
	}
	s := wait(t, r, rundir.StopSteps)
	plane, fit := s.Diagnostics.Plane, s.Diagnostics.Fit
	if plane == nil || fit == nil {
		t.Fatalf("warnings %q", s.Warnings)
	}
	if plane.Step != s.KeptStep || plane.Total != s.Data.N {
		t.Errorf("plane at step %d with %d points", plane.Step, plane.Total)
	}
	if fit.Step != s.KeptStep || fit.Held.Name != "test points" || fit.Train.Total != s.Data.N ||
		fit.Held.Size() != 40 {
		t.Errorf("fit at step %d with %d points and %d %s",
			fit.Step, fit.Train.Total, fit.Held.Size(), fit.Held.Name)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-5*math.Abs(b) }
	stored, err := rundir.Info{Dir: s.Dir}.Diagnostics()
	if err != nil || stored.Fit == nil || stored.Plane == nil ||
		!near(stored.Fit.Lines[1].Slices[0][0].Quantiles[3][7], fit.Lines[1].Slices[0][0].Quantiles[3][7]) ||
		!near(stored.Plane.Fields[0].Values[7], plane.Fields[0].Values[7]) {
		t.Errorf("stored: %v", err)
	}
}

// onPlane returns a trainer whose model has two inputs and views.
func onPlane(w *fakeWorld) *trainer {
	tr := &trainer{
		options:  options{env: w.environment()},
		Resolved: &config.Resolved{},
		history:  newHistory(fakeSpec.Objective, 0),
	}
	x := mat.NewDense(3, 2, []float64{0, 1, 2, 3, 4, 5})
	tr.probe = probe.New(context.Background(), new(datasets.Dataset), &datasets.Prepared{
		Train: datasets.Part{X: x, Y: mat.NewDense(3, 1, nil), Targets: mat.NewDense(3, 1, nil)},
		Scaling: datasets.Scaling{
			InputMean:  []float64{0, 0},
			InputSD:    []float64{1, 1},
			TargetMean: []float64{0},
			TargetSD:   []float64{1},
		},
	}, 0)
	tr.probe.Model = &fakeModel{world: w, step: []float64{0}, weight: []float64{1, 2}, noise: []float64{1}}
	return tr
}

// Pauses between expensive predictions are longer than between other views.
func TestPredictionPauses(t *testing.T) {
	w := newWorld(t)
	tr := onPlane(w)
	// Time passes between two readings of the clock.
	now := tr.env.now
	tr.env.now = func() time.Time { w.pass(time.Microsecond); return now() }
	calls := 0
	w.onPredict = func(int) { calls++; w.pass(100 * time.Millisecond) }
	tr.diagnose(t.Context(), true)
	cost := 0.1 * float64(calls)
	tr.diagnosis = diagnosis{looks: earlyDiagnostics, predicted: earlyDiagnostics}
	look := func(step int, seconds float64, all bool) int {
		tr.progress.Step, tr.progress.Seconds = step, seconds
		tr.diagnose(t.Context(), all)
		if plane, fit := tr.diagnosis.latest.Plane.Step, tr.diagnosis.latest.Fit.Step; plane != fit {
			t.Errorf("the plane is from step %d, the fit from step %d", plane, fit)
		}
		return tr.diagnosis.latest.Plane.Step
	}
	for _, c := range []struct {
		step    int
		seconds float64
		all     bool
		want    int
	}{{10, 0, false, 10}, {20, diagnosePause, false, 10}, {30, 99 * cost, false, 10},
		{40, 99 * cost, true, 40}, {50, 150 * cost, false, 40}, {60, 200 * cost, false, 60}} {
		if got := look(c.step, c.seconds, c.all); got != c.want {
			t.Errorf("at step %d the plane is from step %d, want %d", c.step, got, c.want)
		}
		if got := tr.diagnosis.next - c.seconds; got != diagnosePause {
			t.Errorf("at step %d the other views wait for %g s", c.step, got)
		}
	}
}

// The pauses between the first predictions are shorter: each is half as long as the next.
func TestFirstPredictionsComeSooner(t *testing.T) {
	w := newWorld(t)
	tr := onPlane(w)
	w.onPredict = func(int) { w.pass(time.Second) }
	var at []float64
	last := -1
	for step := range 6000 {
		tr.progress.Step, tr.progress.Seconds = step, float64(step)
		if !tr.diagnosis.due(float64(step)) {
			continue
		}
		tr.diagnose(t.Context(), false)
		if tr.diagnosis.latest.Fit.Step != last {
			last = tr.diagnosis.latest.Fit.Step
			at = append(at, float64(last))
		}
	}
	if len(at) < 7 {
		t.Fatalf("predictions at %v", at)
	}
	whole := at[6] - at[5]
	for k, share := range []float64{1. / 16, 1. / 8, 1. / 4, 1. / 2, 1} {
		if got := at[k+1] - at[k]; math.Abs(got-share*whole) > diagnosePause {
			t.Errorf("predictions at %v: pause %d is %v, want %v", at, k+1, got, share*whole)
		}
	}
}

// If the context ends during predictions over the plane, the previous plane is kept without a warning.
func TestPlaneIsCancelled(t *testing.T) {
	w := newWorld(t)
	tr := onPlane(w)
	tr.diagnose(t.Context(), true)
	whole := tr.diagnosis.latest.Plane
	ctx, cancel := context.WithCancel(t.Context())
	chunks := 0
	w.onPredict = func(int) { chunks++; cancel() }
	tr.progress.Step = 10
	tr.diagnose(ctx, true)
	if d := tr.diagnosis.latest; d.Step != 10 || d.Plane != whole || chunks != 1 ||
		len(tr.warnings.view()) > 0 {
		t.Errorf("after %d chunks the plane is %p from step %d, want %p from step 10; warnings %q",
			chunks, d.Plane, d.Step, whole, tr.warnings.view())
	}
}
