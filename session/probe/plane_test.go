package probe

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models/predictive"
	"dgplab/models/view"
)

// A grid covers the range of a column and a margin, or values around a constant.
func TestGridOver(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 7, 5, 7, 3, 7})
	for column, want := range [][]float64{{-1, 3, 7}, {6, 7, 8}} {
		if got := gridOver(x, column, 3, 0.5); !slices.Equal(got, want) {
			t.Errorf("column %d: %v, want %v", column, got, want)
		}
	}
}

func TestPlaneOfTwoInputs(t *testing.T) {
	probe := onPlane(&linear{draws: planeSamples, spread: 0.01})
	probe.Data.Scaling = datasets.Scaling{
		InputMean: []float64{10, 0}, InputSD: []float64{2, 1},
		TargetMean: []float64{5}, TargetSD: []float64{2},
	}
	p, err := probe.Plane(t.Context(), 60)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(); err != nil {
		t.Error(err)
	}
	if len(p.X) != planeAcross || len(p.Y) != planeUp || p.Samples != planeSamples || p.Step != 60 ||
		p.Inputs != [2]string{"input 1", "input 2"} {
		t.Errorf("%d x %d, %d samples, step %d, inputs %q", len(p.X), len(p.Y), p.Samples, p.Step, p.Inputs)
	}
	if len(p.Points) != 1 || len(p.Points[0].X) != 3 || p.Total != 3 {
		t.Errorf("points %+v", p.Points)
	}
	for _, x := range p.Points[0].X {
		if !(x > p.X[0] && x < p.X[planeAcross-1]) {
			t.Errorf("training input %g is outside the grid from %g to %g", x, p.X[0], p.X[planeAcross-1])
		}
	}
	for j, y := range p.Y {
		for i, x := range p.X {
			want := 5 + 2*((x-10)/2+2*y)
			if got := p.Fields[0].Values[j*planeAcross+i]; math.Abs(got-want) > 0.05 {
				t.Fatalf("mean at %g, %g is %g, want about %g", x, y, got, want)
			}
		}
	}
	if got := p.Fields[1].Values[0]; math.Abs(got-2) > 0.01 {
		t.Errorf("standard deviation %g, want about 2", got)
	}
}

func TestPlanePointsHaveClasses(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{0, 1, 2, 3, 4, 5})
	p := &Probe{Data: &datasets.Prepared{
		Task:    task.Binary,
		Train:   datasets.Part{X: x, Y: mat.NewDense(3, 1, []float64{1, -1, 1})},
		Scaling: datasets.Scaling{InputMean: []float64{0, 0}, InputSD: []float64{1, 1}},
	}}
	p.columns = columnNames{targets: []string{"inside"}}
	columns := p.inputColumns()
	groups := p.planePoints(columns[0], columns[1])
	if len(groups) != 2 || groups[0].Name != "+1" || len(groups[0].X) != 2 ||
		groups[1].X[0] != 2 || groups[1].Y[0] != 3 {
		t.Errorf("%+v", groups)
	}
	if f := p.planeFields(rowsOf(x)); len(f) != 1 || f[0].Name != "P(inside=+1)" ||
		!f[0].Probability || len(f[0].Values) != 3 {
		t.Errorf("%+v", f)
	}
}

// explored is a linear model with a latent function.
type explored struct{ *linear }

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

// After the predictions, the plane contains the latent functions of the model in standardised units.
func TestPlaneOfFunctions(t *testing.T) {
	p := &Probe{Model: explored{}, Data: new(datasets.Prepared)}
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	fields, err := p.addFunctions([]view.Field{{Name: "mean of y"}}, rowsIn(x, nil))
	if err != nil || len(fields) != 3 {
		t.Fatalf("%+v, %v", fields, err)
	}
	if m, sd := fields[1], fields[2]; m.Name != "mean of f_1" || !m.Function || m.Values[1] != 3 ||
		sd.Name != "standard deviation of f_1" || sd.Values[0] != 2 || fields[0].Function {
		t.Errorf("%+v", fields)
	}
	if n := p.draws(exactly{}); n != 1 {
		t.Errorf("exact moments have %d draws", n)
	}
	p.Data.Scaling.Log = true
	if p.draws(exactly{}) != planeSamples {
		t.Error("moments of exponentials are reported as exact")
	}
}

// For classes with many inputs, the plane shows the two most informative inputs.
func TestPlaneOfClasses(t *testing.T) {
	p := onPlane(new(linear))
	x := mat.NewDense(4, 3, []float64{0, 5, 1, 1, 6, 3, 2, 5, 5, 3, 6, 7})
	p.Data.Task = task.Binary
	p.Data.Train = datasets.Part{X: x, Y: mat.NewDense(4, 1, []float64{-1, -1, 1, 1})}
	p.Data.Scaling.InputMean, p.Data.Scaling.InputSD = []float64{0, 0, 0}, []float64{1, 1, 1}
	across, up, ok := p.planeAxes()
	if !ok || across.First != 0 || up.First != 2 {
		t.Errorf("the plane is over %v and %v", across, up)
	}
	if groups := p.planePoints(across, up); len(groups[0].X) != 2 ||
		groups[0].X[0] != 2 || groups[0].Y[0] != 5 {
		t.Errorf("points %v", groups)
	}
	p.Data.Task = task.Regression
	if _, _, ok := p.planeAxes(); ok {
		t.Error("real targets with three inputs have a plane")
	}
}
