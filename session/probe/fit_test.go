package probe

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
)

// alike reports whether two numbers agree to the six digits of a file.
func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-12+1e-5*math.Abs(b) }

// Every number in a fit equals the prediction of the same point in the same chunk.
func TestFitEqualsPredictions(t *testing.T) {
	p := onPlane(&linear{draws: 3, spread: 0.01})
	p.columns = columnNames{
		inputs:      []string{"across", "up"},
		targets:     []string{"height"},
		inputUnits:  []string{"", "days since 1970"},
		targetUnits: []string{"m"},
	}
	p.Data.Scaling = datasets.Scaling{
		InputMean:  []float64{10, 0},
		InputSD:    []float64{2, 1},
		TargetMean: []float64{5},
		TargetSD:   []float64{3},
	}
	f, err := p.Fit(t.Context(), 7)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	if len(f.Inputs) != 2 || len(f.Lines) != 2 || f.Lines[0].Name != "across" || f.Targets[0] != "height" ||
		!slices.Equal(f.Levels, fitLevels) || f.Samples != 3 || f.Step != 7 {
		t.Errorf("inputs %q, lines %d, targets %q, levels %v, samples %d, step %d",
			f.Inputs, len(f.Lines), f.Targets, f.Levels, f.Samples, f.Step)
	}
	if f.Lines[0].Unit != "" || f.Lines[1].Unit != "days since 1970" ||
		!slices.Equal(f.Units, []string{"m"}) {
		t.Errorf("units %q and %q of the inputs, %q of the target", f.Lines[0].Unit, f.Lines[1].Unit, f.Units)
	}
	along := p.plan.along.inputs(0, p.plan.along.n)
	all := predictAll(t, p, along, fitSamples)
	at := 0
	compare := func(what string, got view.Fitted) {
		t.Helper()
		for k := range got.Mean {
			if want := 5 + 3*all.mean[at]; !alike(got.Mean[k], want) {
				t.Fatalf("%s: mean %g, want %g", what, got.Mean[k], want)
			}
			for q := range view.FitLevels {
				if want := 5 + 3*all.quantiles[q][at]; !alike(got.Quantiles[q][k], want) {
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
			!alike(f.At[q][1], want) || !alike(f.At[q][0], 10+2*(want-1)) {
			t.Errorf("at level %g the other input is %g, At is %v", fitLevels[q], got, f.At[q])
		}
	}
}

// predictions holds the standardised mean and quantiles of points.
type predictions struct {
	mean      []float64
	quantiles [len(view.FitLevels)][]float64
}

func predictAll(t *testing.T, p *Probe, x *mat.Dense, samples int) (out predictions) {
	t.Helper()
	size := chunkDraws / samples
	for first, chunk := 0, 0; first < rowsOf(x); first, chunk = first+size, chunk+1 {
		predicted, err := p.Model.Predict(copyRows(x, nil, first, min(first+size, rowsOf(x))), samples,
			p.derive(fitDraws, chunk))
		if err != nil {
			t.Fatal(err)
		}
		n, _ := predicted.Dims()
		mean := make([]float64, n)
		room := make([]float64, n)
		predicted.(predictive.Regression).Moments(mean, room)
		out.mean = append(out.mean, mean...)
		for q, level := range view.FitLevels {
			predicted.(predictive.Regression).Quantiles(room, []float64{level})
			out.quantiles[q] = append(out.quantiles[q], room...)
		}
	}
	return out
}

// The partial dependence of a linear model is its line, and the rows lie around it.
func TestPartialDependence(t *testing.T) {
	p := onPlane(&linear{spread: 0.01})
	f, err := p.Fit(t.Context(), 7)
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

// drawing is a model that fails to draw functions.
type drawing struct {
	*linear
	err error
}

func (d drawing) DrawFunctions(*mat.Dense, int, uint64) ([][][]float64, error) { return nil, d.err }

// If any part of a fit fails, no fit is returned.
func TestFitsFailAsAWhole(t *testing.T) {
	no := errors.New("no")
	for samples, want := range map[int]string{
		fitSamples: "predict along the inputs: ", densityMostSamples: "predict along the inputs: ",
		rowSamples: "compute the partial dependence: ",
	} {
		m := &linear{draws: 100}
		m.onPredict = func(of int) {
			m.err = nil
			if of == samples {
				m.err = no
			}
		}
		if f, err := onPlane(m).Fit(t.Context(), 1); f != nil || !errors.Is(err, no) ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v, %v, want %q", f, err, want)
		}
	}
	p := onPlane(new(linear))
	p.Model = drawing{p.Model.(*linear), no}
	if f, err := p.Fit(t.Context(), 1); f != nil || !errors.Is(err, no) ||
		!strings.HasPrefix(err.Error(), "draw functions along the inputs: ") {
		t.Errorf("%+v, %v", f, err)
	}
}

// A picture shows held-out points, and the targets of training points, where the data set has them: beside
// 1e20, a number that was standardised does not come back.
func TestFitShowsOriginalValues(t *testing.T) {
	p := line(new(linear), 3, func(int) float64 { return 0 })
	given := mat.NewDense(3, 1, []float64{0.65, 1e20, 3})
	p.Data.Test.Inputs, p.Data.Test.Targets = given, given
	p.Data.Train = p.Data.Test
	p.Data.Scaling.InputMean, p.Data.Scaling.InputSD = []float64{3e19}, []float64{4e19}
	f := p.newFitPlan().outline
	for name, got := range map[string]view.Rounded{
		"held-out inputs": f.Held.X[0], "held-out targets": f.Held.Y[0], "training targets": f.Train.Y[0],
	} {
		slices.Sort(got)
		if !slices.Equal(got, []float64{0.65, 3, 1e20}) {
			t.Errorf("the picture has the %s %v; the data set gave 0.65, 3 and 1e20", name, got)
		}
	}
}

func TestFitOfClasses(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 1, 2, 3})
	p := &Probe{Data: &datasets.Prepared{
		Task:    task.Multiclass,
		Classes: []string{"a", "b", "c"},
		Train:   datasets.Part{X: x, Y: mat.NewDense(4, 1, []float64{0, 2, 1, 2})},
		Scaling: datasets.Scaling{InputMean: []float64{0}, InputSD: []float64{1}},
	}}
	p.columns = columnNames{targets: []string{"kind"}, targetUnits: []string{"0 no, 1 yes"}}
	plan := p.newFitPlan()
	f := plan.outline
	if !f.Classes || len(f.Targets) != 3 || f.Targets[2] != "P(kind=c)" ||
		!slices.Equal(f.Train.Y[2], []float64{0, 1, 0, 1}) || len(f.Levels) != 1 || f.Units != nil {
		t.Errorf("%+v", f)
	}
	if f.Held.Name != "training points" || plan.rows.n != 0 || len(f.Lines[0].Grid) != fitOnly {
		t.Errorf("held %q, grid %d", f.Held.Name, len(f.Lines[0].Grid))
	}
	p.plan = plan
	all := p.newFitting(2)
	all.add(classes{}, true)
	if got := all.cut(1, 2); got[0].Mean[0] != 0.5 || got[2].Mean[0] != 0.25 || got[1].Quantiles != nil {
		t.Errorf("%+v", got)
	}
	p.Data.Task, p.Data.Classes = task.Binary, []string{"no", "yes"}
	if names := p.fitTargets(); len(names) != 1 || names[0] != "P(kind=yes)" {
		t.Errorf("for two classes %q", names)
	}
}

// classes is a prediction of three classes for two points.
type classes struct{ predictive.Classification }

func (classes) Dims() (n, p int)            { return 2, 1 }
func (classes) Classes() int                { return 3 }
func (classes) Probabilities(dst []float64) { copy(dst, []float64{1, 0, 0, 0.5, 0.25, 0.25}) }

// With many inputs, a fit shows the inputs with a positive or negative correlation with the target.
func TestInformativeColumns(t *testing.T) {
	const n, d = 50, 20
	x := mat.NewDense(n, d, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, math.Sin(float64(i*(2*j+3))))
		}
		y.Set(i, 0, x.At(i, 19)-x.At(i, 4))
	}
	p := &Probe{Data: &datasets.Prepared{Train: datasets.Part{X: x, Y: y}}}
	got := p.informativeColumns(2)
	if !slices.Equal(got, []int{4, 19}) {
		t.Errorf("inputs %v", got)
	}
	if got := p.informativeColumns(d); len(got) != d ||
		got[7] != 7 {
		t.Errorf("all inputs are %v", got)
	}
}

