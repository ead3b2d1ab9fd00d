package deep

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"dgplab/models/autodiff"
	"dgplab/models/familytest"
	"dgplab/models/likelihood"
	"dgplab/models/linalg"
)

// newWeightedModel returns a dgp-iw model of 30 points with two inputs and two targets. Its hidden
// layers start with the spread of their prior.
func newWeightedModel(t testing.TB, set ...string) *Model {
	t.Helper()
	spec := weightedFamilies()[0]
	data := familytest.Wave(30, 2)
	values := familytest.Merged(map[string]string{"width": "3", "inducing": "6", "batch": "7",
		"inner_scale": "1", "jitter": "1e-4"}, familytest.NewSetting("", set...).Set)
	return familytest.New(t, spec, data, values, 1).(*Model)
}

// The gradient, with w reparametrised and unmodified derivatives of q(w), equals central
// differences.
func TestWeightedGradient(t *testing.T) {
	for _, c := range [][]string{
		{"samples", "3", "latent_inputs", "2", "layers", "3"},
		{"samples", "3", "kernel", "rq(0,1)*rbf(2)+white|matern52", "whiten", "off"},
		{"samples", "4", "kernel", "matern32", "ard", "off", "trend", "linear"},
		{"samples", "1", "layers", "1"},
	} {
		m := newWeightedModel(t, c...)
		familytest.Steps(t, m, 3)
		m.problem.Draw(5)
		gradient, differences := familytest.Gradients(t, m.problem, familytest.Fourth, 1e-4)
		for i, g := range gradient {
			if math.Abs(g-differences[i]) > 1e-6*math.Max(1, math.Abs(g)) {
				t.Fatalf("%v: gradient of %s is %v, by differences %v",
					c, m.problem.Parameters().NameAt(i), g, differences[i])
			}
		}
	}
}

// With one sample, the bound equals the bound of a doubly stochastic deep GP at the inputs (x, w),
// minus the KL of q(w).
func TestOneSampleIsTheOrdinaryBound(t *testing.T) {
	m := newWeightedModel(t, "samples", "1")
	familytest.Steps(t, m, 3)
	m.problem.Draw(4)
	got, err := m.problem.Evaluate(nil)
	if err != nil {
		t.Fatal(err)
	}
	o := m.problem.objective
	n, _ := m.problem.data.X.Dims()
	plain := &stack{tape: autodiff.NewTape(), inputs: o.in[0].Rows, layers: m.stack().layers,
		observation: m.stack().observation}
	want := newObjective(plain, Config{Beta: 1, Likelihood: likelihood.Gaussian{}}, n, o.b, 1)
	copy(want.x.Value, o.in[0].Value)
	copy(want.y.Value, o.y.Value)
	for l, eps := range want.eps {
		copy(eps.Value, o.eps[l+1].Value)
	}
	if err := plain.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	var divergence float64
	for _, v := range o.logRatio.Value {
		divergence -= v * float64(n) / float64(o.b)
	}
	if ordinary := want.value.Value[0] - divergence; math.Abs(got-ordinary) > 1e-10*math.Abs(got) {
		t.Errorf("the bound is %v, the ordinary bound %v", got, ordinary)
	}
}

// At fixed parameters, the expectation of the bound grows with the number of samples.
func TestBoundGrowsWithSamples(t *testing.T) {
	const draws = 400
	bounds := func(samples string) []float64 {
		m := newWeightedModel(t, "samples", samples, "batch", "30")
		// A wide q(w) makes the weights uneven.
		e := m.stack().encoder.net
		last := e.B[len(e.B)-1]
		last.Value[last.Rows-1] = 3
		if err := m.problem.Set.Inverse(); err != nil {
			t.Fatal(err)
		}
		list := make([]float64, draws)
		for k := range list {
			m.problem.Draw(uint64(k))
			var err error
			list[k], err = m.problem.Evaluate(nil)
			if err != nil {
				t.Fatal(err)
			}
		}
		return list
	}
	one := bounds("1")
	three := bounds("3")
	ten := bounds("10")
	for _, c := range []struct{ few, many []float64 }{{one, three}, {three, ten}} {
		few, fewSD := stat.MeanStdDev(c.few, nil)
		many, manySD := stat.MeanStdDev(c.many, nil)
		if !(many-few > 3*math.Hypot(fewSD, manySD)/math.Sqrt(draws)) {
			t.Errorf("mean bounds %v and %v, sd %v and %v", few, many, fewSD, manySD)
		}
	}
}

// Joint draws have the same covariance as drawn functions at the same inputs.
func TestJointCovariance(t *testing.T) {
	m := newWeightedModel(t, "samples", "4", "batch", "6")
	familytest.Steps(t, m, 3)
	o := m.problem.objective
	first := o.moments[0]
	for block := range first.Blocks.Batch {
		gp, b := block/o.b, block%o.b
		for s := range o.s {
			at := s*o.b + b
			if v := first.Blocks.At(block)[s*o.s+s]; math.Abs(v-first.Var.Row(gp)[at]) > 1e-12 {
				t.Fatalf("variance %v of sample %d, marginal %v", v, s, first.Var.Row(gp)[at])
			}
		}
	}
}

func TestWeightedStepsDoNotAllocate(t *testing.T) {
	if linalg.Kernels() == "gonum" {
		t.Skip("gonum's products allocate")
	}
	for _, samples := range []string{"1", "4"} {
		m := newWeightedModel(t, "samples", samples)
		familytest.Steps(t, m, 2)
		free := make([]float64, m.NumParameters())
		if n := testing.AllocsPerRun(20, func() { _, _ = m.problem.Evaluate(free) }); n != 0 {
			t.Errorf("K=%s: %v allocations per evaluation with gradient", samples, n)
		}
	}
}

// Lengthscales of latent variables are separate from the lengthscales of the inputs.
func TestLatentLengthscales(t *testing.T) {
	m := newWeightedModel(t, "latent_inputs", "2")
	var names []string
	for _, q := range m.Hyper() {
		if q.Name == "layer.0.kernel.lengthscale" && len(q.Value) != 6 {
			t.Errorf("%d lengthscales of three GPs over two inputs", len(q.Value))
		}
		names = append(names, q.Name)
	}
	if !slices.Contains(names, "layer.0.kernel.lengthscale.latent") {
		t.Errorf("quantities %q", names)
	}
}

// Kernels refer to latent variables by name.
func TestLatentNames(t *testing.T) {
	data := familytest.Wave(30, 1)
	data.Inputs = []string{"a", "b"}
	spec := weightedFamilies()[0]
	for kernel, valid := range map[string]bool{"rbf(a,b)+rbf(a,w2)|rbf": true, "rbf(a,w3)|rbf": false} {
		set := map[string]string{"kernel": kernel, "latent_inputs": "2", "inducing": "5"}
		v := familytest.Values(t, spec, set)
		if _, err := spec.New(v, data, 1); (err == nil) != valid {
			t.Errorf("%s: %v", kernel, err)
		}
	}
}
