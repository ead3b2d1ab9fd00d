package gprn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/familytest"
	"dgplab/models/infer"
	"dgplab/models/oracletest"
	"dgplab/models/stats"
)

// setting describes a random network for tests.
type setting struct {
	kind    string
	latents string // the kernels of the latent functions if they differ
	n, d    int
	p, q    int
	shared  bool    // one lengthscale for all inputs
	missing float64 // fraction of missing targets
	noise   float64
	scale   float64 // approximate lengthscale
	seed    uint64
}

// targets returns random inputs and targets.
func (s setting) targets() (x, y *mat.Dense) {
	rng := rand.New(rand.NewPCG(s.seed, uint64(s.n)))
	x = mat.NewDense(s.n, s.d, nil)
	y = mat.NewDense(s.n, s.p, nil)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
	y.Apply(func(n, i int, _ float64) float64 {
		v := math.Sin(float64(i+1)*x.At(n, 0)) + 0.3*rng.NormFloat64()
		if rng.Float64() < s.missing {
			return math.NaN()
		}
		return v
	}, y)
	return x, y
}

// network returns the network of a setting after one start.
func (s setting) network(t testing.TB) *network {
	t.Helper()
	return s.networkOf(t, newData(s.targets()))
}

func (s setting) networkOf(t testing.TB, d *data) *network {
	t.Helper()
	scales := func(c float64) []float64 {
		if s.shared {
			return []float64{c}
		}
		list := make([]float64, s.d)
		for k := range list {
			list[k] = c * (1 + 0.3*float64(k))
		}
		return list
	}
	k := familytest.Kernel(t, s.kind, s.d)
	var latents []*prior
	for _, text := range strings.Split(s.latents, "&") {
		own := k
		if s.latents != "" {
			own = familytest.Kernel(t, text, s.d)
		}
		latents = append(latents, newPrior("latent", own, d, 1e-6, 1.2, scales(s.scale), true))
		if s.latents != "" {
			latents[len(latents)-1].label(len(latents)-1, s.q)
		}
	}
	m, err := newNetwork(d, s.q, s.noise, latents,
		newPrior("weight", k, d, 1e-6, 0.8, scales(2*s.scale), true))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.refresh(); err != nil {
		t.Fatal(err)
	}
	if err := m.begin(t.Context(), 0, stats.Stream(s.seed, "start", 0)); err != nil {
		t.Fatal(err)
	}
	return m
}

var settings = map[string]setting{
	"plain": {kind: "rbf", n: 12, d: 2, p: 3, q: 2, noise: 0.2, scale: 1, seed: 1},
	"missing": {kind: "matern32", n: 14, d: 1, p: 3, q: 2, missing: 0.3,
		noise: 0.1, scale: 0.7, seed: 2},
	"one length": {kind: "matern52", n: 10, d: 3, p: 2, q: 3, shared: true,
		noise: 0.3, scale: 1, seed: 3},
	"composite": {kind: "rbf(0)*periodic(1) + linear + white", n: 10, d: 2, p: 2, q: 2,
		noise: 0.2, scale: 1, seed: 5},
	"one output":   {kind: "rbf", n: 12, d: 1, p: 1, q: 1, noise: 0.05, scale: 1, seed: 4},
	"weak":         {kind: "rbf", n: 12, d: 2, p: 2, q: 2, noise: 1e5, scale: 1, seed: 5},
	"little noise": {kind: "rbf", n: 12, d: 2, p: 2, q: 2, noise: 1e-3, scale: 1, seed: 6},
	"40 points": {kind: "rbf", n: 40, d: 2, p: 3, q: 2, missing: 0.2,
		noise: 0.2, scale: 1.5, seed: 7},
	"latent kernels": {kind: "rbf", latents: "matern52(0)&rbf*linear + white&rq", n: 17, d: 2, p: 2, q: 3,
		missing: 0.2, noise: 0.3, scale: 1, seed: 4},
	"150 points": {kind: "rbf", n: 150, d: 2, p: 2, q: 2, missing: 0.1,
		noise: 0.2, scale: 2, seed: 8},
}

func TestGradientsByCentralDifferences(t *testing.T) {
	for name, s := range settings {
		checkDifferences(t, name, s.network(t))
	}
}

// checkDifferences compares the gradient of a problem with central differences.
func checkDifferences(t *testing.T, name string, p infer.Problem) {
	t.Helper()
	value, err := p.Evaluate(nil)
	if err != nil {
		t.Fatal(err)
	}
	gradient, differences := familytest.Gradients(t, p, familytest.Fourth, 1e-3)
	for k, difference := range differences {
		if math.Abs(gradient[k]-difference) > 1e-7*max(1, math.Abs(value)) {
			t.Errorf("%s: %s: %v, central difference %v",
				name, p.Parameters().NameAt(k), gradient[k], difference)
		}
	}
}

