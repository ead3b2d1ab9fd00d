package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// L^T X L is the given matrix. Entries above the diagonal are not read.
func TestSolveBothSides(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for _, n := range []int{1, 2, 9, 64, 65, 96, 130, 200} {
		l := make([]float64, n*n)
		if _, err := Cholesky(l, randomCovariance(rng, n), n, "K"); err != nil {
			t.Fatal(err)
		}
		given := randomMatrix(rng, n, n)
		q := append([]float64(nil), given...)
		scratch := randomMatrix(rng, n, n)[:n*n/4]
		SolveBothSides(q, l, scratch, n)
		Mirror(q, n)
		Mirror(given, n)
		var product mat.Dense
		product.Product(mat.NewDense(n, n, l).T(), mat.NewDense(n, n, q), mat.NewDense(n, n, l))
		for i, want := range given {
			if got := product.RawMatrix().Data[i]; math.Abs(got-want) > 1e-11 {
				t.Fatalf("n=%d: entry %d, %d of L^T X L is %.15g, want %.15g", n, i/n, i%n, got, want)
			}
		}
		allocations := testing.AllocsPerRun(3, func() { SolveBothSides(q, l, scratch, n) })
		// Without assembly, gonum's products of large matrices allocate.
		if allocations != 0 && n < 100 {
			t.Errorf("n=%d: %g allocations", n, allocations)
		}
	}
}
