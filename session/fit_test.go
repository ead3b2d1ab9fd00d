package session

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models/predictive"
	"dgplab/models/view"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// near reports whether two numbers agree within the six digits of a file.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12+1e-5*math.Abs(b) }

// Every number of a fit equals the prediction at the same point, made in the same chunks.
func TestFitEqualsPredictions(t *testing.T) {
	w := newWorld(t)
	w.components = 3
	tr := onPlane(w)
	tr.columns = columnNames{
		inputs:      []string{"across", "up"},
		targets:     []string{"height"},
		inputUnits:  []string{"", "days since 1970"},
		targetUnits: []string{"m"},
	}
	tr.prepared.Scaling = datasets.Scaling{
		InputMean:  []float64{10, 0},
		InputSD:    []float64{2, 1},
		TargetMean: []float64{5},
		TargetSD:   []float64{3},
	}
	f, err := tr.fit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	if len(f.Inputs) != 2 || len(f.Lines) != 2 || f.Lines[0].Name != "across" || f.Targets[0] != "height" ||
		!slices.Equal(f.Levels, fitLevels) || f.Samples != 3 {
		t.Errorf("inputs %q, lines %d, targets %q, levels %v, samples %d",
			f.Inputs, len(f.Lines), f.Targets, f.Levels, f.Samples)
	}
	if f.Lines[0].Unit != "" || f.Lines[1].Unit != "days since 1970" ||
		!slices.Equal(f.Units, []string{"m"}) {
		t.Errorf("units %q and %q of the inputs, %q of the target", f.Lines[0].Unit, f.Lines[1].Unit, f.Units)
	}
	along := tr.plan.along.inputs(0, tr.plan.along.n)
	all := predictAll(t, tr, along, fitSamples)
	at := 0
	compare := func(what string, got view.Fitted) {
		t.Helper()
		for k := range got.Mean {
			if want := 5 + 3*all.mean[at]; !near(got.Mean[k], want) {
				t.Fatalf("%s: mean %g, want %g", what, got.Mean[k], want)
			}
			for q := range view.FitLevels {
				if want := 5 + 3*all.quantiles[q][at]; !near(got.Quantiles[q][k], want) {
					t.Fatalf("%s: quantile %g is %g, want %g",
						what, view.FitLevels[q], got.Quantiles[q][k], want)
				}
			}
			at++
		}
	}
	for _, l := range f.Lines {
		for _, slice := range l.Slices {
			compare("along "+l.Name, slice[0])
		}
	}
	compare("held back", f.Predicted[0])
	// The other input has the values 1, 3 and 5 and is held at its quantiles over the training
	// points.
	for q, want := range []float64{1.4, 3, 4.6} {
		if got := along.At(q*len(f.Lines[0].Grid), 1); math.Abs(got-want) > 1e-12 ||
			!near(f.At[q][1], want) || !near(f.At[q][0], 10+2*(want-1)) {
			t.Errorf("at level %g the other input is %g, At is %v", fitLevels[q], got, f.At[q])
		}
	}
}

// predictions holds the standardised mean and quantiles of points.
type predictions struct {
	mean      []float64
	quantiles [len(view.FitLevels)][]float64
}

func predictAll(t *testing.T, tr *trainer, x *mat.Dense, samples int) (out predictions) {
	t.Helper()
	size := chunkDraws / samples
	for first, chunk := 0, 0; first < rowsOf(x); first, chunk = first+size, chunk+1 {
		p, err := tr.model.Predict(copyRows(x, nil, first, min(first+size, rowsOf(x))), samples,
			derive(tr.Seed, purposeFit, chunk))
		if err != nil {
			t.Fatal(err)
		}
		n, _ := p.Dims()
		mean := make([]float64, n)
		room := make([]float64, n)
		p.(predictive.Regression).Moments(mean, room)
		out.mean = append(out.mean, mean...)
		for q, level := range view.FitLevels {
			p.(predictive.Regression).Quantile(room, level)
			out.quantiles[q] = append(out.quantiles[q], room...)
		}
	}
	return out
}

// The partial dependence of a linear model is its line, and the rows lie around it.
func TestPartialDependence(t *testing.T) {
	w := newWorld(t)
	tr := onPlane(w)
	f, err := tr.fit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l := f.Lines[0]
	// The other input has weight 2 and mean 3; its values are 1, 3 and 5.
	for k, x := range l.Coarse {
		if want := x + 6; math.Abs(l.Dependence[0].Mean[k]-want) > 0.02 {
			t.Errorf("at %g it is %g, want about %g", x, l.Dependence[0].Mean[k], want)
		}
		if d := l.Dependence[0]; math.Abs(d.Lo[k]-(x+2.4)) > 0.5 || math.Abs(d.Hi[k]-(x+9.6)) > 0.5 {
			t.Errorf("at %g the rows lie between %g and %g", x, d.Lo[k], d.Hi[k])
		}
	}
	if f.Rows != 3 || l.Coarse[0] != 0 || l.Coarse[len(l.Coarse)-1] != 4 {
		t.Errorf("%d rows from %g to %g", f.Rows, l.Coarse[0], l.Coarse[len(l.Coarse)-1])
	}
}

