package fastblas

import (
	"gonum.org/v1/gonum/blas"

	"dgplab/models/linalg/vec"
)

// Multiplier is a matrix A that multiplies strips from the left. It is prepared once and then used by
// several goroutines.
type Multiplier struct {
	rows, inner int
	a           matrix
	sections    []section
}

// section is a range of the columns of A, prepared for the kernels.
type section struct {
	from, depth int
	packed      aligned
	panels      [2]panels
}

// Set prepares the rows×inner matrix op(A), where op transposes if trans is set. A must not change while
// it is used.
func (m *Multiplier) Set(a []float64, stride int, trans bool, rows, inner int) {
	if trans {
		require(fits(a, stride, inner, rows))
	} else {
		require(fits(a, stride, rows, inner))
	}
	m.rows, m.inner = rows, inner
	m.a = matrix{a, stride, trans}
	if active == nil {
		return
	}
	count := ceil(inner, maxDepth)
	if len(m.sections) != count {
		m.sections = make([]section, count)
	}
	depth := ceil(inner, count)
	for i := range m.sections {
		q := &m.sections[i]
		q.from = i * depth
		q.depth = min(depth, inner-q.from)
		q.panels = active.divide(m.a.at(0, q.from), rows, q.depth, &q.packed)
	}
}

// maxPrefetch is the number of elements of the largest matrix that is prefetched. The use of a larger one
// takes much longer than fetching it.
const maxPrefetch = 8192

// Prefetch fetches a small matrix from the processor that prepared it.
func (m *Multiplier) Prefetch() {
	if m.rows*m.inner > maxPrefetch {
		return
	}
	for i := range m.sections {
		vec.Prefetch(m.sections[i].packed)
	}
	if m.a.readable() { // It is read in place.
		vec.Prefetch(m.a.data[:(m.rows-1)*m.a.stride+m.inner])
	}
}

// Multiply sets dst to A s.
func (m *Multiplier) Multiply(dst, s *Strips) {
	dst.Resize(m.rows, s.Cols)
	m.MultiplyInto(dst, 0, s)
	for j := range dst.Count() {
		clear(dst.strip(j)[dst.Rows*dst.width:])
	}
}

// MultiplyInto sets the rows of dst from the given row on to A s.
func (m *Multiplier) MultiplyInto(dst *Strips, row int, s *Strips) { m.add(1, s, 0, 0, dst, row) }

// Forms sets the rows of products from the given row on to A s. It sets dst to the inner products of their
// columns with the columns of with[0], dst[next:] to those with the columns of with[1], and so on. The
// matrices are adjacent in a list from [NewStrips].
func (m *Multiplier) Forms(products *Strips, row int, s *Strips, with []Strips, dst []float64, next int) {
	require(len(dst) >= (len(with)-1)*next+s.Cols)
	if active == nil {
		m.MultiplyInto(products, row, s)
		for r := range with {
			with[r].Dots(dst[r*next:], products, row)
		}
		return
	}
	for j := range s.Count() {
		part, first := s.part(j)
		product, _ := products.part(j)
		m.MultiplyInto(&product, row, &part)
		if part.Cols == s.width {
			active.dotStrips(len(with), m.rows, &dst[first], next,
				&with[0].strip(j)[0], apart(with), &product.data[row*s.width], 0)
			continue
		}
		for r := range with {
			with[r].dotsOfStrip(dst[r*next+first:], j, products, row)
		}
	}
}

// AddProduct adds A s to dst.
func (m *Multiplier) AddProduct(dst, s *Strips) { m.add(1, s, 0, 1, dst, 0) }

// add computes dst = alpha A s + beta dst for the rows of s from row from on, and the rows of dst from row
// to on.
func (m *Multiplier) add(alpha float64, s *Strips, from int, beta float64, dst *Strips, to int) {
	require(s.Cols == dst.Cols && from+m.inner <= s.Rows && to+m.rows <= dst.Rows)
	at := dst.data[to*dst.width:]
	m.product(alpha, s, from, beta, target{at, dst.width, dst.height * dst.width, true}, FullStrips)
}

