package gprn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/familytest"
	"dgplab/models/linalg"
	"dgplab/models/oracletest"
)

type goldenNPVState struct {
	KernelF  goldenKernel    `json:"kernel_f"`
	KernelW  goldenKernel    `json:"kernel_w"`
	NoiseVar float64         `json:"noise_var"`
	MuF      [][][]float64   `json:"mu_f"`
	MuW      [][][][]float64 `json:"mu_w"`
	Sigma2   []float64       `json:"sigma2"`
}

type goldenNPV struct {
	golden
	Params, Grad goldenNPVState
	Expect       struct {
		Objective float64
		Parts     struct {
			LogJoint float64 `json:"expected_log_joint"`
			Entropy  float64 `json:"entropy_bound"`
		}
		Mixture []float64 `json:"log_mixture_at_means"`
		Predict struct {
			Mean  [][][]float64 `json:"component_mean"`
			YMean [][]float64   `json:"y_mean"`
			YCov  [][][]float64 `json:"y_cov"`
		}
	}
}

func flat4(v [][][][]float64) (out []float64) {
	for _, a := range v {
		out = append(out, flat3(a)...)
	}
	return out
}

func flat3(v [][][]float64) (out []float64) {
	for _, a := range v {
		out = append(out, slices.Concat(a...)...)
	}
	return out
}

// setMeans sets the means of functions.
func setMeans(t *testing.T, m *means, mean []float64) {
	t.Helper()
	m.forward()
	if m.err != nil {
		t.Fatal(m.err)
	}
	copy(m.free, mean)
	n := m.prior.data.n
	for at := 0; at < len(mean); at += n {
		linalg.SolveLower(m.l, m.free[at:at+n], n, 1, 1)
	}
}

func TestNonparametricOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "gprn_npv") {
		var c goldenNPV
		oracletest.Decode(t, file.Text, &c)
		t.Run(file.Name, func(t *testing.T) { c.check(t) })
	}
}

func (c *goldenNPV) check(t *testing.T) {
	d := c.data()
	m, err := newNPV(d, c.Config.Q, c.Config.K, c.Params.NoiseVar,
		c.priorOf(t, "latent", c.Config.KernelF, c.Params.KernelF, d),
		c.priorOf(t, "weight", c.Config.KernelW, c.Params.KernelW, d))
	if err != nil {
		t.Fatal(err)
	}
	setMeans(t, m.latent, flat3(c.Params.MuF))
	setMeans(t, m.weight, flat4(c.Params.MuW))
	copy(m.variances, c.Params.Sigma2)
	value, err := m.Evaluate(make([]float64, m.set.Size()))
	if err != nil {
		t.Fatal(err)
	}
	checkValue(t, "objective", value, c.Expect.Objective)
	oracletest.Close(t, "parts", m.terms, []float64{c.Expect.Parts.LogJoint, c.Expect.Parts.Entropy},
		oracletest.ValueTolerance)
	oracletest.Close(t, "log mixture at means", m.entropy.mixture, c.Expect.Mixture,
		oracletest.ValueTolerance)
	oracletest.Close(t, "noise", m.dNoise, []float64{c.Grad.NoiseVar}, oracletest.GradientTolerance)
	oracletest.Close(t, "variances", m.dVariances, c.Grad.Sigma2, oracletest.GradientTolerance)
	checkNatural(t, m.latent, m.k, flat3(c.Grad.MuF), c.Grad.KernelF)
	checkNatural(t, m.weight, m.k, flat4(c.Grad.MuW), c.Grad.KernelW)

	mixed := m.mixture(slices.Concat(c.Data.Xtest...))
	for k, want := range c.Expect.Predict.Mean {
		for point, outputs := range want {
			for i, v := range outputs {
				mean, _ := mixed.output(mixed.components[k], i, point)
				checkValue(t, "mean of a component", mean, v)
			}
		}
	}
	checkOutputs(t, mixed, goldenPrediction{YMean: c.Expect.Predict.YMean, YCov: c.Expect.Predict.YCov})
}

