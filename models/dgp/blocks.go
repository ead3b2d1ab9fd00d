package dgp

import (
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
	// triangular is set if the right factor is a lower triangle L_kk.
	triangular bool
}

// A block is computed in bands of rows. Otherwise some processors would wait for others at the end, because
// blocks have different numbers of terms. Products with fewer rows than leastBand would be less efficient,
// and so would more than mostBands.
const leastBand, mostBands = 24, 4

// bandRows returns the number of rows of the bands of a block, of which the last can have fewer.
func bandRows(rows int) int { return max(leastBand, (rows+mostBands-1)/mostBands) }

// bandCount returns the number of bands of a block.
func bandCount(rows int) int { return (rows + bandRows(rows) - 1) / bandRows(rows) }

// band is a band of a block.
type band struct{ block, number int }

// of returns the first row of the band in its block, and all rows after it.
func (b band) of(block blas64.General) []float64 {
	return block.Data[b.number*bandRows(block.Rows)*block.Stride:]
}

// bandsOf divides all blocks of a covariance or a factor.
func bandsOf(blocks spans) (list []band) {
	for block, at := range blocks {
		for number := range bandCount(at.rows) {
			list = append(list, band{block, number})
		}
	}
	return list
}

// blockProducts is the tape operation S_M = L_S L_S^T, block by block. Each block of S_M and of the
// gradient of L_S sums its own terms, so bands of blocks are computed in parallel.
type blockProducts struct {
	p   *posterior
	out *autodiff.Node
	// terms lists the products L_ik L_jk^T of each block (i, j) of S_M.
	terms [][]term
	// gradients lists the products dS_ij L_jk and dS_ji^T L_jk of each block (i, k) of L_S.
	gradients [][]term
	// outBands and factorBands hold the bands of S_M and of L_S.
	outBands, factorBands []band
	// factors holds the blocks of L_S as left operands, in bands, transposed their transposes as right
	// operands, and columns the blocks as right operands during backward.
	factors             [][]linalg.Multiplier
	transposed, columns []linalg.Strips
	// ds holds the gradients of the blocks of S_M during backward, in bands, and dsTrans their transposes for
	// i != j.
	ds, dsTrans [][]linalg.Multiplier
	symmetric   []bool // blocks (i, i) of S_M
	df          []float64

	prepare, forward                     linalg.Loop
	packColumns, packGradients, backward linalg.Loop
}

// recordBlocks records the blocks (i, j) of S_M: sums of L_ik L_jk^T over the columns k that rows i
// and j of L_S have in common.
func (p *posterior) recordBlocks(targets []pair) *autodiff.Node {
	blocks := p.NumBlocks()
	b := &blockProducts{
		p:           p,
		out:         p.tape.Output(1, 1, p.covariances.size(), p.factor),
		gradients:   make([][]term, blocks),
		outBands:    bandsOf(p.covariances),
		factorBands: bandsOf(p.factors),
		factors:     make([][]linalg.Multiplier, blocks),
		transposed:  make([]linalg.Strips, blocks),
		columns:     make([]linalg.Strips, blocks),
		ds:          make([][]linalg.Multiplier, len(targets)),
		dsTrans:     make([][]linalg.Multiplier, len(targets)),
	}
	for block, at := range p.factors {
		b.factors[block] = make([]linalg.Multiplier, bandCount(at.rows))
	}
	for s, target := range targets {
		b.add(s, target)
	}
	b.prepare.Body, b.forward.Body = b.packFactor, b.form
	b.packColumns.Body, b.packGradients.Body, b.backward.Body = b.packColumn, b.packGradient, b.differentiate
	return p.tape.Record(b.out, func() error {
		b.prepare.Run(blocks)
		b.forward.Run(len(b.outBands))
		return nil
	}, func() {
		b.out.Grad() // clear it before blocks read it in parallel
		b.df = b.p.factor.Grad()
		b.packColumns.Run(blocks)
		b.packGradients.Run(len(targets))
		b.backward.Run(len(b.factorBands))
	})
}

