package ep

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
)

// wave is n points of two inputs and so many noisy functions of them.
func wave(n, outputs int) family.Data {
	r := rand.New(rand.NewPCG(5, 6))
	data := family.Data{X: mat.NewDense(n, 2, nil), Y: mat.NewDense(n, outputs, nil)}
	for i := range n {
		a, b := r.NormFloat64(), r.NormFloat64()
		data.X.SetRow(i, []float64{a, b})
		for p := range outputs {
			data.Y.Set(i, p, math.Sin(2*a+float64(p))+0.3*b+0.1*r.NormFloat64())
		}
	}
	return data
}

// classes is wave as two classes.
func classes(n int) family.Data {
	data := wave(n, 1)
	data.Task = task.Binary
	for i := range n {
		data.Y.Set(i, 0, math.Copysign(1, data.Y.At(i, 0)))
	}
	return data
}

// setting is a form of a family under test.
type setting struct {
	family string
	set    map[string]string
}

func (s setting) String() string { return fmt.Sprint(s.family, s.set) }

var forms = []setting{
	{"aep", map[string]string{}},
	{"aep", map[string]string{"factor": "natural", "start": "random"}},
	{"aep", map[string]string{"factor": "natural", "layers": "3"}},
	{"aep", map[string]string{"layers": "1"}},
	{"aep", map[string]string{"output_cov": "full", "start": "random"}},
	{"sep", map[string]string{"points": "10", "batch": "10", "hyper_steps": "3"}},
	{"sep", map[string]string{"points": "10", "batch": "10", "output_cov": "full", "layers": "3"}},
}

// with returns the setting with one more value.
func (s setting) with(name, value string) setting {
	set := maps.Clone(s.set)
	set[name] = value
	return setting{s.family, set}
}

// specOf returns the family of that name.
func specOf(t *testing.T, name string) family.Spec {
	t.Helper()
	i := slices.IndexFunc(Families(), func(s family.Spec) bool { return s.Name == name })
	return Families()[i]
}

// newTestModel builds a small model, and compares its size with what was said.
func newTestModel(t *testing.T, s setting, data family.Data) *Model {
	t.Helper()
	spec := specOf(t, s.family)
	all := map[string]string{"inducing": "8", "batch": "30"}
	for k, v := range s.set {
		all[k] = v
	}
	values, err := family.Resolve(spec.Hyperparameters, all)
	if err != nil {
		t.Fatal(err)
	}
	m, err := spec.New(values, data, 7)
	if err != nil {
		t.Fatal(err)
	}
	n, d := data.X.Dims()
	_, p := data.Y.Dims()
	if data.Task == task.Multiclass {
		p = data.Classes
	}
	size, err := spec.Size(values, n, d, p)
	if err != nil {
		t.Fatal(err)
	}
	if data.Task != task.Regression {
		size.Parameters-- // the noise of the last layer
	}
	if size.Parameters != m.NumParameters() || size.StepFLOPs <= 0 || size.Memory <= 0 {
		t.Errorf("%v: %d parameters, said to be %+v", s, m.NumParameters(), size)
	}
	return m.(*Model)
}

func steps(t *testing.T, m *Model, count int) (report family.Report) {
	t.Helper()
	for range count {
		var err error
		if report, err = m.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	return report
}

func TestGradientsByCentralDifferences(t *testing.T) {
	for _, s := range forms {
		t.Run(s.String(), func(t *testing.T) {
			p := newTestModel(t, s.with("inducing", "4").with("start_spread", "1"), wave(20, 2)).problem
			p.Draw(0)
			rng := rand.New(rand.NewPCG(1, 2))
			for i := range p.Set.Free {
				p.Set.Free[i] += 0.02 * rng.NormFloat64()
			}
			p.Set.Forward()
			gradient, want := make([]float64, p.Set.Size()), make([]float64, p.Set.Size())
			if _, err := p.Evaluate(gradient); err != nil {
				t.Fatal(err)
			}
			for i := range want {
				const h = 1e-3
				before := p.Set.Free[i]
				at := func(shift float64) float64 {
					p.Set.Free[i] = before + shift
					p.Set.Forward()
					v, err := p.Evaluate(nil)
					if err != nil {
						t.Fatal(err)
					}
					return v
				}
				want[i] = (45*(at(h)-at(-h)) - 9*(at(2*h)-at(-2*h)) + at(3*h) - at(-3*h)) / (60 * h)
				p.Set.Free[i] = before
			}
			oracletest.Close(t, "gradient", gradient, want, 1e-8)
		})
	}
}

func TestModelsLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of steps")
	}
	for _, s := range forms {
		t.Run(s.String(), func(t *testing.T) {
			data := wave(100, 2)
			m := newTestModel(t, s, data)
			steps(t, m, 600)
			p, err := m.Predict(data.X, 1, 1)
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

			labels := classes(100)
			if s.set["output_cov"] == "full" { // of one output there is none
				return
			}
			m = newTestModel(t, s, labels)
			steps(t, m, 400)
			if p, err = m.Predict(labels.X, 1, 1); err != nil {
				t.Fatal(err)
			}
			probabilities, wrong := make([]float64, 200), 0
			p.(predictive.Classification).Probabilities(probabilities)
			for i := range 100 {
				if (probabilities[2*i+1] > 0.5) != (labels.Y.At(i, 0) > 0) {
					wrong++
				}
			}
			if wrong > 12 {
				t.Errorf("%d of 100 classes are wrong", wrong)
			}
		})
	}
}

