package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var kinds = []Stationary{RBF, Matern32, Matern52}

// problem is a random test problem; x is feature-major.
type problem struct {
	z, x, lengthscales []float64
	variance           float64
	m, d, p            int
}

func newProblem(m, d, p int) *problem {
	rng := rand.New(rand.NewPCG(uint64(m), uint64(1000*d+p)))
	c := &problem{m: m, d: d, p: p, variance: 1.7,
		z: make([]float64, m*d), x: make([]float64, d*p), lengthscales: make([]float64, d)}
	for i := range c.z {
		c.z[i] = rng.NormFloat64()
	}
	for i := range c.x {
		c.x[i] = rng.NormFloat64()
	}
	for i := range c.lengthscales {
		c.lengthscales[i] = math.Sqrt(float64(d)) * (0.5 + rng.Float64())
	}
	return c
}

// entry returns a covariance computed from the definition in the package comment.
func (c *problem) entry(kind Stationary, z, x func(d int) float64) float64 {
	var r2 float64
	for d := range c.d {
		t := (x(d) - z(d)) / c.lengthscales[d]
		r2 += t * t
	}
	r := math.Sqrt(r2)
	switch kind {
	case Matern32:
		return c.variance * (1 + math.Sqrt(3)*r) * math.Exp(-math.Sqrt(3)*r)
	case Matern52:
		return c.variance * (1 + math.Sqrt(5)*r + 5*r2/3) * math.Exp(-math.Sqrt(5)*r)
	}
	return c.variance * math.Exp(-r2/2)
}

func (c *problem) kuf(kind Stationary) []float64 {
	dst := make([]float64, c.m*c.p)
	kind.Kuf(dst, c.z, c.x, c.lengthscales, c.variance, make([]float64, 64), c.m, c.d, c.p)
	return dst
}

func (c *problem) kuu(kind Stationary) []float64 {
	dst := make([]float64, c.m*c.m)
	kind.Kuu(dst, c.z, c.lengthscales, c.variance, make([]float64, c.m*c.d+c.d), c.m, c.d)
	return dst
}

// shapes include odd and even dimensions and sizes around Tile.
var shapes = [][3]int{{1, 1, 1}, {3, 2, 5}, {4, 5, 7}, {2, 3, Tile - 1}, {2, 1, Tile}, {3, 4, Tile + 1},
	{2, 2, 2*Tile + 3}, {Tile + 3, 2, 2}}

func TestValuesAgainstDefinition(t *testing.T) {
	for _, kind := range kinds {
		for _, s := range shapes {
			c := newProblem(s[0], s[1], s[2])
			got := c.kuf(kind)
			self := c.kuu(kind)
			z := func(m int) func(int) float64 { return func(d int) float64 { return c.z[m*c.d+d] } }
			for m := range c.m {
				for p := range c.p {
					want := c.entry(kind, z(m), func(d int) float64 { return c.x[d*c.p+p] })
					if math.Abs(got[m*c.p+p]-want) > 1e-14 {
						t.Fatalf("%d %v: Kuf(%d, %d) = %v, want %v", kind, s, m, p, got[m*c.p+p], want)
					}
				}
				for n := range c.m {
					want := c.entry(kind, z(m), z(n))
					if math.Abs(self[m*c.m+n]-want) > 1e-14 || self[m*c.m+n] != self[n*c.m+m] {
						t.Fatalf("%d %v: Kuu(%d, %d) = %v, want %v", kind, s, m, n, self[m*c.m+n], want)
					}
				}
				if self[m*c.m+m] != c.variance {
					t.Fatalf("%d: k(z, z) = %v", kind, self[m*c.m+m])
				}
			}
		}
	}
}

