package dgp

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/view"
)

// covariance returns the block map of S_M = G G^T, G = blockdiag(L_K) L_S, with at most about
// maxCells cells per side. It computes one block at a time, because S_M can be too large to store.
func (p *posterior) covariance(maxCells int) *view.Blocks {
	t := p.NumGPs()
	var parts []view.Part
	for i := range t {
		parts = append(parts, view.Part{Group: p.layer[i], Index: p.position(i), Size: p.points(i)})
	}
	out := view.NewPool(parts, maxCells)
	p.eachCovariance(out.Enter)
	return out.Blocks()
}

// eachCovariance calls visit with each block (i, j), j <= i, of S_M that can be non-zero. The block is
// valid until visit returns.
func (p *posterior) eachCovariance(visit func(i, j int, s blas64.General)) {
	g := p.unwhitenedFactor()
	largest := slices.Max(p.inducing)
	scratch := make([]float64, largest*largest)
	for i := range p.NumGPs() {
		for j := range i + 1 {
			s, beta := general(scratch, p.points(i), p.points(j)), 0.0
			for _, k := range p.common(i, j) {
				blas64.Gemm(blas.NoTrans, blas.Trans, 1, p.factorSpan(i, k).view(g),
					p.factorSpan(j, k).view(g), beta, s)
				beta = 1
			}
			if beta > 0 {
				visit(i, j, s)
			}
		}
	}
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
			blas64.Trmm(blas.Left, blas.NoTrans, 1, root, p.factorSpan(i, j).view(g))
		}
	}
	return g
}
