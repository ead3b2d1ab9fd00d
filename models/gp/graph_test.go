package gp

import (
	"math/rand/v2"
	"testing"

	"dgplab/models/familytest"
	"dgplab/models/oracletest"
)

// problem holds data and initial parameters for tests.
type problem struct {
	kernel  string
	jitter  float64
	start   start
	x, y    []float64 // [N][D], [N][P]
	n, d, p int
}

// recordings maps each family to the function that records its objective.
var recordings = map[string]func(*graph){
	"gp": (*graph).recordExact, "sgpr": (*graph).recordSGPR, "fitc": (*graph).recordFITC,
}

// randomProblem returns a problem with n points, d inputs, p outputs and m inducing inputs.
func randomProblem(kind string, n, d, p, m int) problem {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	normals := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		return v
	}
	c := problem{
		kernel: kind,
		jitter: 1e-6,
		x:      normals(n * d),
		y:      normals(n * p),
		n:      n,
		d:      d,
		p:      p,
	}
	c.start = start{z: normals(m * d), lengthscales: make([]float64, d), variance: 1.3, noise: 0.2}
	for i := range c.start.lengthscales {
		c.start.lengthscales[i] = 0.7 + rng.Float64()
	}
	return c
}

// graph records the objective of a family; the exact GP ignores the inducing inputs.
func (c problem) graph(t testing.TB, family string) *graph {
	t.Helper()
	s := c.start
	if family == "gp" {
		s.z = nil
	}
	g, err := newGraph(familytest.Kernel(t, c.kernel, c.d), c.jitter, s, c.x, c.y, c.n, recordings[family])
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// evaluate returns the objective and its gradient with respect to the free parameters.
func evaluate(t testing.TB, g *graph) (value float64, gradient []float64) {
	t.Helper()
	gradient = make([]float64, g.set.Size())
	value, err := g.Evaluate(gradient)
	if err != nil {
		t.Fatal(err)
	}
	return value, gradient
}

func TestGradientsByCentralDifferences(t *testing.T) {
	for family := range recordings {
		for _, kind := range []string{"rbf", "matern32", "matern52", "rq(0)*periodic(1) + linear + white"} {
			c := randomProblem(kind, 12, 2, 2, 5)
			g := c.graph(t, family)
			gradient, differences := familytest.Gradients(t, g, familytest.Fourth, 1e-4)
			oracletest.Close(t, family+" "+kind, gradient, differences, 1e-8)
		}
	}
}

// If the inducing inputs are the data, the sparse approximations are exact.
func TestSparseIsExactWithDataAsInducingInputs(t *testing.T) {
	c := randomProblem("matern52", 15, 3, 2, 15)
	c.start.z, c.jitter = c.x, 0
	c.start.fixedZ = true
	exact, gradient := evaluate(t, c.graph(t, "gp"))
	for _, family := range []string{"sgpr", "fitc"} {
		g := c.graph(t, family)
		value, d := evaluate(t, g)
		oracletest.Close(t, family, []float64{value}, []float64{exact}, 1e-9)
		oracletest.Close(t, family+" gradient", d, gradient, 1e-8)
		if family == "sgpr" {
			oracletest.Close(t, "trace", g.terms[2].Value, []float64{0}, 1e-9)
		}
	}
}

// The objective of several outputs is the sum of single-output objectives.
func TestOutputsAddUp(t *testing.T) {
	c := randomProblem("rbf", 10, 2, 3, 4)
	for family := range recordings {
		value, gradient := evaluate(t, c.graph(t, family))
		var sum float64
		sums := make([]float64, len(gradient))
		for p := range c.p {
			one := c
			one.p, one.y = 1, make([]float64, c.n)
			for i := range one.y {
				one.y[i] = c.y[i*c.p+p]
			}
			v, d := evaluate(t, one.graph(t, family))
			sum += v
			for i, x := range d {
				sums[i] += x
			}
		}
		oracletest.Close(t, family, []float64{value}, []float64{sum}, 1e-12)
		oracletest.Close(t, family+" gradient", gradient, sums, 1e-10)
	}
}

func TestEvaluatingDoesNotAllocate(t *testing.T) {
	c := randomProblem("rbf", 40, 2, 1, 10)
	for family := range recordings {
		g := c.graph(t, family)
		gradient := make([]float64, g.set.Size())
		evaluate(t, g)
		if got := testing.AllocsPerRun(20, func() { _, _ = g.Evaluate(gradient) }); got != 0 {
			t.Errorf("%s: %v allocations", family, got)
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	for _, c := range []struct {
		family string
		n, m   int
	}{{"gp", 500, 1}, {"gp", 2000, 1}, {"sgpr", 2000, 200}, {"fitc", 2000, 200}} {
		b.Run(c.family, func(b *testing.B) {
			g := randomProblem("rbf", c.n, 13, 1, c.m).graph(b, c.family)
			gradient := make([]float64, g.set.Size())
			for b.Loop() {
				if _, err := g.Evaluate(gradient); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
