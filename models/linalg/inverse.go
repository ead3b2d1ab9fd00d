package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg/vec"
)

// InvertLower replaces the lower triangle of the n x n matrix l by its inverse. It does not access
// the entries above the diagonal.
func InvertLower(l []float64, n int) { invertLower(l, n, n) }

// invertLower is InvertLower for a matrix with row stride ld. It inverts both halves of the diagonal
// and multiplies the block below them by the results. Trtri of Gonum reads single columns of diagonal
// blocks, which is slower.
func invertLower(l []float64, n, ld int) {
	if n <= unblocked {
		invertSmall(l, n, ld)
		return
	}
	half := n / 2
	rest := n - half
	below := lowerLeft(l, half, n, ld)
	invertLower(l, half, ld)
	invertLower(l[half*ld+half:], rest, ld)
	blas64.Trmm(blas.Left, blas.NoTrans, -1, Lower(l[half*ld+half:], rest, ld), below)
	blas64.Trmm(blas.Right, blas.NoTrans, 1, Lower(l, half, ld), below)
}

// invertSmall is invertLower for n up to unblocked. Row i of the inverse is -l_ij/l_ii times the rows j
// above it.
func invertSmall(l []float64, n, ld int) {
	var factors [unblocked]float64
	for i := range n {
		row := l[i*ld : i*ld+i+1]
		inverse := 1 / row[i]
		copy(factors[:i], row)
		clear(row)
		for j, c := range factors[:i] {
			c *= -inverse
			for k, v := range l[j*ld : j*ld+j+1] {
				row[k] += c * v
			}
		}
		row[i] = inverse
	}
}

// SquareLower replaces the lower triangle of the n x n matrix l by that of l^T l, where l is lower
// triangular. It does not access the entries above the diagonal.
func SquareLower(l []float64, n int) { squareLower(l, n, n) }

// squareLower is SquareLower for a matrix with row stride ld.
func squareLower(l []float64, n, ld int) {
	if n <= unblocked {
		squareSmall(l, n, ld)
		return
	}
	half := n / 2
	rest := n - half
	below := lowerLeft(l, half, n, ld)
	squareLower(l, half, ld)
	blas64.Syrk(blas.Trans, 1, below, 1, blas64.Symmetric{Uplo: blas.Lower, N: half, Stride: ld, Data: l})
	blas64.Trmm(blas.Left, blas.Trans, 1, Lower(l[half*ld+half:], rest, ld), below)
	squareLower(l[half*ld+half:], rest, ld)
}

// squareSmall is squareLower for n up to unblocked. Row i of the result is the sum of the rows k >= i,
// weighted by their entries in column i. It replaces row i, which later rows do not need.
func squareSmall(l []float64, n, ld int) {
	for i := range n {
		row := l[i*ld : i*ld+i+1]
		vec.Scaled(row, row, row[i])
		for k := i + 1; k < n; k++ {
			c := l[k*ld+i]
			for j, v := range l[k*ld : k*ld+i+1] {
				row[j] += c * v
			}
		}
	}
}