// The posterior of a network, computed without inverses, equals its definition.
func TestPosteriorMatchesDefinition(t *testing.T) {
	for name, s := range settings {
		m := s.network(t)
		// Compare the terms only if explicit inverses are accurate.
		want := referenceOf(m).parts()
		oracletest.Close(t, name+" terms", m.terms,
			[]float64{want.LogLik, -want.PriorF - want.EntropyF, -want.PriorW - want.EntropyW}, 1e-7)
		for _, g := range m.groups {
			sigma := m.sigma(g)
			for n, v := range g.variance {
				if d := sigma.At(n, n); math.Abs(v-d) > 1e-8*d {
					t.Errorf("%s: %s: variance %d is %v, want %v", name, g.matrix, n, v, d)
				}
			}
			for _, f := range g.members {
				var mean mat.VecDense
				mean.MulVec(sigma, mat.NewVecDense(m.n, f.linear))
				mean.ScaleVec(1/m.noise[0], &mean)
				oracletest.Close(t, name+" mean", f.mean, mean.RawVector().Data, 1e-7)
			}
		}
	}
}

// No sweep and no hyperparameter update lowers the bound.
func TestBoundNeverDecreases(t *testing.T) {
	models := uint64(25)
	if testing.Short() {
		models = 8
	}
	for seed := range models {
		rng := rand.New(rand.NewPCG(seed, 77))
		kinds := []string{"rbf", "matern32", "matern52"}
		s := setting{kind: kinds[rng.IntN(3)], n: 5 + rng.IntN(30), d: 1 + rng.IntN(3),
			p: 1 + rng.IntN(4), q: 1 + rng.IntN(3),
			shared: rng.IntN(2) == 0, missing: 0.4 * float64(rng.IntN(2)) * rng.Float64(),
			noise: math.Exp(4*rng.NormFloat64() - 2), scale: math.Exp(rng.NormFloat64()), seed: seed}
		m := s.network(t)
		e := newEM(m, newStarts(2, seed, ""), 2, 3, 10, 1e-12)
		last := m.bound()
		for k := range uint64(12) {
			// The reported bound equals the recomputed bound of the state.
			move, err := e.Step(t.Context(), m, k)
			if err != nil {
				t.Fatal(err)
			}
			rounding := 1e-10 * max(1, math.Abs(last))
			if move.Objective < last-rounding {
				t.Errorf("%+v: step %d: %v after %v", s, k, move.Objective, last)
			}
			last = move.Objective
			if err := m.refresh(); err != nil || m.bound() != last {
				t.Errorf("%+v: step %d: %v, recomputed %v, %v", s, k, last, m.bound(), err)
			}
		}
	}
}

// A point without observed targets does not contribute. The weights of an output without targets
// keep their prior.
func TestMissingTargets(t *testing.T) {
	s := setting{kind: "rbf", n: 20, d: 2, p: 3, q: 2, missing: 0.2, noise: 0.1, scale: 1, seed: 3}
	x, y := s.targets()
	nan := make([]float64, s.p)
	fill(nan, math.NaN())
	for _, n := range []int{4, 11} {
		y.SetRow(n, nan)
	}
	kept := mat.NewDense(s.n-2, s.d, nil)
	left := mat.NewDense(s.n-2, s.p, nil)
	at := 0
	for n := range s.n {
		if n != 4 && n != 11 {
			kept.SetRow(at, x.RawRowView(n))
			left.SetRow(at, y.RawRowView(n))
			at++
		}
	}
	whole := s.networkOf(t, newData(x, y))
	part := s.networkOf(t, newData(kept, left))
	for range 10 {
		if whole.sweep() != nil || part.sweep() != nil {
			t.Fatal("a sweep failed")
		}
		oracletest.Close(t, "bound", []float64{whole.bound()}, []float64{part.bound()}, 1e-9)
	}
	a := make([]float64, whole.set.Size())
	b := make([]float64, part.set.Size())
	if _, err := whole.Evaluate(a); err != nil {
		t.Fatal(err)
	}
	if _, err := part.Evaluate(b); err != nil {
		t.Fatal(err)
	}
	oracletest.Close(t, "gradient", a, b, 1e-8)

	for n := range s.n {
		y.Set(n, 1, math.NaN())
	}
	m := s.networkOf(t, newData(x, y))
	for _, w := range m.weights(1) {
		if slices.Max(w.mean) != 0 || slices.Min(w.mean) != 0 || math.Abs(w.variance[3]-0.8-1e-6) > 1e-12 {
			t.Errorf("weights of an output without targets: %v, %v", w.mean, w.variance)
		}
	}
	oracletest.Close(t, "divergence", []float64{m.groups[3].divergence(m.groups[3].members[0])},
		[]float64{0}, 1e-12)
}

