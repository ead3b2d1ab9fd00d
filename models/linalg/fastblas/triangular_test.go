package fastblas

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// triangleCase is one call of Dtrmm or Dtrsm.
type triangleCase struct {
	side  blas.Side
	ul    blas.Uplo
	tA    blas.Transpose
	diag  blas.Diag
	m, n  int
	alpha float64
	a, b  operand
}

func randomTriangle(rng *rand.Rand, m, n int) triangleCase {
	side := sides[rng.IntN(2)]
	ul := triangles[rng.IntN(2)]
	tA := transposes[rng.IntN(3)]
	diag := diagonals[rng.IntN(2)]
	return newTriangle(rng, side, ul, tA, diag, m, n, factor(rng))
}

// newTriangle returns a well-conditioned triangle. Elements that must not be read (the other
// triangle and a unit diagonal) are NaN.
func newTriangle(
	rng *rand.Rand, side blas.Side, ul blas.Uplo, tA blas.Transpose, diag blas.Diag, m, n int, alpha float64,
) triangleCase {
	c := triangleCase{
		side:  side,
		ul:    ul,
		tA:    tA,
		diag:  diag,
		m:     m,
		n:     n,
		alpha: alpha,
		b:     newOperand(rng, m, n),
	}
	order := c.order()
	c.a = newOperand(rng, order, order)
	for i := range order {
		for j := range order {
			at := &c.a.data[i*c.a.stride+j]
			switch {
			case i == j && c.diag == blas.Unit, c.ul == blas.Lower && j > i, c.ul == blas.Upper && j < i:
				*at = math.NaN()
			case i == j:
				*at = 1 + rng.Float64()
			default:
				*at /= float64(order)
			}
		}
	}
	return c
}

func (c triangleCase) order() int {
	if c.side == blas.Left {
		return c.m
	}
	return c.n
}

func (c triangleCase) String() string {
	return label("triangle",
		string(c.side), string(c.ul), string(c.tA), string(c.diag), " ", c.m, "x", c.n, " alpha ", c.alpha)
}

// element returns element (i, j) of op(A) and reports whether it is in the triangle.
func (c triangleCase) element(i, j int) (float64, bool) {
	if i == j && c.diag == blas.Unit {
		return 1, true
	}
	x := c.a.element(c.tA, i, j)
	isLower := (c.ul == blas.Lower) == (c.tA == blas.NoTrans)
	return x, i == j || (i > j) == isLower
}

// product returns op(A)*x or x*op(A), and the same product of the absolute values. It uses only the
// triangle.
func (c triangleCase) product(x operand) (sum, size operand) {
	sum = x.clone()
	size = x.clone()
	for i := range c.m {
		for j := range c.n {
			at := i*x.stride + j
			sum.data[at], size.data[at] = 0, 0
			for p := range c.order() {
				row, col, other := i, p, p*x.stride+j
				if c.side == blas.Right {
					row, col, other = p, j, i*x.stride+p
				}
				if e, in := c.element(row, col); in {
					sum.data[at] += e * x.data[other]
					size.data[at] += math.Abs(e * x.data[other])
				}
			}
		}
	}
	return sum, size
}

func triangleShape(rng *rand.Rand, trial int) (m, n int) {
	switch trial {
	case 0:
		return 500, 20
	case 1:
		return 20, 500
	}
	return dimension(rng), dimension(rng)
}

// TestDtrmm compares Dtrmm with the definition.
func TestDtrmm(t *testing.T) {
	forAllKernels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(11, 12))
		for trial := range trials(80) {
			m, n := triangleShape(rng, trial)
			c := randomTriangle(rng, m, n)
			if active != nil && trial%4 == 3 && c.alpha != 0 {
				c.b.poison(rng, 2)
			}
			want, bound := c.product(c.b)
			want = want.mapped(func(x float64) float64 { return c.alpha * x })
			bound = bound.mapped(func(x float64) float64 {
				return float64(c.order()+4) * eps * math.Abs(c.alpha) * x
			})
			if c.alpha == 0 {
				want = want.mapped(func(float64) float64 { return 0 })
			}
			got := c.b.clone()
			Implementation{}.Dtrmm(c.side, c.ul, c.tA, c.diag, m, n, c.alpha, c.a.data,
				c.a.stride, got.data, got.stride)
			compare(t, c.String(), got, want, bound)
		}
	})
}

