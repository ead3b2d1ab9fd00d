package dgp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// term is one matrix product that goes into a block: of two blocks by their
// places among those of L_S or of S_M.
type term struct {
	left, right int
	// twice and trans belong to gradients: 2 dS_ii L_ik, and dS_ij^T L_ik.
	twice, trans bool
}

// blockProducts are the operation S_M = L_S L_S^T block by block. Each block of
// S_M, and of the gradient of L_S, gathers its own terms, so that blocks run at
// the same time.
type blockProducts struct {
	p   *posterior
	out *autodiff.Node
	// terms are those of each block (i, j) of S_M: L_ik L_jk^T. The right factor
	// of the last term is lower triangular when triangular is set (k = j).
	terms      [][]term
	triangular []bool
	// gradients are the terms of each block (i, k) of L_S: dS_ij L_jk and
	// dS_ji^T L_jk. Those of the triangular factor L_kk are apart, -1 if none.
	gradients [][]term
	diagonal  []term
	ds, df    []float64
	forward   linalg.Loop
	backward  linalg.Loop
}

// recordBlocks records the blocks (i, j) of S_M: sums of L_ik L_jk^T over the
// columns k that rows i and j of L_S share.
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
	p.work.need(p.factors.largest())
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

// add enters the terms of block s of S_M, that of target.
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

// form computes block s of S_M. A triangular product is formed first, in place.
func (b *blockProducts) form(s int) {
	all := b.p.factor.Value
	dst, terms, beta := b.p.covariances[s].of(b.out.Value), b.terms[s], 0.0
	if b.triangular[s] {
		last := terms[len(terms)-1]
		copy(dst.Data, b.p.factors[last.left].of(all).Data)
		blas64.Trmm(blas.Right, blas.Trans, 1, b.p.factors[last.right].lower(all), dst)
		terms, beta = terms[:len(terms)-1], 1
	}
	for _, t := range terms {
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, b.p.factors[t.left].of(all),
			b.p.factors[t.right].of(all), beta, dst)
		beta = 1
	}
}

// differentiate computes the gradient of every MaxChains-th block of L_S.
func (b *blockProducts) differentiate(chain int) {
	all := b.p.factor.Value
	for place := chain; place < len(b.gradients); place += linalg.MaxChains {
		dst := b.p.factors[place].of(b.df)
		if t := b.diagonal[place]; t.left >= 0 {
			scratch := general(b.p.work.of(chain, dst.Rows*dst.Cols), dst.Rows, dst.Cols)
			copy(scratch.Data, b.p.covariances[t.left].of(b.ds).Data)
			blas64.Trmm(blas.Right, blas.NoTrans, t.factor(), b.p.factors[t.right].lower(all), scratch)
			addTo(dst.Data, scratch.Data)
		}
		for _, t := range b.gradients[place] {
			trans := blas.NoTrans
			if t.trans {
				trans = blas.Trans
			}
			blas64.Gemm(trans, blas.NoTrans, t.factor(), b.p.covariances[t.left].of(b.ds),
				b.p.factors[t.right].of(all), 1, dst)
		}
	}
}

// factor returns what the product is multiplied by.
func (t term) factor() float64 {
	if t.twice {
		return 2
	}
	return 1
}
