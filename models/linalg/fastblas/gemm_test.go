package fastblas

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// gemmCase is one call of Dgemm.
type gemmCase struct {
	tA, tB      blas.Transpose
	m, n, k     int
	alpha, beta float64
	a, b, c     operand
}

func randomGemm(rng *rand.Rand, m, n, k int) gemmCase {
	tA := transposes[rng.IntN(3)]
	tB := transposes[rng.IntN(3)]
	return newGemm(rng, tA, tB, m, n, k, factor(rng), factor(rng))
}

// newGemm returns a call with random operands.
func newGemm(rng *rand.Rand, tA, tB blas.Transpose, m, n, k int, alpha, beta float64) gemmCase {
	g := gemmCase{tA: tA, tB: tB, m: m, n: n, k: k, alpha: alpha, beta: beta}
	rows, cols := stored(g.tA, m, k)
	g.a = newOperand(rng, rows, cols)
	rows, cols = stored(g.tB, k, n)
	g.b = newOperand(rng, rows, cols)
	g.c = newOperand(rng, m, n)
	// gonum requires space for a whole matrix even if k is zero.
	if k == 0 {
		g.a.data = make([]float64, m*g.a.stride)
		g.b.data = make([]float64, n*g.b.stride)
	}
	return g
}

// expected evaluates the definition, without skipping zeros. bound is (k+4)*eps*(|alpha||A||B| +
// |beta||C|); the errors of the kernels and of this loop are each within half of it.
func (g gemmCase) expected() (want, bound operand) {
	want = g.c.clone()
	bound = g.c.clone()
	for i := range g.m {
		for j := range g.n {
			at := i*g.c.stride + j
			var old float64
			if g.beta != 0 {
				old = g.beta * g.c.data[at]
			}
			var sum, size float64
			for p := range g.k {
				x := g.a.element(g.tA, i, p) * g.b.element(g.tB, p, j)
				sum += x
				size += math.Abs(x)
			}
			if g.alpha == 0 || g.k == 0 {
				want.data[at], bound.data[at] = old, eps*math.Abs(old)
				continue
			}
			want.data[at] = old + g.alpha*sum
			bound.data[at] = float64(g.k+4) * eps * (math.Abs(g.alpha)*size + math.Abs(old))
		}
	}
	return want, bound
}

func (g gemmCase) run() operand {
	c := g.c.clone()
	Implementation{}.Dgemm(g.tA, g.tB, g.m, g.n, g.k, g.alpha, g.a.data, g.a.stride, g.b.data,
		g.b.stride, g.beta, c.data, c.stride)
	return c
}

func (g gemmCase) String() string {
	return label("Dgemm", string(g.tA), string(g.tB), " ", g.m, "x", g.n, "x", g.k, " alpha ",
		g.alpha, " beta ", g.beta,
		" strides ", g.a.stride, g.b.stride, g.c.stride)
}

func TestDgemm(t *testing.T) {
	forAllKernels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for range trials(120) {
			g := randomGemm(rng, dimension(rng), dimension(rng), dimension(rng))
			want, bound := g.expected()
			compare(t, g.String(), g.run(), want, bound)
		}
		// These shapes have every height and width of an edge, and sums divided into sections.
		for i := range 40 {
			g := randomGemm(rng, i, 41-i, 5+i%9)
			want, bound := g.expected()
			compare(t, g.String(), g.run(), want, bound)
		}
		for _, s := range [][3]int{{128, 100, 2050}, {70, 1, 3000}, {300, 90, 1100}} {
			if testing.Short() && s[0] == 300 {
				continue
			}
			g := randomGemm(rng, s[0], s[1], s[2])
			g.alpha = 1.5
			want, bound := g.expected()
			compare(t, g.String(), g.run(), want, bound)
		}
	})
}

// TestDgemmPropagates checks that NaN and infinities propagate to all elements that depend on them,
// and to no others. gonum's loops skip zeros, so they are compared with the definition only if the
// operands have none.
func TestDgemmPropagates(t *testing.T) {
	forAllKernels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for range trials(150) {
			g := randomGemm(rng, 1+rng.IntN(70), 1+rng.IntN(70), 1+rng.IntN(70))
			switch {
			case active == nil && g.alpha == 0:
				g.alpha = 1 // gonum multiplies NaN by alpha = 0
			case active != nil && rng.IntN(2) == 0:
				g.a = g.a.mapped(func(float64) float64 { return 0 })
			}
			g.a.poison(rng, rng.IntN(3))
			g.b.poison(rng, rng.IntN(3))
			if g.beta == 0 || rng.IntN(2) == 0 {
				g.c.poison(rng, 5)
			}
			want, bound := g.expected()
			compare(t, g.String(), g.run(), want, bound)
		}
	})
}

// TestDgemmOverwrites checks that beta = 0 does not read C.
func TestDgemmOverwrites(t *testing.T) {
	forAllKernels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		for _, n := range []int{1, 7, 16, 100} {
			g := randomGemm(rng, n, n+3, n+5)
			g.alpha, g.beta = 1, 0
			g.c = g.c.mapped(func(float64) float64 { return math.NaN() })
			want, bound := g.expected()
			compare(t, g.String(), g.run(), want, bound)
		}
	})
}
