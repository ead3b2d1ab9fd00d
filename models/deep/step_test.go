package deep

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/infer"
	"dgplab/models/layer"
	"dgplab/models/likelihood"
	"dgplab/models/linalg"
	"dgplab/models/train"
)

// newTestModel returns a model of local layers with the given widths and inducing points on random
// data.
func newTestModel(t testing.TB, c Config, widths, inducing []int, n int) *Model {
	t.Helper()
	tape := autodiff.NewTape()
	var layers []layer.Layer
	for l, m := range inducing {
		layers = append(layers, layer.NewLocal(tape, layer.LocalConfig{
			Inputs: widths[l], Outputs: widths[l+1], Inducing: m,
			Kernel: familytest.Kernel(t, "matern52", widths[l]),
			Hidden: 2, Jitter: 1e-6, Index: l,
		}, layer.Start{Variance: 1, Lengthscale: 2, Spread: 0.5, Noise: 1, Seed: 1}))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	data := family.Data{X: mat.NewDense(n, widths[0], nil), Y: mat.NewDense(n, widths[len(widths)-1], nil)}
	for i := range n {
		for d := range widths[0] {
			data.X.Set(i, d, rng.NormFloat64())
		}
		for p := range widths[len(widths)-1] {
			data.Y.Set(i, p, rng.NormFloat64())
		}
	}
	c.Objective = family.Objective{
		Name:   "test",
		Gauges: []infer.Reading{infer.LearningRate, infer.GradientNorm},
	}
	c.Likelihood = likelihood.Gaussian{Noise: 0.1}
	c.Beta = 1
	c.Rates = train.Rates{Schedule: infer.Schedule{Rate: 0.005}}
	m, err := New(tape, layers, c, data, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// paperModel returns the deep GP of Meng, Zhang, 2024, on eight inputs.
func paperModel(t testing.TB) *Model {
	return newTestModel(t, Config{Samples: 32, Batch: 100, Rule: OfMeans, Quadrature: true},
		[]int{8, 16, 4, 1}, []int{8, 4, 4}, 1000)
}

// small returns a model with three layers and configuration c.
func small(t testing.TB, c Config) *Model {
	c.Samples, c.Batch = 3, 70
	return newTestModel(t, c, []int{2, 3, 2, 2}, []int{4, 3, 3}, 100)
}

// rules maps the names of the amortization rules to their configuration.
var rules = map[string]Config{
	"AR1": {Rule: OfSamples}, "AR2": {Rule: OfMeans},
	"AR2P":  {Rule: OfMeans, Quadrature: true},
	"AR2PP": {Rule: OfMeans, Quadrature: true, Form: likelihood.LogExpected},
}

// numbers returns all values of a model's state.
func numbers(m *Model) (list []float64) {
	for _, a := range m.State() {
		list = append(list, a.Data...)
	}
	return list
}

func TestEvaluationsDoNotAllocate(t *testing.T) {
	if linalg.Kernels() == "gonum" {
		t.Skip("gonum's products allocate")
	}
	for name, c := range rules {
		m := small(t, c)
		familytest.Steps(t, m, 2)
		free := make([]float64, m.NumParameters())
		if n := testing.AllocsPerRun(20, func() { _, _ = m.problem.Evaluate(free) }); n != 0 {
			t.Errorf("%s: %v allocations per evaluation with gradient", name, n)
		}
	}
}

// A restored model continues as if uninterrupted, on any number of processors. Predictions between
// steps have no effect.
func TestResumedEqualsUninterrupted(t *testing.T) {
	for name, c := range rules {
		build := func() family.Model { return small(t, c) }
		familytest.Resumes(t, name, build, small(t, c).problem.data.X, 8, 4)
	}
}

// objectiveAt returns the objective of the first minibatch after set has changed draws and learned
// points.
func objectiveAt(t *testing.T, m *Model, set func(p *problem)) float64 {
	t.Helper()
	m.problem.Draw(0)
	set(m.problem)
	value, err := m.problem.Evaluate(nil)
	if err == nil { // the first call computed the parameter-only part
		value, err = m.problem.Evaluate(nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestRulesAgree(t *testing.T) {
	still := func(p *problem) {
		for _, eps := range p.eps {
			clear(eps.Value)
		}
	}
	a := objectiveAt(t, small(t, rules["AR1"]), still)
	b := objectiveAt(t, small(t, rules["AR2"]), still)
	if math.Abs(a-b) > 1e-10*math.Abs(a) {
		t.Errorf("with zero draws: AR1 %v, AR2 %v", a, b)
	}
	learned := small(t, rules["AR2P"])
	points := learned.stack().quadrature.points
	drawn := objectiveAt(t, small(t, rules["AR2"]), func(p *problem) { // use the learned points as draws
		for l, eps := range p.eps {
			for i := range eps.Value {
				d, s := i/eps.Cols, i%eps.Cols/p.b
				eps.Value[i] = points[l].Row(s)[d]
			}
		}
	})
	kept := func(*problem) {}
	if got := objectiveAt(t, learned, kept); math.Abs(got-drawn) > 1e-10*math.Abs(got) {
		t.Errorf("AR2P %v, AR2 with the same points %v", got, drawn)
	}
	if mixed := objectiveAt(t, small(t, rules["AR2PP"]), kept); !(mixed >= drawn) {
		t.Errorf("AR2PP %v is less than AR2P %v", mixed, drawn)
	}
}

// BenchmarkStep measures a step of the deep GP of Meng, Zhang, 2024, on eight inputs.
func BenchmarkStep(b *testing.B) {
	m := paperModel(b)
	for b.Loop() {
		familytest.Steps(b, m, 1)
	}
}
