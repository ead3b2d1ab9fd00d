package dgp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// term is one matrix product in the sum for a block: a product of two blocks, given by their
// indices in L_S or S_M.
type term struct {
	left, right int
	// twice and trans apply to gradients: 2 dS_ii L_ik and dS_ij^T L_ik.
	twice, trans bool
}

// blockProducts is the tape operation S_M = L_S L_S^T, block by block. Each block of S_M and of the
// gradient of L_S sums its own terms, so blocks are computed in parallel.
type blockProducts struct {
	p   *posterior
	out *autodiff.Node
	// terms lists the products L_ik L_jk^T of each block (i, j) of S_M. If triangular is set, the
	// right factor of the last term is lower triangular (k = j).
	terms      [][]term
	triangular []bool
	// gradients lists the products dS_ij L_jk and dS_ji^T L_jk of each block (i, k) of L_S.
	// diagonal holds the product with the triangular factor L_kk; its left index is -1 if there is
	// none.
	gradients [][]term
	diagonal  []term
	ds, df    []float64
	forward   linalg.Loop
	backward  linalg.Loop
}

// recordBlocks records the blocks (i, j) of S_M: sums of L_ik L_jk^T over the columns k that rows i
// and j of L_S have in common.
func (p *posterior) recordBlocks(targets []pair) *autodiff.Node {
	b := &blockProducts{p: p, out: p.tape.Output(1, 1, p.covariances.size(), p.factor)}
	b.gradients = make([][]term, p.NumBlocks())
	b.diagonal = make([]term, p.NumBlocks())
	for place := range b.diagonal {
		b.diagonal[place].left = -1
	}
	for s, target := range targets {
		b.add(s, target)
	}
	p.work.reserve(p.factors.largest())
	b.forward.Body, b.backward.Body = b.form, b.differentiate
	return p.tape.Record(b.out, func() error {
		b.forward.Run(len(targets))
		return nil
	}, func() {
		b.ds = b.out.Grad()
		b.df = p.factor.Grad()
		b.backward.Run(linalg.MaxChains)
	})
}

// add adds the terms of block s of S_M, which has the indices target.
func (b *blockProducts) add(s int, target pair) {
	var terms []term
	triangular := false
	for _, k := range b.p.common(target.i, target.j) {
		left := b.p.blockOf(target.i, k)
		right := b.p.blockOf(target.j, k)
		terms = append(terms, term{left: left, right: right})
		same := target.i == target.j
		if k == target.j {
			triangular = true
			b.diagonal[left] = term{left: s, right: right, twice: same}
		} else {
			b.gradients[left] = append(b.gradients[left], term{left: s, right: right, twice: same})
		}
		if !same {
			b.gradients[right] = append(b.gradients[right], term{left: s, right: left, trans: true})
		}
	}
	b.terms = append(b.terms, terms)
	b.triangular = append(b.triangular, triangular)
}

// form computes block s of S_M. It computes the triangular product first, in place.
func (b *blockProducts) form(s int) {
	all := b.p.factor.Value
	dst, terms, beta := b.p.covariances[s].view(b.out.Value), b.terms[s], 0.0
	if b.triangular[s] {
		last := terms[len(terms)-1]
		copy(dst.Data, b.p.factors[last.left].view(all).Data)
		blas64.Trmm(blas.Right, blas.Trans, 1, b.p.factors[last.right].lower(all), dst)
		terms, beta = terms[:len(terms)-1], 1
	}
	for _, t := range terms {
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, b.p.factors[t.left].view(all),
			b.p.factors[t.right].view(all), beta, dst)
		beta = 1
	}
}

// differentiate computes the gradient of every MaxChains-th block of L_S.
func (b *blockProducts) differentiate(chain int) {
	all := b.p.factor.Value
	for place := chain; place < len(b.gradients); place += linalg.MaxChains {
		dst := b.p.factors[place].view(b.df)
		if t := b.diagonal[place]; t.left >= 0 {
			scratch := general(b.p.work.buffer(chain, dst.Rows*dst.Cols), dst.Rows, dst.Cols)
			copy(scratch.Data, b.p.covariances[t.left].view(b.ds).Data)
			blas64.Trmm(blas.Right, blas.NoTrans, t.factor(), b.p.factors[t.right].lower(all), scratch)
			addTo(dst.Data, scratch.Data)
		}
		for _, t := range b.gradients[place] {
			trans := blas.NoTrans
			if t.trans {
				trans = blas.Trans
			}
			blas64.Gemm(trans, blas.NoTrans, t.factor(), b.p.covariances[t.left].view(b.ds),
				b.p.factors[t.right].view(all), 1, dst)
		}
	}
}

// factor returns the scalar factor of the product.
func (t term) factor() float64 {
	if t.twice {
		return 2
	}
	return 1
}
