package bnn

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

// with returns the setting with one more value.
func (s setting) with(name, value string) setting {
	set := maps.Clone(s.set)
	set[name] = value
	return setting{s.family, set}
}

var forms = []setting{
	{"bnn-vi", map[string]string{}},
	{"bnn-vi", map[string]string{"hidden_layers": "2", "samples": "1"}},
	{"bnn-dropout", map[string]string{}},
	{"bnn-dropout", map[string]string{"hidden_layers": "2", "samples": "3", "prior_lengthscale": "0.5"}},
}

// newTestModel builds a small model, and compares its size with what was said.
func newTestModel(t *testing.T, s setting, data family.Data) *Model {
	t.Helper()
	spec := Families()[slices.IndexFunc(Families(), func(spec family.Spec) bool { return spec.Name == s.family })]
	all := map[string]string{"hidden_width": "20", "batch": "30", "learning_rate": "0.02"}
	maps.Copy(all, s.set)
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
	size, err := spec.Size(values, n, d, p)
	if err != nil {
		t.Fatal(err)
	}
	if data.Task == task.Binary {
		size.Parameters-- // the noise
	}
	if size.Parameters != m.NumParameters() || size.StepFLOPs <= 0 || size.Memory <= 0 {
		t.Errorf("%v: %d parameters, said to be %+v", s, m.NumParameters(), size)
	}
	return m.(*Model)
}

// take takes steps.
func take(t *testing.T, m family.Model, count int) (report family.Report) {
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
		for _, data := range []family.Data{wave(20, 2), classes(20)} {
			t.Run(fmt.Sprint(s, data.Task), func(t *testing.T) {
				p := newTestModel(t, s.with("hidden_width", "4"), data).networks
				p.Draw(0)
				set := p.Parameters()
				gradient, want := make([]float64, set.Size()), make([]float64, set.Size())
				if _, err := p.Evaluate(gradient); err != nil {
					t.Fatal(err)
				}
				for i := range want {
					const h = 1e-6 // no unit of these crosses zero within it
					before := set.Free[i]
					at := func(shift float64) float64 {
						set.Free[i] = before + shift
						set.Forward()
						v, err := p.Evaluate(nil)
						if err != nil {
							t.Fatal(err)
						}
						return v
					}
					want[i] = (at(h) - at(-h)) / (2 * h)
					set.Free[i] = before
				}
				oracletest.Close(t, "gradient", gradient, want, 1e-8)
			})
		}
	}
}

// rmse returns the error of the predictive mean at the inputs of data.
func rmse(t *testing.T, m family.Model, data family.Data) float64 {
	t.Helper()
	p, err := m.Predict(data.X, 20, 1)
	if err != nil {
		t.Fatal(err)
	}
	y := data.Y.RawMatrix().Data
	mean, vr := make([]float64, len(y)), make([]float64, len(y))
	p.(predictive.Regression).Moments(mean, vr)
	var sum float64
	for i, v := range mean {
		sum += math.Pow(v-y[i], 2) / float64(len(y))
	}
	return math.Sqrt(sum)
}

// wrong returns how many classes of data are predicted wrongly.
func wrong(t *testing.T, m family.Model, data family.Data) (count int) {
	t.Helper()
	p, err := m.Predict(data.X, 20, 1)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := data.X.Dims()
	probabilities := make([]float64, 2*n)
	p.(predictive.Classification).Probabilities(probabilities)
	for i := range n {
		if (probabilities[2*i+1] > 0.5) != (data.Y.At(i, 0) > 0) {
			count++
		}
	}
	return count
}

func TestModelsLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of steps")
	}
	for _, s := range forms {
		t.Run(s.String(), func(t *testing.T) {
			data := wave(100, 2)
			m := newTestModel(t, s, data)
			take(t, m, 800)
			if got := rmse(t, m, data); !(got < 0.35) {
				t.Errorf("RMSE %v", got)
			}
			// Labels say little: with 100 of them independent Gaussians stay near the prior.
			labels := classes(400)
			m = newTestModel(t, s, labels)
			take(t, m, 800)
			if got := wrong(t, m, labels); got > 40 {
				t.Errorf("%d of 400 classes are wrong", got)
			}
		})
	}
}

// A resumed run is an uninterrupted one, on any number of processors, and a step
// allocates nothing.
func TestStepsAreReproducible(t *testing.T) {
	for _, s := range forms {
		t.Run(s.String(), func(t *testing.T) {
			data := wave(300, 2)
			whole := newTestModel(t, s, data)
			take(t, whole, 14)
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			first, second := newTestModel(t, s, data), newTestModel(t, s, data)
			take(t, first, 2)
			for i, a := range second.State() {
				copy(a.Data, first.State()[i].Data)
			}
			if err := second.Restored(); err != nil {
				t.Fatal(err)
			}
			if _, err := second.Predict(data.X, 3, 1); err != nil {
				t.Fatal(err)
			}
			take(t, second, 12)
			for i, a := range whole.State() {
				if !slices.Equal(a.Data, second.State()[i].Data) {
					t.Errorf("%s differs", a.Name)
				}
			}
			ctx := context.Background()
			if n := testing.AllocsPerRun(5, func() { _, _ = second.Step(ctx) }); n != 0 {
				t.Errorf("%v allocations a step", n)
			}
		})
	}
}

// Targets that were not observed count for nothing.
func TestMissingTargets(t *testing.T) {
	for _, name := range []string{"bnn-vi", "bnn-dropout"} {
		data := wave(40, 2)
		data.Y.Set(3, 0, math.NaN())
		data.Y.Set(5, 0, math.NaN())
		data.Y.Set(5, 1, math.NaN())
		m := newTestModel(t, setting{name, map[string]string{"batch": "40"}}, data)
		if r := take(t, m, 3); math.IsNaN(r.Objective) {
			t.Errorf("%s: the objective is %v", name, r.Objective)
		}
	}
}

// Predictions depend on their seed and on nothing else, and more samples begin with the
// same ones.
func TestPredictionsDependOnTheirSeed(t *testing.T) {
	for _, s := range forms {
		data := wave(600, 1) // several windows of points
		m := newTestModel(t, s, data)
		means := func(samples int, seed uint64) []float64 {
			p, err := m.Predict(data.X, samples, seed)
			if err != nil {
				t.Fatal(err)
			}
			return p.(*predictive.Gaussians).Mean
		}
		few := means(2, 3)
		if more := means(3, 3); !slices.Equal(few, more[:len(few)]) {
			t.Errorf("%v: other samples", s)
		}
		if slices.Equal(few, means(2, 4)) {
			t.Errorf("%v: the seed does nothing", s)
		}
	}
}