// MultiplyRows sets the row-major matrix dst with the given stride to A s.
func (m *Multiplier) MultiplyRows(dst []float64, stride int, s *Strips) {
	m.RowsProduct(1, s, FullStrips, 0, dst, stride)
}

// RowsProduct computes dst = alpha A s + beta dst for the row-major matrix dst with the given stride. If beta
// is zero, dst is written without being read. Parts of s outside its shape are zeros.
func (m *Multiplier) RowsProduct(
	alpha float64, s *Strips, shape Shape, beta float64, dst []float64, stride int,
) {
	require(fits(dst, stride, m.rows, s.Cols) && m.inner == s.Rows)
	m.product(alpha, s, 0, beta, target{dst, stride, s.width, false}, shape)
}

// Shape is the part of a matrix that may differ from zero.
type Shape int

// Full matrices, and square matrices without elements above or below the diagonal.
const (
	FullStrips Shape = iota
	LowerStrips
	UpperStrips
)

// rows returns the range of rows of the strip that begins with column j, among the given number of rows.
func (h Shape) rows(j, width, rows int) (from, to int) {
	switch h {
	case LowerStrips:
		return min(j, rows), rows
	case UpperStrips:
		return 0, min(j+width, rows)
	}
	return 0, rows
}

// target is the place of a result. Strip j begins at c[j*step].
type target struct {
	c         []float64
	ldc, step int
	padded    bool // there is room for columns of the last strip beyond the last column
}

// product computes dst = alpha A s + beta dst, where s begins at row from.
func (m *Multiplier) product(alpha float64, s *Strips, from int, beta float64, dst target, shape Shape) {
	if active == nil {
		tA := blas.NoTrans
		if m.a.trans {
			tA = blas.Trans
		}
		reference.Dgemm(tA, blas.NoTrans, m.rows, s.Cols, m.inner, alpha, m.a.data, m.a.stride,
			s.data[from*s.width:], s.width, beta, dst.c, dst.ldc)
		return
	}
	for i := range m.sections {
		q := &m.sections[i]
		for r := range q.panels {
			for first := 0; first < q.panels[r].rows; first += maxRows {
				q.multiplyStrips(&q.panels[r], first, alpha, s, from, beta, dst, shape)
			}
		}
		beta = 1
	}
}

// multiplyStrips computes the same as product for the terms of one section and at most maxRows rows of the
// panels, beginning with row first.
func (q *section) multiplyStrips(
	p *panels, first int, alpha float64, s *Strips, from int, beta float64, dst target, shape Shape,
) {
	for j := range s.Count() {
		cols := s.columns(j)
		if dst.padded {
			cols = s.width
		}
		low, high := shape.rows(j*s.width, s.width, s.Rows)
		low, high = max(low, q.from), min(high, q.from+q.depth)
		if low >= high && q.from > 0 {
			continue // The other sections have set the result.
		}
		depth := max(0, high-low)
		skip := min(low-q.from, q.depth-1)
		sliver := s.strip(j)[(from+q.from+skip)*s.width:]
		p.multiply(first, skip, depth, alpha, sliver, beta, dst.c[j*dst.step:], dst.ldc, cols)
	}
}

// multiply multiplies at most maxRows rows from row first of the panels, without the first skip columns, by a
// sliver of B, [depth][width], and computes the first cols columns of c = alpha*A*B + beta*c.
func (p *panels) multiply(
	first, skip, depth int, alpha float64, sliver []float64, beta float64, c []float64, ldc, cols int,
) {
	rows := min(maxRows, p.rows-first)
	g, at := p.kernel, p.layout
	g.run(ceil(rows, g.rows), depth, &p.data[first/g.rows*at.size+skip*at.col], at.row, at.col, at.size,
		&sliver[0], alpha, beta, &c[(p.from+first)*ldc], ldc, rows, cols)
}
