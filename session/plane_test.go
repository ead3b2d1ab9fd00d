package session

import (
	"context"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models/predictive"
	"dgplab/models/view"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// flat changes the data of a world to two inputs with their own scale.
func (w *fakeWorld) flat(kind task.Task) environment {
	env := w.environment()
	prepare := env.prepare
	env.prepare = func(ds *datasets.Dataset, split string, validation float64,
		seed uint64) (*datasets.Prepared, string, error) {
		p, name, err := prepare(ds, split, validation, seed)
		for _, part := range []*datasets.Part{&p.Train, &p.Validation, &p.Test} {
			if part.X != nil {
				part.X = mat.DenseCopyOf(part.X.Slice(0, rowsOf(part.X), 0, 2))
			}
		}
		p.Task = kind
		p.Scaling.InputMean, p.Scaling.InputSD = []float64{10, 0}, []float64{2, 1}
		p.Scaling.TargetMean = []float64{5}
		return p, name, err
	}
	return env
}

func TestPlaneOfTwoInputs(t *testing.T) {
	w := newWorld(t)
	w.components = planeSamples
	r, err := Start(t.Context(), fakeConfig(), withEnvironment(w.flat(task.Regression)))
	if err != nil {
		t.Fatal(err)
	}
	s := wait(t, r, rundir.StopSteps)
	p := s.Diagnostics.Plane
	if p == nil {
		t.Fatalf("no plane; warnings %q", s.Warnings)
	}
	if err := p.Check(); err != nil {
		t.Error(err)
	}
	if len(p.X) != planeAcross || len(p.Y) != planeUp || p.Samples != planeSamples ||
		p.Inputs != [2]string{"input 1", "input 2"} {
		t.Errorf("%d x %d, %d samples, inputs %q", len(p.X), len(p.Y), p.Samples, p.Inputs)
	}
	if len(p.Points) != 1 || len(p.Points[0].X) != s.Data.N || p.Total != s.Data.N {
		t.Errorf("points %+v", p.Points)
	}
	for _, x := range p.Points[0].X {
		if !(x > p.X[0] && x < p.X[planeAcross-1]) {
			t.Errorf("training input %g is outside the grid from %g to %g", x, p.X[0], p.X[planeAcross-1])
		}
	}
	// The fake model is a plane with these weights, plus noise of 0.01 in each draw.
	hyper := s.Hyper[0].Value[0]
	weight := s.Diagnostics.Units[0].Lengthscales
	for j, y := range p.Y {
		for i, x := range p.X {
			want := 5 + 2*(weight[0]*(x-10)/2+weight[1]*y)
			if got := p.Fields[0].Values[j*planeAcross+i]; math.Abs(got-want) > 0.05 {
				t.Fatalf("mean at %g, %g is %g, want about %g", x, y, got, want)
			}
		}
	}
	if want, got := 2*math.Sqrt(hyper+0.01), p.Fields[1].Values[0]; math.Abs(got-want) > 0.01 {
		t.Errorf("standard deviation %g, want about %g", got, want)
	}
	stored, err := rundir.Info{Dir: s.Dir}.Diagnostics()
	if err != nil || stored.Plane == nil || stored.Plane.Samples != planeSamples {
		t.Errorf("stored: %+v, %v", stored, err)
	}
}

func TestPlaneNeedsTwoInputs(t *testing.T) {
	w := newWorld(t)
	if s := wait(t, w.start(t, fakeConfig()), rundir.StopSteps); s.Diagnostics.Plane != nil {
		t.Error("three inputs have a plane")
	}
}

func TestPlanePointsHaveClasses(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{0, 1, 2, 3, 4, 5})
	tr := &trainer{Resolved: &config.Resolved{}}
	tr.prepared = &datasets.Prepared{
		Task:  task.Binary,
		Train: datasets.Part{X: x, Y: mat.NewDense(3, 1, []float64{1, -1, 1})},
	}
	tr.columns = columnNames{targets: []string{"inside"}}
	groups := tr.planePoints([]int{0, 1})
	if len(groups) != 2 || groups[0].Name != "+1" || len(groups[0].X) != 2 ||
		groups[1].X[0] != 2 || groups[1].Y[0] != 3 {
		t.Errorf("%+v", groups)
	}
	if f := tr.planeFields(rowsOf(x)); len(f) != 1 || f[0].Name != "P(inside=+1)" ||
		!f[0].Probability || len(f[0].Values) != 3 {
		t.Errorf("%+v", f)
	}
}

