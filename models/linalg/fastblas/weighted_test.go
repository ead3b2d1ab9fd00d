package fastblas

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
)

func TestWeightedSquares(t *testing.T) {
	forAllKernels(t, func(t *testing.T) {
		for _, n := range []int{1, 5, 12, 17, 40} {
			for _, k := range []int{1, 7, 256, 300} {
				for _, stride := range []int{k, k + 3, 640} {
					t.Run(fmt.Sprintf("n=%d,k=%d,stride=%d", n, k, stride), func(t *testing.T) {
						checkWeightedSquares(t, n, k, stride)
					})
				}
			}
		}
	})
}

// checkWeightedSquares compares sums for two rows of weights with plain loops.
func checkWeightedSquares(t *testing.T, n, k, stride int) {
	const count, untouched = 2, 7.0
	a := filled(n * stride)
	w := filled(count * stride)
	for _, beta := range []float64{0, 0.5} {
		c := make([]float64, count*n*n)
		for i := range c {
			c[i] = untouched
			if beta == 0 && i/n%n <= i%n {
				c[i] = math.NaN() // must not be read
			}
		}
		WeightedSquares(n, k, count, a, stride, w, stride, beta, c)
		for i := range c {
			row, col := i/n%n, i%n
			want := untouched
			if row <= col {
				want = 0
				if beta != 0 {
					want = beta * untouched
				}
				for p := range k {
					want += a[row*stride+p] * w[i/n/n*stride+p] * a[col*stride+p]
				}
			}
			if !(math.Abs(c[i]-want) <= 1e-13*want) {
				t.Fatalf("beta=%v: element (%d, %d) of matrix %d is %v, want %v",
					beta, row, col, i/n/n, c[i], want)
			}
		}
	}
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
