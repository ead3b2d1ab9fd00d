package dgp

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/family"
)

// Covariance implements family.JointCovariance: the block map of
// S_M = G G^T, G = blockdiag(L_K) L_S, block by block, so that S_M itself, which
// can be large, is never held.
func (m *Model) Covariance(maxCells int) (*family.BlockMap, error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	p := m.bound.post
	t, size := p.NumGPs(), m.arch.M
	cells := min(size, max(1, maxCells/t))
	out := &family.BlockMap{GPs: p.widths, M: size, Cells: cells, Log10: make([]float64, t*cells*t*cells)}
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
				pool(out, i, j, s)
			}
		}
	}
	for k, v := range out.Log10 {
		out.Log10[k] = math.Log10(v) // -Inf where S_M is zero
	}
	return out, nil
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

// pool enters the largest entries of the block (i, j) of |S_M|, and of its mirror
// image, into the map.
func pool(out *family.BlockMap, i, j int, s blas64.General) {
	side := 0
	for _, width := range out.GPs {
		side += width * out.Cells
	}
	for r := 0; r < s.Rows; r++ {
		row := i*out.Cells + r*out.Cells/s.Rows
		for c, v := range s.Data[r*s.Stride : r*s.Stride+s.Cols] {
			col := j*out.Cells + c*out.Cells/s.Cols
			at, mirrored := &out.Log10[row*side+col], &out.Log10[col*side+row]
			*at = max(*at, math.Abs(v))
			*mirrored = max(*mirrored, *at)
		}
	}
}
