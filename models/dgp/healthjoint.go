package dgp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// The functions of this file apply the whitened S_M = L_S L_S^T, block by block, to vectors over
// all inducing outputs, stacked by GP.

// timesCovariance replaces x by S_M x.
func (p *posterior) timesCovariance(x []float64) {
	y := make([]float64, len(x))
	for i, row := range p.rows {
		for _, j := range row {
			p.addBlock(y, blas.Trans, i, j, 1, x)
		}
	}
	clear(x)
	for i, row := range p.rows {
		for _, j := range row {
			p.addBlock(x, blas.NoTrans, i, j, 1, y)
		}
	}
}

// solveCovariance replaces x by S_M^-1 x.
func (p *posterior) solveCovariance(x []float64) {
	last := p.NumGPs() - 1
	for i := range p.rows {
		for _, j := range p.rows[i][:len(p.rows[i])-1] {
			p.addBlock(x, blas.NoTrans, i, j, -1, x)
		}
		blas64.Trsv(blas.NoTrans, p.diagonalBlock(i), p.part(x, i))
	}
	for i := last; i >= 0; i-- {
		blas64.Trsv(blas.Trans, p.diagonalBlock(i), p.part(x, i))
		for _, j := range p.rows[i][:len(p.rows[i])-1] {
			p.addBlock(x, blas.Trans, i, j, -1, x)
		}
	}
}

// addBlock adds alpha times the product of block (i, j) of L_S, or its transpose, and x to y.
func (p *posterior) addBlock(y []float64, trans blas.Transpose, i, j int, alpha float64, x []float64) {
	from, to := j, i
	if trans == blas.Trans {
		from, to = i, j
	}
	blas64.Gemv(trans, alpha, p.factorOf(i, j), p.part(x, from), 1, p.part(y, to))
}

// diagonalBlock returns block (i, i) of L_S.
func (p *posterior) diagonalBlock(i int) blas64.Triangular {
	return p.factorSpan(i, i).lower(p.factor.Value)
}

// part returns the entries of GP i in x, which holds the inducing outputs of all GPs.
func (p *posterior) part(x []float64, i int) blas64.Vector {
	return blas64.Vector{N: p.points(i), Inc: 1, Data: x[p.starts[i]:p.starts[i+1]]}
}
