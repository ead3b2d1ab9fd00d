package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg/vec"
)

// SolveBothSides replaces the symmetric n x n matrix Q by L^-T Q L^-1, where l is the lower triangle L. It
// reads and writes the lower triangle of q; the upper one is scratch memory. scratch needs n*n/4 entries.
func SolveBothSides(q, l, scratch []float64, n int) { solveBothSides(q, l, scratch, n, n) }

// undivided is the size of the largest matrix that is not halved. Halving smaller matrices takes as long.
const undivided = 64

// solveBothSides is SolveBothSides for matrices with the given row stride. The result X solves L^T X L = Q.
// For its blocks, where index 2 is the second half:
//
//	L22^T X22 L22 = Q22
//	X21 L11 = B - P,                            B = L22^-T Q21, P = X22 L21
//	L11^T X11 L11 = Q11 - L21^T W - W^T L21,    W = B - P/2
func solveBothSides(q, l, scratch []float64, n, stride int) {
	if n <= undivided {
		mirror(q, n, stride)
		all := blas64.General{Rows: n, Cols: n, Stride: stride, Data: q}
		blas64.Trsm(blas.Right, blas.NoTrans, 1, Lower(l, n, stride), all)
		blas64.Trsm(blas.Left, blas.Trans, 1, Lower(l, n, stride), all)
		return
	}
	half := firstHalf(n)
	rest := n - half
	first := blas64.General{Rows: half, Cols: half, Stride: stride, Data: q}
	below, lBelow := lowerLeft(q, half, n, stride), lowerLeft(l, half, n, stride)
	corner := blas64.General{Rows: rest, Cols: rest, Stride: stride, Data: q[half*stride+half:]}
	lCorner := l[half*stride+half:]
	product := blas64.General{Rows: rest, Cols: half, Stride: half, Data: scratch[:rest*half]}

	solveBothSides(corner.Data, lCorner, scratch, rest, stride)
	mirror(corner.Data, rest, stride)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, corner, lBelow, 0, product)
	blas64.Trsm(blas.Left, blas.Trans, 1, Lower(lCorner, rest, stride), below)
	subtractHalf(below, product)
	prepareFold(first)
	blas64.Gemm(blas.Trans, blas.NoTrans, -1, lBelow, below, 1, first)
	fold(first)
	subtractHalf(below, product)
	blas64.Trsm(blas.Right, blas.NoTrans, 1, Lower(l, half, stride), below)
	solveBothSides(q, l, scratch, half, stride)
}

// subtractHalf subtracts b/2 from a.
func subtractHalf(a, b blas64.General) {
	for i := range a.Rows {
		vec.AddScaled(a.Data[i*a.Stride:i*a.Stride+a.Cols], b.Data[i*b.Stride:i*b.Stride+b.Cols], -0.5)
	}
}

// prepareFold prepares a symmetric matrix, of which the lower triangle is known, so that fold returns it.
func prepareFold(a blas64.General) {
	for i := range a.Rows {
		row := a.Data[i*a.Stride : i*a.Stride+a.Cols]
		row[i] /= 2
		clear(row[i+1:])
	}
}

// fold adds to the lower triangle of a its transposed upper triangle, which doubles the diagonal.
func fold(a blas64.General) {
	for top := 0; top < a.Rows; top += mirrorTile {
		for left := 0; left <= top; left += mirrorTile {
			for i := top; i < min(top+mirrorTile, a.Rows); i++ {
				row := a.Data[i*a.Stride+left : i*a.Stride+min(left+mirrorTile, i+1)]
				for j := range row {
					row[j] += a.Data[(left+j)*a.Stride+i]
				}
			}
		}
	}
}