// drawing is a model that supports function draws or fails to draw.
type drawing struct {
	*fakeModel
	err error
}

func (d drawing) DrawFunctions(*mat.Dense, int, uint64) ([][][]float64, error) { return nil, d.err }

// A fit with an error in any part is not returned.
func TestFitsFailAsAWhole(t *testing.T) {
	no := errors.New("no")
	for want, samples := range map[string]int{
		"predict along the inputs: ": fitSamples, "compute the partial dependence: ": rowSamples,
	} {
		w := newWorld(t)
		w.components = 100
		tr := onPlane(w)
		w.onPredict = func(of int) {
			w.predictErr = nil
			if of == samples {
				w.predictErr = no
			}
		}
		if f, err := tr.fit(t.Context()); f != nil || !errors.Is(err, no) ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v, %v, want %q", f, err, want)
		}
	}
	tr := onPlane(newWorld(t))
	tr.model = drawing{tr.model.(*fakeModel), no}
	if f, err := tr.fit(t.Context()); f != nil || !errors.Is(err, no) ||
		!strings.HasPrefix(err.Error(), "draw functions along the inputs: ") {
		t.Errorf("%+v, %v", f, err)
	}
}

// Fits are made at the start and at the end, and the last one is stored in the run directory.
func TestFitIsKept(t *testing.T) {
	w := newWorld(t)
	s := wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
	f := s.Diagnostics.Fit
	if f == nil || f.Step != s.Step || f.Held.Name != "test points" ||
		f.Train.Total != s.Data.N || f.Held.Size() != 40 {
		t.Fatalf("%+v, warnings %q", f, s.Warnings)
	}
	stored, err := rundir.Info{Dir: s.Dir}.Diagnostics()
	if err != nil || stored.Fit == nil ||
		!near(stored.Fit.Lines[2].Slices[0][0].Quantiles[3][7], f.Lines[2].Slices[0][0].Quantiles[3][7]) {
		t.Errorf("stored: %v", err)
	}
}

func TestFitOfClasses(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 1, 2, 3})
	tr := &trainer{Resolved: &config.Resolved{}}
	tr.prepared = &datasets.Prepared{
		Task:    task.Multiclass,
		Classes: []string{"a", "b", "c"},
		Train:   datasets.Part{X: x, Y: mat.NewDense(4, 1, []float64{0, 2, 1, 2})},
	}
	tr.prepared.Scaling = datasets.Scaling{InputMean: []float64{0}, InputSD: []float64{1}}
	tr.columns = columnNames{targets: []string{"kind"}, targetUnits: []string{"0 no, 1 yes"}}
	plan := tr.newFitPlan()
	f := plan.outline
	if !f.Classes || len(f.Targets) != 3 || f.Targets[2] != "P(kind=c)" ||
		!slices.Equal(f.Train.Y[2], []float64{0, 1, 0, 1}) || len(f.Levels) != 1 || f.Units != nil {
		t.Errorf("%+v", f)
	}
	if f.Held.Name != "training points" || plan.rows.n != 0 || len(f.Lines[0].Grid) != fitOnly {
		t.Errorf("held %q, grid %d", f.Held.Name, len(f.Lines[0].Grid))
	}
	tr.plan = plan
	p := tr.newFitting(2)
	p.add(classes{}, true)
	if got := p.cut(1, 2); got[0].Mean[0] != 0.5 || got[2].Mean[0] != 0.25 || got[1].Quantiles != nil {
		t.Errorf("%+v", got)
	}
	tr.prepared.Task, tr.prepared.Classes = task.Binary, []string{"no", "yes"}
	if names := tr.fitTargets(); len(names) != 1 || names[0] != "P(kind=yes)" {
		t.Errorf("of two classes %q", names)
	}
}

// classes is a prediction of three classes at two points.
type classes struct{ predictive.Classification }

func (classes) Dims() (n, p int)            { return 2, 1 }
func (classes) Classes() int                { return 3 }
func (classes) Probabilities(dst []float64) { copy(dst, []float64{1, 0, 0, 0.5, 0.25, 0.25}) }

// With many inputs, a fit shows the inputs correlated with the target, of either sign.
func TestInformativeInputs(t *testing.T) {
	const n, d = 50, 20
	x := mat.NewDense(n, d, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, math.Sin(float64(i*(2*j+3))))
		}
		y.Set(i, 0, x.At(i, 19)-x.At(i, 4))
	}
	got := informativeInputs(&datasets.Prepared{Train: datasets.Part{X: x, Y: y}}, 2)
	if !slices.Equal(got, []int{4, 19}) {
		t.Errorf("inputs %v", got)
	}
	if got := informativeInputs(&datasets.Prepared{Train: datasets.Part{X: x, Y: y}}, d); len(got) != d ||
		got[7] != 7 {
		t.Errorf("all inputs are %v", got)
	}
}
