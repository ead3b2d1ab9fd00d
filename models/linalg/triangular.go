package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg/fastblas"
)

// SolveLower replaces b, n x m with row stride ld, by l^-1 b, where l, [n][n], is lower triangular;
// entries above its diagonal are not read.
func SolveLower(l, b []float64, n, m, ld int) {
	if n > small {
		blas64.Trsm(blas.Left, blas.NoTrans, 1, Lower(l, n, n), blas64.General{
			Rows:   n,
			Cols:   m,
			Stride: ld,
			Data:   b,
		})
		return
	}
	for i := 0; i < n; i++ {
		row := b[i*ld : i*ld+m]
		for k := 0; k < i; k++ {
			subtractScaled(row, l[i*n+k], b[k*ld:k*ld+m])
		}
		divide(row, l[i*n+i])
	}
}

// SolveLowerTrans replaces b, n x m with row stride ld, by l^-T b, where l, [n][n], is lower
// triangular; entries above its diagonal are not read.
func SolveLowerTrans(l, b []float64, n, m, ld int) {
	if n > small {
		blas64.Trsm(blas.Left, blas.Trans, 1, Lower(l, n, n), blas64.General{
			Rows:   n,
			Cols:   m,
			Stride: ld,
			Data:   b,
		})
		return
	}
	for i := n - 1; i >= 0; i-- {
		row := b[i*ld : i*ld+m]
		for k := i + 1; k < n; k++ {
			subtractScaled(row, l[k*n+i], b[k*ld:k*ld+m])
		}
		divide(row, l[i*n+i])
	}
}

// SolveLowerFrom sets x to l^-1 b, or to l^-T b if trans is set, like SolveLower and SolveLowerTrans. b
// and x are n x m with row stride ld, and b is not changed.
func SolveLowerFrom(l, b, x []float64, trans bool, n, m, ld int) {
	if n > small {
		fastblas.SolveLower(transpose(trans), n, m, l, n, b, ld, x, ld)
		return
	}
	for i := range n {
		copy(x[i*ld:i*ld+m], b[i*ld:i*ld+m])
	}
	if trans {
		SolveLowerTrans(l, x, n, m, ld)
	} else {
		SolveLower(l, x, n, m, ld)
	}
}

// Lower returns a view of the lower triangle of l, n x n with the given row stride.
func Lower(l []float64, n, stride int) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: n, Stride: stride, Data: l}
}

// subtractScaled computes row -= c other.
func subtractScaled(row []float64, c float64, other []float64) {
	other = other[:len(row)]
	for j := range row {
		row[j] -= c * other[j]
	}
}

func divide(row []float64, c float64) {
	for j := range row {
		row[j] /= c
	}
}

// TransformLower replaces a, [n][n], by l a l^T, where l, [n][n], is lower triangular; entries above
// its diagonal are not read.
func TransformLower(l, a []float64, n int) {
	factor := Lower(l, n, n)
	product := blas64.General{Rows: n, Cols: n, Stride: n, Data: a}
	blas64.Trmm(blas.Left, blas.NoTrans, 1, factor, product)
	blas64.Trmm(blas.Right, blas.Trans, 1, factor, product)
}