// add adds the terms of block s of S_M, which has the indices target.
func (b *blockProducts) add(s int, target pair) {
	var terms []term
	b.symmetric = append(b.symmetric, target.i == target.j)
	at := b.p.covariances[s]
	b.ds[s] = make([]linalg.Multiplier, bandCount(at.rows))
	b.dsTrans[s] = make([]linalg.Multiplier, bandCount(at.cols))
	for _, k := range b.p.common(target.i, target.j) {
		left := b.p.blockOf(target.i, k)
		right := b.p.blockOf(target.j, k)
		triangular := k == target.j
		terms = append(terms, term{left: left, right: right, triangular: triangular})
		same := target.i == target.j
		b.gradients[left] = append(b.gradients[left],
			term{left: s, right: right, twice: same, triangular: triangular})
		if !same {
			b.gradients[right] = append(b.gradients[right], term{left: s, right: left, trans: true})
		}
	}
	b.terms = append(b.terms, terms)
}

// packBands packs a block, or its transpose if trans is set, as left operands.
func packBands(bands []linalg.Multiplier, block blas64.General, trans bool) {
	rows, cols, next := block.Rows, block.Cols, block.Stride
	if trans {
		rows, cols, next = cols, rows, 1
	}
	height := bandRows(rows)
	for number := range bands {
		first := number * height
		from := first * next
		bands[number].Set(block.Data[from:], block.Stride, trans, min(height, rows-first), cols)
	}
}

// packFactor prepares a block of L_S for products L_ik L_jk^T. Blocks L_ii are zero above the diagonal.
func (b *blockProducts) packFactor(block int) {
	at := b.p.factors[block]
	values := at.view(b.p.factor.Value)
	packBands(b.factors[block], values, false)
	b.transposed[block].Resize(at.cols, at.rows)
	b.transposed[block].PackTransposed(values.Data, at.cols)
}

// form computes a band of S_M.
func (b *blockProducts) form(part int) {
	band := b.outBands[part]
	dst := b.p.covariances[band.block].view(b.out.Value)
	beta := 0.0
	for _, t := range b.terms[band.block] {
		shape := linalg.FullStrips
		if t.triangular {
			shape = linalg.UpperStrips
		}
		left := &b.factors[t.left][band.number]
		left.RowsProduct(1, &b.transposed[t.right], shape, beta, band.of(dst), dst.Stride)
		beta = 1
	}
}

// packColumn prepares a block of L_S for products with gradients.
func (b *blockProducts) packColumn(block int) {
	at := b.p.factors[block]
	b.columns[block].Resize(at.rows, at.cols)
	b.columns[block].Pack(at.view(b.p.factor.Value).Data, at.cols)
}

// packGradient prepares the gradient of block s of S_M.
func (b *blockProducts) packGradient(s int) {
	gradient := b.p.covariances[s].view(b.out.Grad())
	packBands(b.ds[s], gradient, false)
	if !b.symmetric[s] {
		packBands(b.dsTrans[s], gradient, true)
	}
}

// differentiate computes the gradient of a band of L_S.
func (b *blockProducts) differentiate(part int) {
	band := b.factorBands[part]
	dst := b.p.factors[band.block].view(b.df)
	for _, t := range b.gradients[band.block] {
		bands, shape := b.ds[t.left], linalg.FullStrips
		if t.trans {
			bands = b.dsTrans[t.left]
		}
		if t.triangular {
			shape = linalg.LowerStrips
		}
		left := &bands[band.number]
		left.RowsProduct(t.factor(), &b.columns[t.right], shape, 1, band.of(dst), dst.Stride)
	}
}

// factor returns the scalar factor of the product.
func (t term) factor() float64 {
	if t.twice {
		return 2
	}
	return 1
}