// checkGradients compares gradients with central differences of the objective, a function of the
// input slices.
func checkGradients(
	t *testing.T,
	what string,
	objective func() float64,
	inputs map[string][]float64,
	gradients map[string][]float64,
) {
	t.Helper()
	for name, input := range inputs {
		for i := 0; i < len(input); i += 1 + len(input)/17 {
			const h = 1e-5
			v := input[i]
			input[i] = v + h
			up := objective()
			input[i] = v - h
			down := objective()
			input[i] = v
			want := (up - down) / (2 * h)
			objective() // evaluate at the original inputs
			if got := gradients[name][i]; math.Abs(got-want) > 3e-7*math.Max(1, math.Abs(want)) {
				t.Errorf("%s: gradient of %s[%d] is %v, central difference %v", what, name, i, got, want)
			}
		}
	}
}

func weightsFor(n int) []float64 {
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	w := make([]float64, n)
	for i := range w {
		w[i] = rng.NormFloat64()
	}
	return w
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// Gradients start at 1, to detect code that overwrites instead of adding.
func ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

func TestKufBackward(t *testing.T) {
	for _, kind := range kinds {
		for _, s := range shapes {
			c := newProblem(s[0], s[1], s[2])
			dK := weightsFor(c.m * c.p)
			variance := []float64{c.variance}
			objective := func() float64 {
				c.variance = variance[0]
				return dot(dK, c.kuf(kind)) + total(c.z, c.x, c.lengthscales, variance)
			}
			g := Grad{Z: ones(len(c.z)), X: ones(len(c.x)), Lengthscales: ones(c.d), Variance: &ones(1)[0]}
			scratch := make([]float64, backwardScratch(Tile)+c.d)
			kind.KufBackward(g, c.z, c.x, c.lengthscales, c.variance, c.kuf(kind),
				dK, scratch, c.m, c.d, c.p)
			checkGradients(t, fmt.Sprint(kind, s), objective,
				map[string][]float64{
					"Z": c.z, "X": c.x, "lengthscales": c.lengthscales, "variance": variance,
				},
				map[string][]float64{
					"Z": g.Z, "X": g.X, "lengthscales": g.Lengthscales, "variance": {*g.Variance},
				})

			// The other gradients must be the same without X.
			h := Grad{Z: ones(len(c.z)), Lengthscales: ones(c.d), Variance: &ones(1)[0]}
			kind.KufBackward(h, c.z, c.x, c.lengthscales, c.variance, c.kuf(kind),
				dK, scratch, c.m, c.d, c.p)
			for i, v := range append(append(g.Z, g.Lengthscales...), *g.Variance) {
				if w := append(append(h.Z, h.Lengthscales...), *h.Variance)[i]; w != v {
					t.Fatalf("%d %v: entry %d is %v without X, %v with it", kind, s, i, w, v)
				}
			}
			kind.KufBackward(Grad{}, c.z, c.x, c.lengthscales, c.variance, c.kuf(kind),
				dK, scratch, c.m, c.d, c.p)
		}
	}
}

// total adds the initial gradients of 1 to the objective.
func total(parts ...[]float64) (sum float64) {
	for _, p := range parts {
		for _, v := range p {
			sum += v
		}
	}
	return sum
}

func TestKuuBackward(t *testing.T) {
	for _, kind := range kinds {
		for _, s := range [][2]int{{1, 1}, {2, 3}, {9, 1}, {12, 4}, {Tile + 5, 2}} {
			c := newProblem(s[0], s[1], 1)
			dK := weightsFor(c.m * c.m) // not symmetric
			variance := []float64{c.variance}
			objective := func() float64 {
				c.variance = variance[0]
				return dot(dK, c.kuu(kind)) + total(c.z, c.lengthscales, variance)
			}
			g := Grad{Z: ones(len(c.z)), Lengthscales: ones(c.d), Variance: &ones(1)[0]}
			K := c.kuu(kind)
			for i := range c.m {
				K[i*c.m+i] += 0.1 // jitter must not change the gradients
			}
			kind.KuuBackward(g, c.z, c.lengthscales, c.variance, 0.1, K, dK,
				make([]float64, 2*c.m*c.d+backwardScratch(Tile)+c.d), c.m, c.d)
			checkGradients(t, fmt.Sprint(kind, s), objective,
				map[string][]float64{"Z": c.z, "lengthscales": c.lengthscales, "variance": variance},
				map[string][]float64{"Z": g.Z, "lengthscales": g.Lengthscales, "variance": {*g.Variance}})
			kind.KuuBackward(Grad{}, c.z, c.lengthscales, c.variance, 0, K, dK,
				make([]float64, 2*c.m*c.d+backwardScratch(Tile)+c.d), c.m, c.d)
		}
	}
}

// If a point coincides with an inducing input, the covariance is at its maximum, so all gradients
// except the gradient of the variance are zero. For the Matern kernels, this also tests that
// nothing divides by a zero distance.
func TestCoincidingPoints(t *testing.T) {
	for _, kind := range kinds {
		c := &problem{m: 2, d: 2, p: 2, variance: 0.8, lengthscales: []float64{0.3, 2},
			z: []float64{1, -2, 1, -2}, x: []float64{1, 1, -2, -2}}
		g := Grad{
			Z:            make([]float64, 4),
			X:            make([]float64, 4),
			Lengthscales: make([]float64, 2),
			Variance:     new(float64),
		}
		kind.KufBackward(g, c.z, c.x, c.lengthscales, c.variance, c.kuf(kind), ones(4),
			make([]float64, backwardScratch(Tile)+2), 2, 2, 2)
		kind.KuuBackward(g, c.z, c.lengthscales, c.variance, 0, c.kuu(kind), ones(4),
			make([]float64, 10+backwardScratch(Tile)), 2, 2)
		for i, v := range append(append(g.Z, g.X...), g.Lengthscales...) {
			if v != 0 {
				t.Errorf("%d: gradient %d is %v", kind, i, v)
			}
		}
		if math.Abs(*g.Variance-8) > 1e-14 {
			t.Errorf("%d: gradient of the variance is %v, want 8", kind, *g.Variance)
		}
	}
}

// For points so far apart that covariances vanish, gradients must also vanish.
func TestFarPoints(t *testing.T) {
	for _, kind := range kinds {
		c := &problem{
			m:            1,
			d:            1,
			p:            1,
			variance:     1,
			lengthscales: []float64{1},
			z:            []float64{0},
			x:            []float64{1e8},
		}
		K := c.kuf(kind)
		g := Grad{
			Z:            make([]float64, 1),
			X:            make([]float64, 1),
			Lengthscales: make([]float64, 1),
			Variance:     new(float64),
		}
		scratch := make([]float64, backwardScratch(Tile)+1)
		kind.KufBackward(g, c.z, c.x, c.lengthscales, 1, K, ones(1), scratch, 1, 1, 1)
		if K[0] != 0 || g.Z[0] != 0 || g.X[0] != 0 || g.Lengthscales[0] != 0 || *g.Variance != 0 {
			t.Errorf("%d: covariance %v, gradients %v %v %v %v",
				kind, K[0], g.Z, g.X, g.Lengthscales, *g.Variance)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	c := newProblem(10, 3, 300)
	K := c.kuf(RBF)
	dK := weightsFor(3000)
	scratch := make([]float64, 63+backwardScratch(Tile))
	self := c.kuu(RBF)
	g := Grad{
		Z:            make([]float64, 30),
		X:            make([]float64, 900),
		Lengthscales: make([]float64, 3),
		Variance:     new(float64),
	}
	for _, kind := range kinds {
		k := kind
		if a := testing.AllocsPerRun(20, func() {
			k.Kuf(K, c.z, c.x, c.lengthscales, c.variance, scratch, 10, 3, 300)
			k.Kuu(self, c.z, c.lengthscales, c.variance, scratch, 10, 3)
			k.KufBackward(g, c.z, c.x, c.lengthscales, c.variance, K, dK, scratch, 10, 3, 300)
			k.KuuBackward(g, c.z, c.lengthscales, c.variance, 0, self, dK, scratch, 10, 3)
		}); a != 0 {
			t.Errorf("%d: %v allocations a call", kind, a)
		}
	}
}

// Shapes in a training step on protein with M = 128: 2560 samples of 5 GPs, or 512 points of 9
// inputs.
var sizes = [][3]int{{128, 5, 2560}, {128, 9, 512}}

func BenchmarkKuf(b *testing.B) {
	for _, kind := range kinds {
		for _, s := range sizes {
			c := newProblem(s[0], s[1], s[2])
			dst := make([]float64, c.m*c.p)
			b.Run(fmt.Sprintf("%d/M%d_D%d_P%d", kind, s[0], s[1], s[2]), func(b *testing.B) {
				for b.Loop() {
					kind.Kuf(dst, c.z, c.x, c.lengthscales, c.variance,
						make([]float64, 64), c.m, c.d, c.p)
				}
				perEntry(b, len(dst))
			})
		}
	}
}

func BenchmarkKufBackward(b *testing.B) {
	for _, kind := range kinds {
		for _, s := range sizes {
			c := newProblem(s[0], s[1], s[2])
			K := c.kuf(kind)
			dK := weightsFor(c.m * c.p)
			scratch := make([]float64, backwardScratch(Tile)+c.d)
			g := Grad{
				Z:            make([]float64, len(c.z)),
				X:            make([]float64, len(c.x)),
				Lengthscales: make([]float64, c.d),
				Variance:     new(float64),
			}
			b.Run(fmt.Sprintf("%d/M%d_D%d_P%d", kind, s[0], s[1], s[2]), func(b *testing.B) {
				for b.Loop() {
					kind.KufBackward(g, c.z, c.x, c.lengthscales, c.variance, K,
						dK, scratch, c.m, c.d, c.p)
				}
				perEntry(b, len(K))
			})
		}
	}
}

func perEntry(b *testing.B, entries int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(entries), "ns/entry")
}

// The lower triangle of the covariances of inputs equals that of Kuu to the bit.
func TestLower(t *testing.T) {
	for _, m := range []int{1, 31, 32, 70} {
		c := newProblem(m, 3, m)
		for i := range m {
			for d := range c.d {
				c.x[d*m+i] = c.z[i*c.d+d]
			}
		}
		for _, kind := range kinds {
			lower := make([]float64, m*m)
			kind.Lower(lower, c.x, c.lengthscales, c.variance, make([]float64, m*c.d+c.d), m, c.d)
			want := c.kuu(kind)
			for i := range m {
				for j := range i + 1 {
					if lower[i*m+j] != want[i*m+j] {
						t.Fatalf("%v, %d points: entry %d, %d is %g, want %g", kind, m, i, j, lower[i*m+j],
							want[i*m+j])
					}
				}
			}
		}
	}
}

// The slopes of the radial functions are their derivatives with respect to the squared distance and to
// the shape.
func TestSlopesOfRadialFunctions(t *testing.T) {
	const h, shape = 1e-5, 1.5
	for _, f := range []radial{rbf, matern12, matern32, matern52, rationalQuadratic} {
		of := func(r2, shape float64) float64 {
			value, _, _ := f.of(r2, shape)
			return value
		}
		for _, r2 := range []float64{0.1, 1, 4} {
			_, slope, dShape := f.of(r2, shape)
			want := (of(r2+h, shape) - of(r2-h, shape)) / (2 * h)
			wantShape := (of(r2, shape+h) - of(r2, shape-h)) / (2 * h)
			if math.Abs(slope-want) > 1e-8 || math.Abs(dShape-wantShape) > 1e-8 {
				t.Errorf("%s at %v: slopes %v and %v, want %v and %v",
					f.Name, r2, slope, dShape, want, wantShape)
			}
		}
		if value := of(0, shape); value != 1 {
			t.Errorf("%s: %v at distance 0", f.Name, value)
		}
	}
}
