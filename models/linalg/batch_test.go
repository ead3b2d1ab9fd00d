package linalg

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// concat returns batch results of make, one after another.
func concat(batch int, make func() []float64) []float64 {
	var all []float64
	for i := 0; i < batch; i++ {
		all = append(all, make()...)
	}
	return all
}

// The routines for batches must agree with those for single matrices, for every
// size that they are meant for.
func TestBatchAgreesWithSingle(t *testing.T) {
	const batch, m, k = 5, 3, 4
	rng := rand.New(rand.NewPCG(9, 1))
	for n := 1; n <= 32; n++ {
		a := concat(batch, func() []float64 { return randomCovariance(rng, n) })
		x := randomMatrix(rng, batch*n, m)
		y := randomMatrix(rng, batch*m, k)
		l, product := make([]float64, len(a)), make([]float64, batch*n*k)
		solved, solvedTrans := slices.Clone(x), slices.Clone(x)
		if rescues, err := BatchCholesky(l, a, batch, n, "K", nil); err != nil || rescues != 0 {
			t.Fatalf("n=%d: %d rescues, error %v", n, rescues, err)
		}
		BatchSolveLower(l, solved, batch, n, m)
		BatchSolveLowerTrans(l, solvedTrans, batch, n, m)
		BatchMul(product, x, y, batch, n, k, m)
		for i := 0; i < batch; i++ {
			li, xi, yi := l[i*n*n:(i+1)*n*n], x[i*n*m:(i+1)*n*m], y[i*m*k:(i+1)*m*k]
			wantL, wantProduct := make([]float64, n*n), make([]float64, n*k)
			if _, err := Cholesky(wantL, a[i*n*n:(i+1)*n*n], n, "K"); err != nil {
				t.Fatal(err)
			}
			wantSolved, wantTrans := slices.Clone(xi), slices.Clone(xi)
			SolveLower(li, wantSolved, n, m)
			SolveLowerTrans(li, wantTrans, n, m)
			Gemm(false, false, n, k, m, 1, xi, yi, 0, wantProduct)
			for name, d := range map[string]float64{
				"BatchCholesky":        maxDiff(li, wantL),
				"BatchSolveLower":      maxDiff(solved[i*n*m:(i+1)*n*m], wantSolved),
				"BatchSolveLowerTrans": maxDiff(solvedTrans[i*n*m:(i+1)*n*m], wantTrans),
				"BatchMul":             maxDiff(product[i*n*k:(i+1)*n*k], wantProduct),
			} {
				if d > 1e-13 {
					t.Errorf("n=%d: %s: matrix %d is off by %g", n, name, i, d)
				}
			}
		}
	}
}

func TestBatchCholeskyReportsEachMatrix(t *testing.T) {
	const n = 4
	rng := rand.New(rand.NewPCG(10, 1))
	a := slices.Concat(
		randomCovariance(rng, n),
		withSmallestEigenvalue(rng, n, 1, -3e-5), // three rungs
		withSmallestEigenvalue(rng, n, 1, -0.5),  // hopeless, five
		randomCovariance(rng, n),
		withSmallestEigenvalue(rng, n, 1, -1e-9), // one
	)
	l, ok := randomMatrix(rng, 5*n, n), make([]bool, 5)
	rescues, err := BatchCholesky(l, a, 5, n, "K", ok)
	var failure *NotPositiveDefiniteError
	if !errors.As(err, &failure) || failure.Matrix != "K" {
		t.Errorf("got error %v, want a *NotPositiveDefiniteError", err)
	}
	if want := []bool{true, true, false, true, true}; !slices.Equal(ok, want) {
		t.Errorf("got %v, want %v", ok, want)
	}
	if rescues != 3+5+1 {
		t.Errorf("got %d rescues, want 9", rescues)
	}
	for i, good := range ok {
		if first := l[i*n*n]; good != (first > 0) {
			t.Errorf("the factor of matrix %d starts with %g", i, first)
		}
	}
	if rescues, err = BatchCholesky(l, a, 5, n, "K", nil); err == nil || rescues != 3+5 {
		t.Errorf("without ok: %d rescues, error %v; want a stop after 8", rescues, err)
	}
}
