package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/gonum"
)

// Condition estimates the condition number |A| |A^-1|, in the 1-norm, of a
// symmetric n x n matrix A that is known by what it does: multiply replaces x,
// of length n, by A x, and solve replaces it by A^-1 x. A few calls of each are
// made. The estimate is a lower bound, and nearly always within a factor of 3.
// It is +Inf where a product is not finite.
//
// Higham, "FORTRAN codes for estimating the one-norm of a real or complex matrix,
// with applications to condition estimation", 1988, doi:10.1145/50063.214386.
func Condition(n int, multiply, solve func(x []float64)) float64 {
	c := norm1(n, multiply) * norm1(n, solve)
	if math.IsNaN(c) {
		return math.Inf(1)
	}
	return c
}

// CholeskyCondition estimates the condition number, as Condition does, of the
// n x n matrix whose lower Cholesky factor is l.
func CholeskyCondition(l []float64, n int) float64 {
	factor := lower(l, n)
	return Condition(n, func(x []float64) {
		v := blas64.Vector{N: n, Inc: 1, Data: x}
		blas64.Trmv(blas.Trans, factor, v)
		blas64.Trmv(blas.NoTrans, factor, v)
	}, func(x []float64) {
		v := blas64.Vector{N: n, Inc: 1, Data: x}
		blas64.Trsv(blas.NoTrans, factor, v)
		blas64.Trsv(blas.Trans, factor, v)
	})
}

// norm1 estimates the 1-norm of the symmetric n x n matrix that apply multiplies
// by. Dlacn2 asks for products with the matrix and with its transpose, which
// are the same here, until it is content.
func norm1(n int, apply func(x []float64)) float64 {
	var state [3]int
	v, x, signs := make([]float64, n), make([]float64, n), make([]int, n)
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