// Outputs observed at the same points share their covariances.
func TestGroups(t *testing.T) {
	y := mat.NewDense(3, 4, []float64{1, 2, 3, math.NaN(), 4, math.NaN(), 5, 6, 7, 8, 9, 1})
	s := setting{kind: "rbf", n: 3, d: 1, p: 4, q: 2, noise: 0.1, scale: 1}
	m := s.networkOf(t, newData(mat.NewDense(3, 1, []float64{0, 1, 2}), y))
	var got []string
	matrix := strings.NewReplacer("B of ", "", "functions, GP ", "")
	for _, g := range m.groups {
		got = append(got, fmt.Sprintf("%s x%d", matrix.Replace(g.matrix), len(g.members)))
	}
	want := []string{"latent f_1 x1", "latent f_2 x1", "weight w_11 w_31 x2", "weight w_21 x1",
		"weight w_41 x1", "weight w_12 w_32 x2", "weight w_22 x1", "weight w_42 x1"}
	if !slices.Equal(got, want) {
		t.Errorf("groups %q", got)
	}
}

func TestStepsDoNotAllocate(t *testing.T) {
	m := settings["40 points"].network(t)
	e := newEM(m, newStarts(0, 0, ""), 1, 2, 5, 1e-12)
	ctx := t.Context()
	step := func() {
		if _, err := e.Step(ctx, m, 0); err != nil {
			t.Fatal(err)
		}
	}
	step()
	if got := testing.AllocsPerRun(20, step); got != 0 {
		t.Errorf("%v allocations per step", got)
	}
}

func BenchmarkSweep(b *testing.B) {
	for _, s := range []setting{
		{kind: "rbf", n: 103, d: 7, p: 3, q: 2, noise: 0.1, scale: 2},
		{kind: "rbf", n: 359, d: 2, p: 3, q: 2, noise: 0.1, scale: 0.5},
		{kind: "rbf", n: 2000, d: 2, p: 7, q: 2, noise: 0.1, scale: 0.5},
	} {
		b.Run(fmt.Sprintf("n=%d", s.n), func(b *testing.B) {
			m := s.network(b)
			gradient := make([]float64, m.set.Size())
			b.Run("sweep", func(b *testing.B) {
				for b.Loop() {
					if err := m.sweep(); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("gradient", func(b *testing.B) {
				for b.Loop() {
					if _, err := m.Evaluate(gradient); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

// A step that meets a non-finite value returns an error and changes nothing.
func TestNonFiniteSteps(t *testing.T) {
	s := setting{kind: "rbf", n: 12, d: 2, p: 2, q: 1, noise: 0.1, scale: 1, seed: 3}
	for _, c := range []struct {
		starts, every int
		noise, target float64
		want          string
	}{
		{0, 0, math.Inf(1), 1, "the objective is"}, {1, 0, math.Inf(1), 1, "the objective is"},
		{0, 0, math.NaN(), 1, "B of latent functions"}, {1, 0, math.NaN(), 1, "B of latent functions"},
		{0, 1, 0.1, 1e154, "gradient entry 0 is NaN"},
	} {
		m := s.network(t)
		e := newEM(m, newStarts(c.starts, 1, ""), c.every, 2, 5, 1e-12)
		m.noise[0], m.y[3] = c.noise, c.target
		if move, err := e.Step(t.Context(), m, 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %+v, %v", c, move, err)
		}
	}
}

// A cancelled start returns an error and leaves the parameters unchanged.
func TestStagedStartsCancelled(t *testing.T) {
	s := setting{kind: "rbf", n: 12, d: 2, p: 2, q: 1, noise: 0.1, scale: 1, seed: 3}
	m := s.nonparametric(t, 2)
	steps := newStaged(m, newStarts(2, 1, ""), func() *infer.LBFGS {
		return infer.NewLBFGS(m.set.Size(), 10, infer.Tolerances{Gradient: 1e-9})
	})
	before := slices.Clone(m.set.Free)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if move, err := steps.Step(ctx, m, 0); !errors.Is(err, context.Canceled) ||
		!slices.Equal(m.set.Free, before) {
		t.Errorf("%+v, %v", move, err)
	}
}
