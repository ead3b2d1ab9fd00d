package dgp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/view"
)

// covariance returns the block map of S_M = G G^T, G = blockdiag(L_K) L_S, with at
// most about maxCells cells a side: block by block, so that S_M itself, which can be
// large, is never held.
func (p *posterior) covariance(maxCells int) *view.Blocks {
	t := p.NumGPs()
	out := &view.Blocks{}
	var tops []int // the first cell of each GP
	for i := range t {
		tops = append(tops, out.Side())
		size := p.points(i)
		out.Parts = append(out.Parts, view.Part{Group: p.layer[i], Index: p.position(i), Size: size, Cells: min(size, max(1, maxCells/t))})
	}
	out.Log10 = make(view.Symmetric, out.Side()*out.Side())
	g, most := p.unwhitenedFactor(), slices.Max(p.inducing)
	scratch := make([]float64, most*most)
	for i := range t {
		for j := range i + 1 {
			s, beta := general(scratch, p.points(i), p.points(j)), 0.0
			for _, k := range p.common(i, j) {
				blas64.Gemm(blas.NoTrans, blas.Trans, 1, p.factorSpan(i, k).of(g), p.factorSpan(j, k).of(g), beta, s)
				beta = 1
			}
			if beta > 0 {
				pool(out, tops, i, j, s)
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
	g := append([]float64(nil), p.factor.Value...)
	for i, row := range p.rows {
		root := lower(p.layers[p.layer[i]].root.Value, p.points(i))
		for _, j := range row {
			blas64.Trmm(blas.Left, blas.NoTrans, 1, root, p.factorSpan(i, j).of(g))
		}
	}
	return g
}

// pool enters the largest entries of block (i, j), |s|, and of its mirror image into
// the cells of a map; those of a GP begin at its top.
func pool(out *view.Blocks, tops []int, i, j int, s blas64.General) {
	side, down, across := out.Side(), out.Parts[i].Cells, out.Parts[j].Cells
	for r := 0; r < s.Rows; r++ {
		row := tops[i] + r*down/s.Rows
		for c, v := range s.Data[r*s.Stride : r*s.Stride+s.Cols] {
			col := tops[j] + c*across/s.Cols
			at, mirrored := &out.Log10[row*side+col], &out.Log10[col*side+row]
			*at = max(*at, math.Abs(v))
			*mirrored = max(*mirrored, *at)
		}
	}
}
