package dgp

import (
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
)

// posterior holds the parameters and everything that follows from them alone,
// without data: the Cholesky factors of the K_MM and the blocks of S_M in use.
type posterior struct {
	arch *Architecture
	*structure
	tape   *autodiff.Tape
	layers []layerNodes
	// qSqrt is the parameter behind L_S, its blocks in the order of the pattern,
	// [blocks][M][M]; factor is the same, whitened.
	qSqrt, factor *autodiff.Node
	// pairs holds the blocks of S_M in use, [numPairs][M][M].
	pairs *autodiff.Node
	// noise is the variance of a Gaussian likelihood, [1][1][1].
	noise *autodiff.Node
	work  workspace
}

// layerNodes are one layer's leaves and what follows from them.
type layerNodes struct {
	z            *autodiff.Node // [1][M][D]
	lengthscales *autodiff.Node // [1][1][D]
	variance     *autodiff.Node // [1][1][1]
	qMu          *autodiff.Node // [1][T_l][M], a leaf
	root         *autodiff.Node // lower Cholesky factor of K_MM, [1][M][M]
	mu           *autodiff.Node // whitened qMu
}

func newPosterior(t *autodiff.Tape, arch *Architecture) *posterior {
	p := &posterior{
		arch:      arch,
		structure: newStructure(arch.Pattern, arch.FullCov),
		tape:      t,
	}
	m := arch.M
	for l, layer := range arch.Layers {
		n := layerNodes{
			z:            t.Variable(1, m, layer.Inputs),
			lengthscales: t.Variable(1, 1, layer.Inputs),
			variance:     t.Variable(1, 1, 1),
			qMu:          t.Variable(1, layer.GPs, m),
		}
		kuu := kernel.RecordKuu(t, layer.Kernel, n.z, n.lengthscales, n.variance, arch.Jitter)
		n.root = t.Cholesky(kuu, fmt.Sprintf("K_MM of layer %d", l+1))
		n.mu = n.qMu
		if arch.Unwhitened {
			n.mu = p.whitenMean(n.root, n.qMu)
		}
		p.layers = append(p.layers, n)
	}
	p.qSqrt = t.Variable(p.NumBlocks(), m, m)
	p.factor = p.qSqrt
	if arch.Unwhitened {
		p.factor = p.whitenFactor()
	}
	p.noise = t.Variable(1, 1, 1)
	if !arch.SampleInducing {
		p.recordCovariance()
	}
	return p
}

// recordCovariance records the blocks of S_M = L_S L_S^T that the marginals use.
func (p *posterior) recordCovariance() {
	var targets []pair
	for _, g := range p.groups {
		targets = append(targets, g.pairs...)
	}
	p.pairs = p.recordBlocks(targets)
}

// recordBlocks records the blocks (i, j) of S_M: sums of L_ik L_jk^T over the
// columns k that rows i and j of L_S share.
func (p *posterior) recordBlocks(targets []pair) *autodiff.Node {
	m := p.arch.M
	out := p.tape.Output(len(targets), m, m, p.factor)
	p.work.need(m * m)
	terms := make([][]term, len(targets))
	for s, target := range targets {
		for _, k := range p.common(target.i, target.j) {
			terms[s] = append(terms[s], term{p.blockOf(target.i, k), p.blockOf(target.j, k), k == target.j})
		}
	}
	return p.tape.Record(out, func() error {
		for s := range terms {
			p.formBlock(square(out.At(s), m), terms[s])
		}
		return nil
	}, func() {
		grad, df := out.Grad(), p.factor.Grad()
		for s, target := range targets {
			ds := square(grad[s*m*m:(s+1)*m*m], m)
			if target.i == target.j {
				p.diagonalBackward(df, ds, terms[s])
			} else {
				p.pairBackward(df, ds, terms[s])
			}
		}
	})
}

// term is one product L_ik L_jk^T by the places of its factors among the blocks
// of L_S. The right factor is lower triangular when k = j.
type term struct {
	left, right int
	triangular  bool
}