// TestDtrsm checks the residual of the solution: |op(A)*X - alpha*B| is within
// (order+4)*eps*(|op(A)||X| + |alpha*B|), Higham, "Accuracy and Stability of
// Numerical Algorithms", 2002, theorem 8.5.
func TestDtrsm(t *testing.T) {
	forAllKernels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(13, 14))
		for trial := range trials(80) {
			m, n := triangleShape(rng, trial)
			c := randomTriangle(rng, m, n)
			got := c.b.clone()
			Implementation{}.Dtrsm(c.side, c.ul, c.tA, c.diag, m, n, c.alpha, c.a.data,
				c.a.stride, got.data, got.stride)
			back, size := c.product(got)
			want := c.b.mapped(func(x float64) float64 { return c.alpha * x })
			for i := range size.data {
				size.data[i] = 2 * float64(c.order()+4) * eps * (size.data[i] + math.Abs(want.data[i]))
			}
			compare(t, c.String(), back, want, size)
		}
	})
}

// TestDtrsmPropagates checks the elements of the solution to which a NaN in B propagates.
func TestDtrsmPropagates(t *testing.T) {
	forAllKernels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(15, 16))
		for range trials(60) {
			c := randomTriangle(rng, 1+rng.IntN(60), 1+rng.IntN(60))
			c.alpha = 1
			at := rng.IntN(c.m)*c.b.stride + rng.IntN(c.n)
			want := c.b.clone()
			solve(c, want)
			got := c.b.clone()
			got.data[at] = math.NaN()
			solve(c, got)
			// The product with the triangle has the same pattern.
			c.b.data[at] = math.NaN()
			pattern, _ := c.product(c.b)
			for i := range want.data {
				if math.IsNaN(pattern.data[i]) {
					want.data[i] = math.NaN()
				}
			}
			none := want.mapped(func(float64) float64 { return 0 })
			compare(t, c.String(), got, want, none)
		}
	})
}

func solve(c triangleCase, x operand) {
	Implementation{}.Dtrsm(c.side, c.ul, c.tA, c.diag, c.m, c.n, c.alpha, c.a.data,
		c.a.stride, x.data, x.stride)
}

func TestSolveLowerLeavesItsOperand(t *testing.T) {
	forAllKernels(t, func(t *testing.T) {
		for _, m := range []int{1, 12, 50, maxOrder + 20} {
			for _, tr := range []blas.Transpose{blas.NoTrans, blas.Trans} {
				const n, lda, ldb, ldx = 19, maxOrder + 30, 21, 23
				a := filled(m * lda)
				for i := range m {
					a[i*lda+i] += float64(m)
				}
				b := filled(m * ldb)
				want := make([]float64, m*ldx)
				for i := range m {
					copy(want[i*ldx:i*ldx+n], b[i*ldb:])
				}
				Implementation{}.Dtrsm(blas.Left, blas.Lower, tr, blas.NonUnit, m, n, 1, a, lda, want, ldx)
				before := append([]float64{}, b...)
				x := make([]float64, m*ldx)
				SolveLower(tr, m, n, a, lda, b, ldb, x, ldx)
				for i := range x {
					if x[i] != want[i] {
						t.Fatalf("m=%d, %c: element %d is %v, want %v", m, tr, i, x[i], want[i])
					}
				}
				for i := range b {
					if b[i] != before[i] {
						t.Fatalf("m=%d, %c: element %d of b changed", m, tr, i)
					}
				}
			}
		}
	})
}