// A share of the variance is that of a line or of the means of the levels that occur.
func TestSharesOfVariance(t *testing.T) {
	nan := math.NaN()
	if got := linearShare([]float64{1, 2, 3, 4}, []float64{1, 3, 2, 4}); math.Abs(got-0.64) > 1e-15 {
		t.Errorf("a line explains %v, want 0.64", got)
	}
	for _, c := range []struct {
		levels     int
		share      float64
		parameters int
		level      []float64
	}{
		{2, 0.8, 1, []float64{0, 0, 1, 1, nan}}, // The means are 2 and 6, and all lie 1 from their mean.
		{4, 0.8, 1, []float64{0, 0, 3, 3, nan}},
		{4, 1, 3, []float64{0, 1, 2, 3, nan}},
		{2, nan, 0, []float64{1, 1, nan, nan, nan}},
	} {
		share, parameters := levelShare(c.level, []float64{1, 3, 5, 7, 100}, c.levels)
		if math.IsNaN(share) != math.IsNaN(c.share) || math.Abs(share-c.share) > 1e-15 ||
			parameters != c.parameters {
			t.Errorf("levels %v: %v with %d parameters, want %v with %d",
				c.level, share, parameters, c.share, c.parameters)
		}
	}
}

// Many levels explain much by chance, and missing targets do not count.
func TestInformativeCategories(t *testing.T) {
	const text = `a,b,y
p,1,7
q,2,9
r,3,9
s,4,1
t,5,1
p,6,6
r,7,1
s,8,3
p,-50,
`
	p := ofTable(t, text, 1, 1, 1, 1, 1, 1)
	y := p.Data.Train.Y.RawMatrix().Data
	y[8] = math.NaN()
	if got := p.informativeColumns(1); !slices.Equal(got, []int{1}) {
		t.Errorf("the most informative column is %v", got)
	}
}

// Quantiles of many rows use evenly spaced rows.
func TestQuantilesOfManyRows(t *testing.T) {
	for n, want := range map[int]float64{quantileRows: 1, quantileRows + 1: 0} {
		x := mat.NewDense(n, 1, nil)
		for i := range n {
			x.Set(i, 0, float64(i%2))
		}
		if got := quantilesOf(x, []float64{0, 0.9}); got[0][0] != 0 || got[1][0] != want {
			t.Errorf("%d rows: quantiles %v, want 0 and %v", n, got, want)
		}
	}
}
