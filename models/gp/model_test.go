package gp

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/view"
)

// smooth returns noisy data of a smooth function with three inputs and one or two outputs; the
// third input is irrelevant.
func smooth(n, outputs int) family.Data {
	noise := randomProblem("rbf", n, 3, outputs, 1)
	x := mat.NewDense(n, 3, noise.x)
	y := mat.NewDense(n, outputs, noise.y)
	y.Apply(func(i, p int, e float64) float64 {
		return math.Sin(2*x.At(i, 0)) + float64(p)*x.At(i, 1) + 0.1*e
	}, y)
	return family.Data{X: x, Y: y}
}

// build returns a small model of the family.
func build(t *testing.T, spec family.Spec, data family.Data) family.Model {
	t.Helper()
	set := map[string]string{"noise_variance": "0.1"}
	if spec.Name != "gp" {
		set["inducing"] = "12"
	}
	m, err := spec.New(familytest.Values(t, spec, set), data, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestModelsConverge(t *testing.T) {
	data := smooth(60, 2)
	test := smooth(61, 2)
	for _, spec := range Families() {
		m := build(t, spec, data)
		var r family.Report
		for range 1000 {
			r = familytest.Steps(t, m, 1)
			if r.Converged {
				break
			}
		}
		if !r.Converged {
			t.Errorf("%s has not converged: %+v", spec.Name, r)
		}
		var sum float64
		for _, term := range r.Terms {
			sum += term
		}
		if len(r.Terms) != len(spec.Objective.Terms) ||
			math.Abs(sum-r.Objective) > 1e-9*math.Abs(r.Objective) {
			t.Errorf("%s: the terms %v do not sum to %v", spec.Name, r.Terms, r.Objective)
		}
		mean, _ := moments(t, m, test)
		var squares float64
		for i, y := range test.Y.RawMatrix().Data {
			squares += (y - mean[i]) * (y - mean[i])
		}
		if rmse := math.Sqrt(squares / 122); rmse > 0.4 {
			t.Errorf("%s: RMSE %v", spec.Name, rmse)
		}
		// A step after convergence changes nothing.
		parameters := m.State()[1]
		before := slices.Clone(parameters.Data)
		if again := familytest.Steps(t, m, 1); !again.Converged || again.Objective != r.Objective {
			t.Errorf("%s continued from %v to %+v", spec.Name, r.Objective, again)
		} else if parameters.Name != "parameters" || !slices.Equal(parameters.Data, before) {
			t.Errorf("%s: %s changed after convergence", spec.Name, parameters.Name)
		}
	}
}

// A run that is saved and restored after every step, with predictions and views between steps,
// equals an uninterrupted run bit for bit.
func TestModelsResume(t *testing.T) {
	data := smooth(40, 1)
	for _, spec := range Families() {
		build := func() family.Model { return build(t, spec, data) }
		familytest.Resumes(t, spec.Name, build, data.X, 25, familytest.Every(25)...)
	}
}

func TestCancelledStepsChangeNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, spec := range Families() {
		m := build(t, spec, smooth(40, 1))
		familytest.Steps(t, m, 1)
		familytest.Unchanged(t, spec.Name, m, func() {
			if _, err := m.Step(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", spec.Name, err)
			}
		})
	}
}

func TestBuildErrors(t *testing.T) {
	specs := Families()
	for what, c := range map[string]struct {
		spec family.Spec
		set  map[string]string
		n    int
		want string
	}{
		"too many points": {specs[0], nil, maxPoints + 1, "3.2 GB"},
		"wrong number of lengthscales": {specs[0],
			map[string]string{"lengthscale": "1,2"}, 20, "3 for the inputs"},
		"wrong number of lengthscales, sparse": {specs[1],
			map[string]string{"lengthscale": "1,2,3,4"}, 20, "3 for the inputs"},
	} {
		data := family.Data{X: mat.NewDense(c.n, 3, nil), Y: mat.NewDense(c.n, 1, nil)}
		m, err := c.spec.New(familytest.Values(t, c.spec, c.set), data, 1)
		if err == nil || m != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", what, m, err)
		}
	}
}

func TestSizesMatchModels(t *testing.T) {
	data := smooth(30, 2)
	for _, spec := range Families() {
		for _, optimize := range []string{"on", "off"} {
			// More inducing points than data.
			set := map[string]string{"optimize_inducing": optimize, "inducing": "50"}
			if spec.Name == "gp" {
				set = nil
			}
			v := familytest.Values(t, spec, set)
			size, err := spec.Size(v, 30, 3, 2)
			if err != nil {
				t.Fatal(err)
			}
			m, err := spec.New(v, data, 1)
			if err != nil {
				t.Fatal(err)
			}
			if m.NumParameters() != size.Parameters {
				t.Errorf("%s: %d parameters, Size returns %d", spec.Name, m.NumParameters(), size.Parameters)
			}
			if notes := m.(family.Annotator).Notes(); (len(notes) == 1) != (spec.Name != "gp") {
				t.Errorf("%s: notes %v", spec.Name, notes)
			}
		}
	}
}

func TestViews(t *testing.T) {
	data := smooth(60, 2)
	for _, spec := range Families() {
		m := build(t, spec, data)
		for range 20 {
			familytest.Steps(t, m, 1)
		}
		v, err := m.(family.Viewer).Views(0)
		if err != nil {
			t.Fatal(err)
		}
		// The third input is irrelevant.
		if f := v.Functions; f.Input == 2 || len(f.Items) != 2 || len(f.Grid) != view.GridPoints ||
			!slices.IsSorted(f.Grid) {
			t.Errorf("%s: functions %+v", spec.Name, f)
		}
		for _, f := range v.Functions.Items {
			if len(f.Mean) != view.GridPoints || len(f.SD) != view.GridPoints || !(slices.Min(f.SD) > 0) {
				t.Errorf("%s: function %+v", spec.Name, f)
			}
		}
		want := map[string]int{"gp": 1, "sgpr": 2, "fitc": 2}[spec.Name]
		if len(v.Matrices.Matrices) != want || (len(v.Matrices.Effective) == 1) != (spec.Name != "gp") {
			t.Errorf("%s: matrices %+v", spec.Name, v.Matrices)
		}
		for _, k := range v.Matrices.Matrices {
			if !(k.Condition >= 1) || math.IsInf(float64(k.Condition), 0) || !(k.SmallestPivot > 0) {
				t.Errorf("%s: %+v", spec.Name, k)
			}
		}
		for _, e := range v.Matrices.Effective {
			if !(e > 0 && e < 12) {
				t.Errorf("%s: %v of 12 parameters are well determined", spec.Name, e)
			}
		}
	}
}

func TestStepsDoNotAllocate(t *testing.T) {
	for _, spec := range Families() {
		m := build(t, spec, smooth(40, 1))
		familytest.Steps(t, m, 1)
		familytest.Allocates(t, spec.Name, m, 0)
	}
}
