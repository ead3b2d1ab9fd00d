package sigmapoint_test

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/orthogonal"
	"dgplab/models/predictive"
	"dgplab/models/sigmapoint"
)

// specs are the families whose points share inducing inputs.
var specs = append(orthogonal.Families(), sigmapoint.Families()...)

// forms are values that each family is tested with.
var forms = []struct {
	family string
	set    map[string]string
}{
	{"solve-gp", map[string]string{"inducing": "8", "orthogonal": "7"}},
	{"solve-gp", map[string]string{"inducing": "8", "orthogonal": "7", "whiten": "off", "ard": "on"}},
	{"solve-gp", map[string]string{"inducing": "12", "orthogonal": "0"}},
	{"ppgpr", map[string]string{"inducing": "12"}},
	{"dspp", map[string]string{"inducing": "12,8", "samples": "4", "beta": "0.1"}},
	{"dspp", map[string]string{"inducing": "12,8", "samples": "4", "whiten": "off", "beta": "0.1"}},
	{"dsdgp", map[string]string{"inducing": "12,8", "samples": "4"}},
	{"dsdgp", map[string]string{"inducing": "12,8", "samples": "4", "covariance": "full", "mean_function": "zero", "ard": "on"}},
	{"dsdgp", map[string]string{"inducing": "12,8", "samples": "4", "covariance": "full", "whiten": "off"}},
}

// each calls a test for every form.
func each(t *testing.T, run func(t *testing.T, spec family.Spec, set map[string]string)) {
	for _, f := range forms {
		for _, spec := range specs {
			if spec.Name != f.family {
				continue
			}
			set := maps.Clone(f.set)
			set["batch"], set["learning_rate"] = "50", "0.03"
			name := spec.Name
			if spec.Name == "dspp" || spec.Name == "dsdgp" {
				set["layers"], set["width"] = "2", "3"
			}
			for _, k := range []string{"orthogonal", "whiten", "covariance"} {
				if v, ok := f.set[k]; ok {
					name += " " + k + "=" + v
				}
			}
			t.Run(name, func(t *testing.T) { run(t, spec, set) })
		}
	}
}

// wave is n points of two noisy functions of two inputs, or of their signs.
func wave(n int, of task.Task) family.Data {
	r := rand.New(rand.NewPCG(5, 6))
	outputs := 2
	if of == task.Binary {
		outputs = 1
	}
	data := family.Data{X: mat.NewDense(n, 2, nil), Y: mat.NewDense(n, outputs, nil), Task: of}
	for i := range n {
		a, b := r.NormFloat64(), r.NormFloat64()
		data.X.SetRow(i, []float64{a, b})
		for p := range outputs {
			y := math.Sin(2*a+float64(p)) + 0.3*b + 0.1*r.NormFloat64()
			if of == task.Binary {
				y = math.Copysign(1, y)
			}
			data.Y.Set(i, p, y)
		}
	}
	return data
}

// build returns a model, whose parameters are as many as its size says.
func build(t *testing.T, spec family.Spec, data family.Data, set map[string]string) family.Model {
	t.Helper()
	values, err := family.Resolve(spec.Hyperparameters, set)
	if err != nil {
		t.Fatal(err)
	}
	m, err := spec.New(values, data, 7)
	if err != nil {
		t.Fatal(err)
	}
	n, d := data.X.Dims()
	_, p := data.Y.Dims()
	size, err := spec.Size(values, n, d, p)
	if err != nil {
		t.Fatal(err)
	}
	if data.Task == task.Binary {
		size.Parameters-- // the noise
	}
	if size.Parameters != m.NumParameters() || size.StepFLOPs <= 0 || size.Memory <= 0 {
		t.Errorf("%d parameters, said to be %+v", m.NumParameters(), size)
	}
	return m
}

func train(t *testing.T, m family.Model, steps int) (report family.Report) {
	t.Helper()
	for range steps {
		var err error
		if report, err = m.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	return report
}

// Every form learns functions, two at a time, and classes.
func TestModelsLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of steps")
	}
	each(t, func(t *testing.T, spec family.Spec, set map[string]string) {
		data := wave(100, task.Regression)
		m := build(t, spec, data, set)
		train(t, m, 300)
		p, err := m.Predict(data.X, 8, 1)
		if err != nil {
			t.Fatal(err)
		}
		mean, vr := make([]float64, 200), make([]float64, 200)
		p.(predictive.Regression).Moments(mean, vr)
		var squares float64
		for i, v := range mean {
			squares += math.Pow(v-data.Y.RawMatrix().Data[i], 2) / 200
		}
		if rmse := math.Sqrt(squares); !(rmse < 0.3) {
			t.Errorf("RMSE %v", rmse)
		}

		labels := wave(100, task.Binary)
		m = build(t, spec, labels, set)
		train(t, m, 200)
		if p, err = m.Predict(labels.X, 8, 1); err != nil {
			t.Fatal(err)
		}
		probabilities, wrong := make([]float64, 200), 0
		p.(predictive.Classification).Probabilities(probabilities)
		for i := range 100 {
			if (probabilities[2*i+1] > 0.5) != (labels.Y.At(i, 0) > 0) {
				wrong++
			}
		}
		if wrong > 20 { // half of them by chance
			t.Errorf("%d of 100 classes are wrong", wrong)
		}
	})
}

