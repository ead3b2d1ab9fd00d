package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg/fastblas"
)

// small is the largest dimension of products and triangular solves that use plain loops.
const small = 8

// Gemm computes c = alpha op(a) op(b) + beta c, where op transposes if its flag is set, op(a) is m
// x k, op(b) is k x n and c is m x n, all row-major and contiguous. If beta is 0, the old contents
// of c are not read. c must not overlap a or b.
func Gemm(transA, transB bool, m, n, k int, alpha float64, a, b []float64, beta float64, c []float64) {
	if m <= small && n <= small && k <= small {
		smallGemm(transA, transB, m, n, k, alpha, a, b, beta, c)
		return
	}
	blas64.Gemm(transpose(transA), transpose(transB), alpha,
		general(transA, m, k, a), general(transB, k, n, b), beta, general(false, m, n, c))
}

func transpose(flag bool) blas.Transpose {
	if flag {
		return blas.Trans
	}
	return blas.NoTrans
}

// general describes a matrix that is rows x cols, after transposition if flag is set.
func general(flag bool, rows, cols int, data []float64) blas64.General {
	if flag {
		rows, cols = cols, rows
	}
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: data}
}

func smallGemm(transA, transB bool, m, n, k int, alpha float64, a, b []float64, beta float64, c []float64) {
	aRow, aCol := strides(transA, m, k)
	for i := 0; i < m; i++ {
		row := c[i*n : (i+1)*n]
		scaleRow(row, beta)
		if transB {
			addDots(row, alpha, a[i*aRow:], aCol, b, k)
			continue
		}
		for l := 0; l < k; l++ {
			subtractScaled(row, -alpha*a[i*aRow+l*aCol], b[l*n:(l+1)*n])
		}
	}
}

// scaleRow multiplies row by beta; for a beta of 0 it does not read row.
func scaleRow(row []float64, beta float64) {
	switch beta {
	case 0:
		clear(row)
	case 1:
	default:
		for j := range row {
			row[j] *= beta
		}
	}
}

// addDots adds to row alpha times the inner products of x with the rows of b, [len(row)][k]. x has
// k numbers that are step apart.
func addDots(row []float64, alpha float64, x []float64, step int, b []float64, k int) {
	for j := range row {
		var sum float64
		at := 0
		for _, v := range b[j*k : (j+1)*k] {
			sum += x[at] * v
			at += step
		}
		row[j] += alpha * sum
	}
}

// strides returns the distances between rows and between columns of the rows x cols matrix op(x),
// where x is stored row-major.
func strides(flag bool, rows, cols int) (row, col int) {
	if flag {
		return 1, rows
	}
	return cols, 1
}

// LowerProduct computes the lower triangle of c = alpha x y^T + beta c, where x and y are n x k
// with row strides ldx and ldy, and c is n x n. It needs about half the operations of Gemm and does
// not change the entries of c above the diagonal. If beta is 0, the old contents of c are not read.
func LowerProduct(
	n, k int, alpha float64, x []float64, ldx int, y []float64, ldy int, beta float64, c []float64,
) {
	fastblas.Implementation{}.Dgemmt(blas.Lower, n, k, alpha, x, ldx, y, ldy, beta, c, n)
}

// mirrorTile is the side of the squares in which triangles are mirrored. The columns of a square stay in
// the first-level cache.
const mirrorTile = 16

// Mirror copies the lower triangle of the n x n matrix a to its upper triangle.
func Mirror(a []float64, n int) { mirror(a, n, n) }

// mirror is Mirror for a matrix with the given row stride.
func mirror(a []float64, n, stride int) {
	for top := 0; top < n; top += mirrorTile {
		for left := 0; left <= top; left += mirrorTile {
			for i := top; i < min(top+mirrorTile, n); i++ {
				for j, v := range a[i*stride+left : i*stride+min(left+mirrorTile, i)] {
					a[(left+j)*stride+i] = v
				}
			}
		}
	}
}

// MirrorUpper copies the upper triangle of the n x n matrix a to its lower triangle.
func MirrorUpper(a []float64, n int) {
	for top := 0; top < n; top += mirrorTile {
		for left := 0; left <= top; left += mirrorTile {
			for i := top; i < min(top+mirrorTile, n); i++ {
				row := a[i*n+left : i*n+min(left+mirrorTile, i)]
				for j := range row {
					row[j] = a[(left+j)*n+i]
				}
			}
		}
	}
}

// Transpose sets dst [cols][rows] to the transpose of src [rows][cols].
func Transpose(dst, src []float64, rows, cols int) {
	for r := range rows {
		for c := range cols {
			dst[c*rows+r] = src[r*cols+c]
		}
	}
}