// checkNatural compares the gradients with respect to the means, and to the kernel with the means
// held fixed. With alpha = K^-1 mean, the prior adds -alpha to the first gradient and alpha alpha^T
// / 2 to the second, in place of the gradient through the factor of K.
func checkNatural(t *testing.T, m *means, components int, mean []float64, want goldenKernel) {
	t.Helper()
	n, share := m.prior.data.n, 1/float64(components)
	inverse := mat.NewDense(n, n, m.inverse)
	dK := make([]float64, n*n)
	linalg.CholeskyBackward(dK, m.l, m.dL, m.scratch, n)
	scale(dK, -1)
	got := slices.Clone(m.dMean)
	for at := 0; at < len(mean); at += n {
		var alpha mat.VecDense
		alpha.MulVec(inverse, mat.NewVecDense(n, m.mean[at:at+n]))
		for i := range n {
			got[at+i] -= share * alpha.AtVec(i)
			for j := range n {
				dK[i*n+j] += 0.5 * share * alpha.AtVec(i) * alpha.AtVec(j)
			}
		}
	}
	oracletest.Close(t, m.prior.name+" means", got, mean, oracletest.GradientTolerance)
	for i, v := range m.dK {
		dK[i] += v
	}
	m.prior.backward(dK)
	checkPriorGradient(t, m.prior, want)
}

// nonparametric returns the posterior of a setting at random parameters.
func (s setting) nonparametric(t testing.TB, components int) *npv {
	t.Helper()
	d := newData(s.targets())
	k := familytest.Kernel(t, s.kind, s.d)
	scales := func(c float64) []float64 { return []float64{c} }
	m, err := newNPV(d, s.q, components, s.noise, newPrior("latent", k, d, 1e-4, 1.2, scales(s.scale), true),
		newPrior("weight", k, d, 1e-4, 0.8, scales(2*s.scale), true))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(s.seed, 5))
	for i := range m.set.Free {
		m.set.Free[i] += 0.3 * rng.NormFloat64()
	}
	for k := range m.variances { // components must overlap
		at, _ := m.set.Range(2)
		m.set.Free[at+k] = math.Log(0.3 * float64(k+1))
	}
	m.set.Forward()
	return m
}

func TestNonparametricGradientsByCentralDifferences(t *testing.T) {
	for name, s := range settings {
		if s.n > 20 || name == "weak" {
			continue
		}
		for components := 1; components <= 3; components++ {
			checkDifferences(t, name, s.nonparametric(t, components))
		}
	}
}

// The bound stays finite for distant or very narrow components.
func TestEntropyOfDistantComponents(t *testing.T) {
	m := settings["plain"].nonparametric(t, 3)
	for i := range m.latent.free {
		m.latent.free[i] *= 1e4 * float64(i)
	}
	fill(m.variances, 1e-11)
	gradient := make([]float64, m.set.Size())
	if value, err := m.Evaluate(gradient); err != nil || math.IsNaN(value) || math.IsInf(value, 0) ||
		math.IsNaN(slices.Max(gradient)) {
		t.Errorf("%v, %v", value, err)
	}
	want := -0.5*float64(m.q*(m.p+1)*m.n)*math.Log(4*math.Pi*1e-11) - math.Log(3)
	for _, q := range m.entropy.mixture {
		checkValue(t, "log mixture", q, want)
	}
}

func TestNonparametricStepsDoNotAllocate(t *testing.T) {
	m := settings["40 points"].nonparametric(t, 2)
	gradient := make([]float64, m.set.Size())
	evaluate := func() {
		if _, err := m.Evaluate(gradient); err != nil {
			t.Fatal(err)
		}
	}
	evaluate()
	if got := testing.AllocsPerRun(20, evaluate); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// Kernels and noise stay fixed in the first phase, and the bound never decreases.
func TestHyperparametersFixedAtFirst(t *testing.T) {
	spec := Families()[1]
	m := build(t, spec, someData, map[string]string{"hyper_after": "6", "components": "2"}).(*NPV)
	at, _ := m.npv.set.Range(numVariational)
	before := slices.Clone(m.npv.set.Free[at:])
	last := math.Inf(-1)
	for k := range 15 {
		r := familytest.Steps(t, m, 1)
		if same := slices.Equal(m.npv.set.Free[at:], before); same != (k < 9) ||
			(r.Phase == "posterior only") != (same && k >= 3) {
			t.Errorf("step %d: held %v, phase %q", k, same, r.Phase)
		}
		if r.Objective < last {
			t.Errorf("step %d: %v after %v", k, r.Objective, last)
		}
		last = r.Objective
	}
}