// formBlock sums the products of terms into dst. The triangular product, if
// there is one, is the last term and is formed first, in place.
func (p *posterior) formBlock(dst blas64.General, terms []term) {
	m := dst.Rows
	beta := 0.0
	if last := terms[len(terms)-1]; last.triangular {
		copy(dst.Data, p.factor.At(last.left))
		blas64.Trmm(blas.Right, blas.Trans, 1, lower(p.factor.At(last.right), m), dst)
		terms, beta = terms[:len(terms)-1], 1
	}
	for _, t := range terms {
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, square(p.factor.At(t.left), m), square(p.factor.At(t.right), m), beta, dst)
		beta = 1
	}
}

// pairBackward adds to df, the gradient of all blocks of L_S, what ds, the
// gradient of an off-diagonal block of S_M, gives them.
func (p *posterior) pairBackward(df []float64, ds blas64.General, terms []term) {
	m := ds.Rows
	for _, t := range terms {
		left, right := block(df, t.left, m), block(df, t.right, m)
		if t.triangular {
			p.addTriangular(left.Data, ds, 1, t.right)
		} else {
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, ds, square(p.factor.At(t.right), m), 1, left)
		}
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, ds, square(p.factor.At(t.left), m), 1, right)
	}
}

// diagonalBackward is pairBackward for a block (i, i), whose gradient ds is symmetric.
func (p *posterior) diagonalBackward(df []float64, ds blas64.General, terms []term) {
	m := ds.Rows
	for _, t := range terms {
		left := block(df, t.left, m)
		if t.triangular {
			p.addTriangular(left.Data, ds, 2, t.right)
			continue
		}
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 2, ds, square(p.factor.At(t.right), m), 1, left)
	}
}

// addTriangular adds alpha ds L to dst, with L the lower triangular block at
// place of L_S.
func (p *posterior) addTriangular(dst []float64, ds blas64.General, alpha float64, place int) {
	m := ds.Rows
	scratch := square(p.work.of(0, m*m), m)
	copy(scratch.Data, ds.Data)
	blas64.Trmm(blas.Right, blas.NoTrans, alpha, lower(p.factor.At(place), m), scratch)
	for k, v := range scratch.Data {
		dst[k] += v
	}
}

// whitenMean records mu L_K^-T, row by row L_K^-1 of the mean of each GP.
func (p *posterior) whitenMean(root, qMu *autodiff.Node) *autodiff.Node {
	m, rows := qMu.Cols, qMu.Rows
	out := p.tape.Output(1, rows, m, qMu, root)
	p.work.need(rows * m)
	return p.tape.Record(out, func() error {
		copy(out.Value, qMu.Value)
		blas64.Trsm(blas.Right, blas.Trans, 1, lower(root.Value, m), general(out.Value, rows, m))
		return nil
	}, func() {
		g := general(p.work.of(0, rows*m), rows, m)
		copy(g.Data, out.Grad())
		blas64.Trsm(blas.Right, blas.NoTrans, 1, lower(root.Value, m), g)
		addTo(qMu.Grad(), g.Data)
		blas64.Gemm(blas.Trans, blas.NoTrans, -1, g, general(out.Value, rows, m), 1, square(root.Grad(), m))
	})
}

// whitenFactor records L_K^-1 times every block of L_S, with the L_K of its row.
func (p *posterior) whitenFactor() *autodiff.Node {
	m := p.arch.M
	inputs := []*autodiff.Node{p.qSqrt}
	var roots []*autodiff.Node // of each block
	for i, row := range p.rows {
		root := p.layers[p.layer[i]].root
		inputs = append(inputs, root)
		for range row {
			roots = append(roots, root)
		}
	}
	out := p.tape.Output(len(roots), m, m, inputs...)
	p.work.need(m * m)
	return p.tape.Record(out, func() error {
		copy(out.Value, p.qSqrt.Value)
		for b, root := range roots {
			blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(root.Value, m), square(out.At(b), m))
		}
		return nil
	}, func() {
		grad, raw := out.Grad(), p.qSqrt.Grad()
		g := square(p.work.of(0, m*m), m)
		for b, root := range roots {
			copy(g.Data, grad[b*m*m:])
			blas64.Trsm(blas.Left, blas.Trans, 1, lower(root.Value, m), g)
			addTo(raw[b*m*m:(b+1)*m*m], g.Data)
			blas64.Gemm(blas.NoTrans, blas.Trans, -1, g, square(out.At(b), m), 1, square(root.Grad(), m))
		}
	})
}
