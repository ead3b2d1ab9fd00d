package fastblas

// packedTriangle is a triangle in the layout of the triangular kernels.
type packedTriangle struct {
	kn     *kernels
	t      matrix
	lower  bool
	unit   bool
	order  int
	solves bool // its diagonal is inverted
	// packed holds for each panel of mr rows the columns off the diagonal block, followed by the
	// diagonal block, all [columns][mr].
	packed aligned
	panels int
}

// pack packs the triangle of q. Rows and columns beyond its order equal the identity. For solves, the
// diagonal is inverted.
func (p *packedTriangle) pack(kn *kernels, q triangular, solves bool) {
	p.kn = kn
	p.t = q.t
	p.lower = q.lower
	p.unit = q.unit
	p.order = q.order
	p.solves = solves
	mr := p.kn.mr
	p.panels = ceil(p.order, mr)
	buf := p.packed.resize(p.offset(p.panels))
	for q := range p.panels {
		dst, i0 := buf[p.offset(q):p.offset(q+1)], q*mr
		rows := min(mr, p.order-i0)
		from, cols := 0, i0
		if !p.lower {
			from = min(i0+mr, p.order)
			cols = p.order - from
		}
		padded := len(dst) - mr*mr
		if rows < mr || cols*mr < padded {
			clear(dst)
		}
		if cols > 0 {
			p.packColumns(dst, p.t.at(i0, from), rows, cols)
		}
		p.packDiagonal(dst[padded:], i0, rows)
	}
}

// offset returns the offset of packed panel q. The panels of a lower triangle grow with q, and the
// panels of an upper triangle shrink.
func (p *packedTriangle) offset(q int) int {
	blocks := q * (q + 1) / 2
	if !p.lower {
		blocks = q*p.panels - q*(q-1)/2
	}
	return blocks * p.kn.mr * p.kn.mr
}

// packColumns packs rows×cols elements off the diagonal block.
func (p *packedTriangle) packColumns(dst []float64, t matrix, rows, cols int) {
	mr := p.kn.mr
	if t.trans {
		p.kn.copyRows(cols, &dst[0], mr, &t.data[0], t.stride, rows, mr)
		return
	}
	p.kn.transposeTo(dst, mr, t.data, t.stride, rows, cols)
}

// packDiagonal packs the triangle of the diagonal block at (i0, i0).
func (p *packedTriangle) packDiagonal(dst []float64, i0, rows int) {
	mr := p.kn.mr
	for c := range mr {
		column := dst[c*mr : (c+1)*mr]
		clear(column)
		if c >= rows {
			column[c] = 1
			continue
		}
		lo, hi := c+1, rows
		if !p.lower {
			lo, hi = 0, c
		}
		for r := lo; r < hi; r++ {
			column[r] = p.t.element(i0+r, i0+c)
		}
		switch {
		case p.unit:
			column[c] = 1
		case p.solves:
			column[c] = 1 / p.t.element(i0+c, i0+c)
		default:
			column[c] = p.t.element(i0+c, i0+c)
		}
	}
}

// sweepSliver applies the panels of the triangle to the sliver from, which may be the sliver that receives
// the result. Their order ensures that the rows used by a panel
// are already final (for solves) or still unchanged (for products).
func (p *packedTriangle) sweepSliver(sliver, from []float64) {
	mr, block := p.kn.mr, p.kn.mr*p.kn.nr
	run := p.kn.trmm
	if p.solves {
		run = p.kn.trsm
	}
	for step := range p.panels {
		q := step
		if p.lower != p.solves {
			q = p.panels - 1 - step
		}
		a, diag, source := &p.packed[p.offset(q)], &sliver[q*block], &from[q*block]
		if p.lower {
			run[0](q*mr, a, &sliver[0], diag, source)
		} else {
			below := min((q+1)*block, len(sliver)-1) // not read by the last panel
			run[1]((p.panels-1-q)*mr, a, &sliver[below], diag, source)
		}
	}
}