// A model that takes over the state of another goes on as that does, to the bit; so
// does one on another number of processors.
func TestResumedIsUninterrupted(t *testing.T) {
	each(t, func(t *testing.T, spec family.Spec, set map[string]string) {
		data := wave(60, task.Regression)
		first, second := build(t, spec, data, set), build(t, spec, data, set)
		train(t, first, 5)
		for i, a := range first.State() {
			copy(second.State()[i].Data, a.Data)
		}
		if err := second.Restored(); err != nil {
			t.Fatal(err)
		}
		want := train(t, first, 5).Objective
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		if got := train(t, second, 5).Objective; got != want {
			t.Errorf("objective %v, uninterrupted %v", got, want)
		}
		a, _ := first.Predict(data.X, 3, 1)
		b, _ := second.Predict(data.X, 3, 1)
		n, p := a.Dims()
		x, y := make([]float64, n), make([]float64, n)
		a.LogDensity(x, data.Y.RawMatrix().Data[:n*p])
		b.LogDensity(y, data.Y.RawMatrix().Data[:n*p])
		for i := range x {
			if x[i] != y[i] {
				t.Fatalf("density %d is %v, uninterrupted %v", i, y[i], x[i])
			}
		}
	})
}

// With one layer a sigma point process is a parametric predictive GP, and a doubly
// stochastic deep GP is SOLVE-GP without a second set of inducing inputs.
func TestOneLayer(t *testing.T) {
	same := map[string]string{"inducing": "9", "batch": "20"}
	one := map[string]string{"inducing": "9", "batch": "20", "layers": "1", "width": "1", "covariance": "full"}
	none := map[string]string{"inducing": "9", "batch": "20", "orthogonal": "0"}
	by := map[string]family.Spec{}
	for _, spec := range specs {
		by[spec.Name] = spec
	}
	data := wave(50, task.Regression)
	for _, c := range []struct {
		deep, shallow string
		set           map[string]string
	}{{"dspp", "ppgpr", same}, {"dsdgp", "solve-gp", none}} {
		a, b := train(t, build(t, by[c.deep], data, one), 4), train(t, build(t, by[c.shallow], data, c.set), 4)
		if a.Objective != b.Objective {
			t.Errorf("%s has %v, %s has %v", c.deep, a.Objective, c.shallow, b.Objective)
		}
	}
}

func TestInducingPointsBeyondTheDataAreNoted(t *testing.T) {
	for _, spec := range specs {
		m := build(t, spec, wave(10, task.Regression), map[string]string{"inducing": "20", "batch": "5"})
		if notes := m.(family.Noter).Notes(); len(notes) == 0 {
			t.Errorf("%s: no note", spec.Name)
		}
		train(t, m, 1)
	}
}

// What a model shows fits together.
func TestViews(t *testing.T) {
	each(t, func(t *testing.T, spec family.Spec, set map[string]string) {
		m := build(t, spec, wave(60, task.Regression), set)
		train(t, m, 3)
		v, err := m.(family.Viewer).Views(1)
		if err == nil {
			err = v.Check()
		}
		if err != nil {
			t.Fatal(err)
		}
		layers, gps := 1, 2
		if set["layers"] == "2" {
			layers, gps = 2, 5
		}
		if len(v.Blocks.Parts) != gps || len(v.Units) != layers || len(v.Matrices.Matrices) != layers || v.Amortization != nil {
			t.Errorf("%d parts, %d layers, %d matrices", len(v.Blocks.Parts), len(v.Units), len(v.Matrices.Matrices))
		}
		if (v.Quadrature != nil) != (spec.Name == "dspp") {
			t.Errorf("quadrature %v", v.Quadrature)
		}
		side := v.Blocks.Side()
		if !(v.Blocks.At(0, 0) > -12) || !math.IsInf(v.Blocks.At(side-1, 0), -1) {
			t.Errorf("covariances %v and %v", v.Blocks.At(0, 0), v.Blocks.At(side-1, 0))
		}
		for _, e := range v.Matrices.Matrices {
			if !(e.Condition > 1) || !(e.SmallestPivot > 0) {
				t.Errorf("%+v", e)
			}
		}
	})
}