// onPlane returns a trainer with a model of two inputs and views.
func onPlane(w *fakeWorld) *trainer {
	tr := &trainer{
		options:  options{env: w.environment()},
		Resolved: &config.Resolved{},
		history:  newHistory(fakeSpec.Objective, 0),
	}
	x := mat.NewDense(3, 2, []float64{0, 1, 2, 3, 4, 5})
	tr.prepared = &datasets.Prepared{Train: datasets.Part{X: x, Y: mat.NewDense(3, 1, nil)}}
	tr.prepared.Scaling = datasets.Scaling{
		InputMean:  []float64{0, 0},
		InputSD:    []float64{1, 1},
		TargetMean: []float64{0},
		TargetSD:   []float64{1},
	}
	tr.model = &fakeModel{world: w, step: []float64{0}, weight: []float64{1, 2}, noise: []float64{1}}
	return tr
}

// Expensive predictions have longer pauses than the other views.
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
			t.Errorf("the plane is of step %d, the fit of step %d", plane, fit)
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
			t.Errorf("at step %d the plane is of step %d, want %d", c.step, got, c.want)
		}
		if got := tr.diagnosis.next - c.seconds; got != diagnosePause {
			t.Errorf("at step %d the other views wait for %g s", c.step, got)
		}
	}
}

// The first predictions come sooner, each after half the pause of the next.
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

// When the context ends during predictions over the plane, the previous plane stays and there is no
// warning.
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
		t.Errorf("after %d chunks the plane is %p of step %d, want %p of step 10; warnings %q",
			chunks, d.Plane, d.Step, whole, tr.warnings.view())
	}
}

// explored is a model with a latent function.
type explored struct{ *fakeModel }

func (explored) Functions(X *mat.Dense) ([]view.Function, error) {
	f := view.Function{Name: "f_1"}
	for i := range rowsOf(X) {
		f.Mean = append(f.Mean, X.At(i, 0))
		f.SD = append(f.SD, X.At(i, 1))
	}
	return []view.Function{f}, nil
}

// exactly is a prediction with exact moments.
type exactly struct{ predictive.Predictive }

func (exactly) ExactMoments() bool { return true }

// The plane includes the latent functions of a model after its predictions, in standardised units.
func TestPlaneOfFunctions(t *testing.T) {
	tr := &trainer{}
	tr.model = explored{}
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	fields, err := tr.addFunctions([]view.Field{{Name: "mean of y"}}, rowsIn(x, nil))
	if err != nil || len(fields) != 3 {
		t.Fatalf("%+v, %v", fields, err)
	}
	if m, sd := fields[1], fields[2]; m.Name != "mean of f_1" || !m.Function || m.Values[1] != 3 ||
		sd.Name != "standard deviation of f_1" || sd.Values[0] != 2 || fields[0].Function {
		t.Errorf("%+v", fields)
	}
	tr.prepared = &datasets.Prepared{}
	if n := tr.draws(exactly{}); n != 1 {
		t.Errorf("exact moments of %d draws", n)
	}
	tr.prepared.Scaling.Log = true
	if tr.draws(exactly{}) != planeSamples {
		t.Error("moments of exponentials are reported as exact")
	}
}

// For classes of many inputs the plane shows the two most informative ones.
func TestPlaneOfClasses(t *testing.T) {
	tr := onPlane(newWorld(t))
	x := mat.NewDense(4, 3, []float64{0, 5, 1, 1, 6, 3, 2, 5, 5, 3, 6, 7})
	tr.prepared.Task = task.Binary
	tr.prepared.Train = datasets.Part{X: x, Y: mat.NewDense(4, 1, []float64{-1, -1, 1, 1})}
	if axes, ok := tr.planeAxes(); !ok || axes[0] != 0 || axes[1] != 2 {
		t.Errorf("the plane is of %v", axes)
	}
	if groups := tr.planePoints([]int{0, 2}); len(groups[0].X) != 2 ||
		groups[0].X[0] != 2 || groups[0].Y[0] != 5 {
		t.Errorf("points %v", groups)
	}
	tr.prepared.Task = task.Regression
	if _, ok := tr.planeAxes(); ok {
		t.Error("real targets of three inputs have a plane")
	}
}