// A resumed run is an uninterrupted one, on any number of processors, and a step
// allocates nothing.
func TestStepsAreReproducible(t *testing.T) {
	for _, s := range forms {
		t.Run(s.String(), func(t *testing.T) {
			data := wave(70, 2)
			s := s.with("batch", "10") // that a new order of the data is rare
			whole := newTestModel(t, s, data)
			steps(t, whole, 4)
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			first, second := newTestModel(t, s, data), newTestModel(t, s, data)
			steps(t, first, 2)
			for i, a := range second.State() {
				copy(a.Data, first.State()[i].Data)
			}
			if err := second.Restored(); err != nil {
				t.Fatal(err)
			}
			if _, err := second.Predict(data.X, 1, 1); err != nil {
				t.Fatal(err)
			}
			steps(t, second, 2)
			for i, a := range whole.State() {
				if !slices.Equal(a.Data, second.State()[i].Data) {
					t.Errorf("%s differs", a.Name)
				}
			}
			steps(t, second, 8) // of every kind
			ctx := context.Background()
			if n := testing.AllocsPerRun(30, func() { _, _ = second.Step(ctx) }); n != 0 {
				t.Errorf("%v allocations a step", n)
			}
		})
	}
}

// thirds is wave as three classes.
func thirds(n int) family.Data {
	data := wave(n, 1)
	data.Task, data.Classes = task.Multiclass, 3
	for i := range n {
		y := data.Y.At(i, 0)
		class := 0.0
		for _, edge := range []float64{-0.4, 0.4} {
			if y > edge {
				class++
			}
		}
		data.Y.Set(i, 0, class)
	}
	return data
}

// Every likelihood of several classes is learned, by both families.
func TestSeveralClasses(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of steps")
	}
	for _, s := range []setting{
		{"aep", map[string]string{"likelihood": "argmax"}}, {"aep", map[string]string{}}, {"aep", map[string]string{"likelihood": "softmax"}},
		{"sep", map[string]string{"likelihood": "argmax", "points": "100", "output_cov": "full"}},
	} {
		data := thirds(100)
		m := newTestModel(t, s.with("learning_rate", "0.02"), data)
		steps(t, m, 200)
		p, err := m.Predict(data.X, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		logs, wrong := make([]float64, 100), 0
		p.LogDensity(logs, data.Y.RawMatrix().Data)
		for _, l := range logs {
			if l < math.Log(0.4) {
				wrong++
			}
		}
		if wrong > 20 {
			t.Errorf("%v: %d of 100 classes are improbable", s, wrong)
		}
	}
}

// Targets that were not observed count for nothing.
func TestMissingTargets(t *testing.T) {
	for _, cov := range []string{"diag", "full"} {
		data := wave(40, 2)
		data.Y.Set(3, 0, math.NaN())
		data.Y.Set(5, 0, math.NaN())
		data.Y.Set(5, 1, math.NaN())
		m := newTestModel(t, setting{"aep", map[string]string{"output_cov": cov, "batch": "40"}}, data)
		if r := steps(t, m, 3); math.IsNaN(r.Objective) {
			t.Errorf("%s: the energy is %v", cov, r.Objective)
		}
	}
}

// With one layer a full covariance is that of independent outputs.
func TestOneLayerHasIndependentOutputs(t *testing.T) {
	data := wave(40, 2)
	var energies []float64
	for _, cov := range []string{"diag", "full"} {
		m := newTestModel(t, setting{"aep", map[string]string{"output_cov": cov, "layers": "1"}}, data)
		energies = append(energies, steps(t, m, 3).Objective)
	}
	if energies[0] != energies[1] {
		t.Errorf("energies %v", energies)
	}
}

// A matched variance far below zero is a rescue, and nothing is NaN.
func TestVarianceBelowZeroIsCounted(t *testing.T) {
	m := newTestModel(t, setting{"aep", map[string]string{"start": "random"}}, wave(40, 1))
	p := m.problem
	p.Draw(0)
	// Weights of the mean square with an error that no K_uu^-1 makes.
	g := p.layers[1].gps[0]
	g.Variance.Value[0] = 1
	mean, second := p.tape.Constant(1, 1, 3), p.tape.Constant(1, 1, 3)
	copy(second.Value, []float64{-2, -1 - 1e-9, 0.5})
	out := matchedVariance(p.tape, g, second, mean)
	if err := p.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(out.Value, []float64{0, 0, 1.5}) {
		t.Errorf("variances %v", out.Value)
	}
	if n := p.tape.RescuesByPlace()[g.place("moment-matched variance")]; n != 1 {
		t.Errorf("%d rescues", n)
	}
}
