package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// CholeskyCondition estimates the condition number |A| |A^-1|, in the 1-norm, of the n x n matrix A
// with lower Cholesky factor l. |A| is exact; |A^-1| is estimated by Norm1. A singular or
// non-finite factor gives +Inf.
func CholeskyCondition(l []float64, n int) float64 {
	if n == 1 {
		if x := l[0]; !(x*x > 0) || math.IsInf(x*x, 1) {
			return math.Inf(1)
		}
		return 1
	}
	a := blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: make([]float64, n*n)}
	LowerProduct(n, n, 1, l, n, l, n, 0, a.Data)
	norm := lapack64.Lansy(lapack.MaxColumnSum, a, make([]float64, n))
	factor := Lower(l, n, n)
	condition := norm * Norm1(n, func(x []float64) {
		v := blas64.Vector{N: n, Inc: 1, Data: x}
		blas64.Trsv(blas.NoTrans, factor, v)
		blas64.Trsv(blas.Trans, factor, v)
	})
	if math.IsNaN(condition) {
		return math.Inf(1)
	}
	return condition
}

// SmallestPivot returns the smallest squared diagonal entry of the n x n matrix l.
func SmallestPivot(l []float64, n int) float64 {
	least := math.Inf(1)
	for k := 0; k < n*n; k += n + 1 {
		least = min(least, l[k]*l[k])
	}
	return least
}

// Norm1 estimates the 1-norm of a symmetric n x n matrix. It calls apply several times; apply must
// replace x, of length n, by the product of the matrix and x. The estimate is a lower bound, nearly
// always within a factor of 3. It is +Inf if a product is not finite.
//
// Higham, "FORTRAN codes for estimating the one-norm of a real or complex matrix, with applications
// to condition estimation", 1988, doi:10.1145/50063.214386.
func Norm1(n int, apply func(x []float64)) float64 {
	// Dlacn2 requests products with the matrix and with its transpose, which are equal here, until
	// it has an estimate.
	var state [3]int
	v := make([]float64, n)
	x := make([]float64, n)
	signs := make([]int, n)
	estimate, kase := gonum.Implementation{}.Dlacn2(n, v, x, signs, 0, 0, &state)
	for kase != 0 {
		apply(x)
		for _, value := range x {
			if math.IsNaN(value) || math.IsInf(value, 0) {
				return math.Inf(1)
			}
		}
		estimate, kase = gonum.Implementation{}.Dlacn2(n, v, x, signs, estimate, kase, &state)
	}
	return estimate
}
