package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// dense returns op(x) as a gonum matrix, rows x cols.
func dense(flag bool, rows, cols int, x []float64) mat.Matrix {
	if flag {
		return mat.NewDense(cols, rows, x).T()
	}
	return mat.NewDense(rows, cols, x)
}

func TestGemm(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	shapes := [][3]int{{1, 1, 1}, {2, 3, 4}, {8, 8, 8}, {9, 2, 3}, {3, 11, 2}, {1, 1, 20}, {20, 30, 10}}
	for _, s := range shapes {
		m, n, k := s[0], s[1], s[2]
		for flags := 0; flags < 4; flags++ {
			transA, transB := flags&1 != 0, flags&2 != 0
			for _, beta := range []float64{0, 1, -0.5} {
				name := fmt.Sprintf("%d x %d x %d, transposed %t %t, beta %g", m, n, k, transA, transB, beta)
				a := randomMatrix(rng, m, k)
				b := randomMatrix(rng, k, n)
				c := randomMatrix(rng, m, n)
				var want mat.Dense
				want.Mul(dense(transA, m, k, a), dense(transB, k, n, b))
				want.Scale(1.5, &want)
				for i, v := range want.RawMatrix().Data {
					want.RawMatrix().Data[i] = v + beta*c[i]
				}
				if beta == 0 {
					c[0] = math.NaN() // must not be read
				}
				Gemm(transA, transB, m, n, k, 1.5, a, b, beta, c)
				if d := maxDiff(c, want.RawMatrix().Data); d > 1e-12 {
					t.Errorf("%s: off by %g", name, d)
				}
			}
		}
	}
}

func TestSolveLower(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for _, n := range testSizes {
		for _, m := range []int{1, 3, 10} {
			l := randomLower(rng, n)
			x := randomMatrix(rng, n, m)
			for _, trans := range []bool{false, true} {
				b := make([]float64, n*m)
				Gemm(trans, false, n, m, n, 1, l, x, 0, b)
				poisoned := poisonUpper(l, n)
				if trans {
					SolveLowerTrans(poisoned, b, n, m, m)
				} else {
					SolveLower(poisoned, b, n, m, m)
				}
				if d := maxDiff(b, x); d > 1e-11 {
					t.Errorf("n=%d, m=%d, transposed %t: off by %g", n, m, trans, d)
				}
			}
		}
	}
}

// randomLower returns a well-conditioned lower triangular matrix.
func randomLower(rng *rand.Rand, n int) []float64 {
	l := randomMatrix(rng, n, n)
	for i := 0; i < n; i++ {
		for j := range l[i*n : (i+1)*n] {
			switch {
			case j > i:
				l[i*n+j] = 0
			case j == i:
				l[i*n+j] = 2 + math.Abs(l[i*n+j])
			default:
				l[i*n+j] /= float64(n)
			}
		}
	}
	return l
}

// poisonUpper returns a copy of l with NaN above its diagonal.
func poisonUpper(l []float64, n int) []float64 {
	p := append([]float64(nil), l...)
	for i := 0; i < n; i++ {
		for j := i + 1; j < n; j++ {
			p[i*n+j] = math.NaN()
		}
	}
	return p
}

func TestMirror(t *testing.T) {
	for n := range 50 {
		a := make([]float64, n*n)
		for i := range a {
			a[i] = float64(i)
		}
		Mirror(a, n)
		for i := range n {
			for j := range n {
				if want := float64(max(i, j)*n + min(i, j)); a[i*n+j] != want {
					t.Fatalf("entry %d, %d of %d x %d is %v; want %v", i, j, n, n, a[i*n+j], want)
				}
			}
		}
		for i := range a {
			a[i] = float64(i)
		}
		MirrorUpper(a, n)
		for i := range n {
			for j := range n {
				if want := float64(min(i, j)*n + max(i, j)); a[i*n+j] != want {
					t.Fatalf("upper: entry %d, %d of %d x %d is %v; want %v", i, j, n, n, a[i*n+j], want)
				}
			}
		}
	}
}
