package fastblas

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
)

var (
	sides     = []blas.Side{blas.Left, blas.Right}
	triangles = []blas.Uplo{blas.Lower, blas.Upper}
	diagonals = []blas.Diag{blas.NonUnit, blas.Unit}
)

// TestDsyrk compares Dsyrk with the definition of the product A*Aᵀ in the triangle, and checks that
// the rest of C is unchanged.
func TestDsyrk(t *testing.T) {
	forAllKernels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 8))
		for trial := range trials(80) {
			n := dimension(rng)
			k := dimension(rng)
			if trial == 0 {
				n, k = 90, 2100
			}
			g := randomGemm(rng, n, n, k)
			g.tA = transposes[rng.IntN(3)]
			rows, cols := stored(g.tA, n, k)
			g.a = newOperand(rng, rows, cols)
			if k == 0 {
				g.a.data = make([]float64, n*g.a.stride)
			}
			if active != nil && trial%4 == 0 && g.alpha != 0 {
				g.a.poison(rng, 2)
			}
			g.b, g.tB = g.a, blas.Trans
			if g.tA != blas.NoTrans {
				g.tB = blas.NoTrans
			}
			ul := triangles[rng.IntN(2)]
			want, bound := g.expected()
			keepOther(want, g.c, ul, n)
			got := g.c.clone()
			Implementation{}.Dsyrk(ul, g.tA, n, k, g.alpha, g.a.data, g.a.stride,
				g.beta, got.data, got.stride)
			compare(t, label("Dsyrk", string(ul), g), got, want, bound)
		}
	})
}

// keepOther copies the elements of c outside of the triangle ul to want.
func keepOther(want, c operand, ul blas.Uplo, n int) {
	for i := range n {
		for j := range n {
			if (ul == blas.Lower && j > i) || (ul == blas.Upper && j < i) {
				want.data[i*want.stride+j] = c.data[i*want.stride+j]
			}
		}
	}
}

// TestDgemmt compares Dgemmt with the triangle of the product of two factors, even without kernels.
func TestDgemmt(t *testing.T) {
	check := func(t *testing.T) {
		rng := rand.New(rand.NewPCG(17, 18))
		for trial := range trials(60) {
			n := max(1, dimension(rng))
			k := max(1, dimension(rng))
			g := randomGemm(rng, n, n, k)
			g.tA, g.tB = blas.NoTrans, blas.Trans
			g.a = newOperand(rng, n, k)
			g.b = newOperand(rng, n, k)
			if active != nil && trial%4 == 0 && g.alpha != 0 {
				g.a.poison(rng, 2)
			}
			ul := triangles[rng.IntN(2)]
			want, bound := g.expected()
			keepOther(want, g.c, ul, n)
			got := g.c.clone()
			Implementation{}.Dgemmt(ul, n, k, g.alpha, g.a.data, g.a.stride, g.b.data, g.b.stride,
				g.beta, got.data, got.stride)
			compare(t, label("Dgemmt", string(ul), g), got, want, bound)
		}
	}
	forAllKernels(t, check)
	t.Run("gonum", func(t *testing.T) {
		defer func(kn *kernels) { active = kn }(active)
		active = nil
		check(t)
	})
}

// TestDsymm compares Dsymm with the definition; the triangle that must not be read is NaN.
func TestDsymm(t *testing.T) {
	forAllKernels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 10))
		for trial := range trials(60) {
			m := dimension(rng)
			n := dimension(rng)
			side := sides[rng.IntN(2)]
			ul := triangles[rng.IntN(2)]
			order := m
			if side == blas.Right {
				order = n
			}
			g := gemmCase{
				tA:    blas.NoTrans,
				tB:    blas.NoTrans,
				m:     m,
				n:     n,
				k:     order,
				alpha: factor(rng),
				beta:  factor(rng),
				c:     newOperand(rng, m, n),
			}
			a := newOperand(rng, order, order)
			b := newOperand(rng, m, n)
			if active != nil && trial%4 == 0 && g.alpha != 0 {
				b.poison(rng, 2)
			}
			full := a.clone()
			for i := range order {
				for j := range i {
					low, high := i*a.stride+j, j*a.stride+i
					if ul == blas.Lower {
						full.data[high], a.data[high] = a.data[low], math.NaN()
					} else {
						full.data[low], a.data[low] = a.data[high], math.NaN()
					}
				}
			}
			g.a, g.b = full, b
			if side == blas.Right {
				g.a, g.b = b, full
			}
			want, bound := g.expected()
			got := g.c.clone()
			Implementation{}.Dsymm(side, ul, m, n, g.alpha, a.data, a.stride, b.data, b.stride,
				g.beta, got.data, got.stride)
			compare(t, label("Dsymm", string(side), string(ul), g), got, want, bound)
		}
	})
}
