package dgp

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/view"
)

// covariance returns the block map of S_M = G G^T, G = blockdiag(L_K) L_S, with at
// most about maxCells cells a side: block by block, so that S_M itself, which can be
// large, is never held.
func (p *posterior) covariance(maxCells int) *view.Blocks {
	t, size := p.NumGPs(), p.arch.M
	cells := min(size, max(1, maxCells/t))
	out := &view.Blocks{Log10: make(view.Symmetric, t*cells*t*cells)}
	for i := range t {
		out.Parts = append(out.Parts, view.Part{Group: p.layer[i], Index: p.position(i), Size: size, Cells: cells})
	}
	g := p.unwhitenedFactor()
	s := square(make([]float64, size*size), size)
	for i := 0; i < t; i++ {
		for j := 0; j <= i; j++ {
			beta := 0.0
			for _, k := range p.common(i, j) {
				blas64.Gemm(blas.NoTrans, blas.Trans, 1, block(g, p.blockOf(i, k), size), block(g, p.blockOf(j, k), size), beta, s)
				beta = 1
			}
			if beta > 0 {
				pool(out, i*cells, j*cells, cells, s)
			}
		}
	}
	for k, v := range out.Log10 {
		out.Log10[k] = math.Log10(v) // -Inf where S_M is zero
	}
	return out
}

// unwhitenedFactor returns the blocks of the Cholesky factor of S_M.
func (p *posterior) unwhitenedFactor() []float64 {
	if p.arch.Unwhitened {
		return p.qSqrt.Value
	}
	size := p.arch.M
	g := append([]float64(nil), p.factor.Value...)
	for i, row := range p.rows {
		root := lower(p.layers[p.layer[i]].root.Value, size)
		for _, j := range row {
			blas64.Trmm(blas.Left, blas.NoTrans, 1, root, block(g, p.blockOf(i, j), size))
		}
	}
	return g
}

// pool enters the largest entries of a block |s|, and of its mirror image, into the
// cells of a map that begin at a row and column.
func pool(out *view.Blocks, top, left, cells int, s blas64.General) {
	side := out.Side()
	for r := 0; r < s.Rows; r++ {
		row := top + r*cells/s.Rows
		for c, v := range s.Data[r*s.Stride : r*s.Stride+s.Cols] {
			col := left + c*cells/s.Cols
			at, mirrored := &out.Log10[row*side+col], &out.Log10[col*side+row]
			*at = max(*at, math.Abs(v))
			*mirrored = max(*mirrored, *at)
		}
	}
}
