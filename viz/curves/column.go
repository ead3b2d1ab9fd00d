package curves

import (
	"cmp"
	"math"

	"dgplab/viz/canvas"
)

// column summarises the points in one column of a chart. No extreme and no non-finite value is
// lost.
type column struct {
	n           int // number of finite values
	lo, hi      float64
	first, last float64
	sum         float64
	nonFinite
}

// nonFinite records which non-finite values occur.
type nonFinite struct{ nan, above, below bool } // NaN, +Inf, -Inf

// add adds a value that is not finite.
func (a *nonFinite) add(y float64) {
	a.nan = a.nan || math.IsNaN(y)
	a.above = a.above || math.IsInf(y, 1)
	a.below = a.below || math.IsInf(y, -1)
}

// join adds the values of another column.
func (a *nonFinite) join(o nonFinite) {
	a.nan, a.above, a.below = a.nan || o.nan, a.above || o.above, a.below || o.below
}

// binner maps x to columns.
type binner struct {
	x0, x1 float64
	// rate is the number of columns per unit of x, or 0 if that overflows.
	rate float64
	last int
}

func newBinner(x0, x1 float64, w int) binner {
	b := binner{x0: x0, x1: x1, last: w - 1}
	if r := float64(b.last) / (x1 - x0); canvas.Finite(r) && canvas.Finite(x1-x0) {
		b.rate = r
	}
	return b
}

// column returns the column of a finite x between x0 and x1.
func (b *binner) column(x float64) int {
	if b.rate > 0 {
		return max(0, min(int((x-b.x0)*b.rate+0.5), b.last))
	}
	return int(canvas.Fraction(x, b.x0, b.x1)*float64(b.last) + 0.5)
}

// columns is a series thinned to the columns of a chart.
type columns struct {
	raw []column
	// average is the moving average, or nil without smoothing. Only n, first, last and nan of its
	// columns are set.
	average []column
	// mean holds means around columns with many points. It is nil for a series with few points or
	// with smoothing. Only n, first, last and nonFinite of its columns are set.
	mean []column
	// meanOf is the approximate number of points in a mean.
	meanOf int
}

// A series with at least manyPoints points per column is drawn as means of about meanPoints or more points.
const manyPoints, meanPoints = 2, 10

// condense sets mean if the series has many points for room columns; 0 stands for the columns with
// points. A line through all points would be a solid area, and means of few points would be ragged.
func (c *columns) condense(room int) {
	points := 0
	used := 0
	first := 0
	last := 0
	for i := range c.raw {
		if c.raw[i].n > 0 {
			last = i
			if used == 0 {
				first = i
			}
			points, used = points+c.raw[i].n, used+1
		}
	}
	if c.average != nil || points < manyPoints*cmp.Or(room, used) || used == 0 {
		return
	}
	span := last - first + 1 // includes columns between points
	reach := meanPoints * span / points / 2
	c.meanOf = (2*reach + 1) * points / span
	c.mean = make([]column, len(c.raw))
	for i := range c.raw {
		c.mean[i] = c.meanAround(i, reach)
	}
}

// meanAround returns column i with the mean of the points within reach columns on either side.
func (c *columns) meanAround(i, reach int) column {
	r := &c.raw[i]
	if r.n == 0 {
		return column{nonFinite: r.nonFinite}
	}
	around := column{}
	for k := max(i-reach, 0); k <= min(i+reach, len(c.raw)-1); k++ {
		around.merge(c.raw[k])
	}
	mean := around.sum / float64(around.n)
	if !canvas.Finite(mean) {
		mean = r.last
	}
	return column{n: r.n, first: mean, last: mean, nonFinite: r.nonFinite}
}

// line returns the columns of the line: average, mean or raw.
func (c *columns) line() []column {
	switch {
	case c.average != nil:
		return c.average
	case c.mean != nil:
		return c.mean
	}
	return c.raw
}

// bin sorts the points with x in [x0, x1] into w columns, and their moving average if the series is smoothed.
// A block within one column is added as a whole; the points of other blocks are read.
func (p *Prepared) bin(x0, x1 float64, w int) columns {
	out := columns{raw: make([]column, w)}
	if p.strength > 0 {
		out.average = make([]column, w)
	}
	at := newBinner(x0, x1, w)
	for i := range p.blocks {
		b := &p.blocks[i]
		switch {
		case !(b.x1 >= x0 && b.x0 <= x1):
		case b.x0 >= x0 && b.x1 <= x1 && at.column(b.x0) == at.column(b.x1):
			c := at.column(b.x0)
			out.raw[c].merge(b.column())
			if out.average != nil && b.N > 0 {
				out.average[c].merge(column{n: b.N, first: b.smooth0, last: b.smooth1})
			}
		default:
			p.binPoints(&out, &at, i)
		}
	}
	for i := range out.average {
		// A value that is not finite is marked, but does not interrupt the average if the column has other
		// values.
		out.average[i].nan = out.raw[i].broken()
	}
	return out
}

// binPoints sorts the points of block i into columns.
func (p *Prepared) binPoints(out *columns, at *binner, i int) {
	mean := p.averageBefore(i)
	for k, to := p.span(i); k < to; k++ {
		x, y := p.xAt(k), p.y[k]
		smooth := y
		if p.strength > 0 {
			smooth = mean.next(y)
		}
		if !(x >= at.x0 && x <= at.x1) {
			continue
		}
		c := at.column(x)
		out.raw[c].add(y)
		if out.average != nil && canvas.Finite(smooth) {
			out.average[c].merge(column{n: 1, first: smooth, last: smooth})
		}
	}
}

func (c *column) add(y float64) {
	switch {
	case y-y != 0:
		c.nonFinite.add(y)
		return
	case c.n == 0:
		c.first, c.lo, c.hi = y, y, y
	case y < c.lo:
		c.lo = y
	case y > c.hi:
		c.hi = y
	}
	c.n++
	c.sum += y
	c.last = y
}

// merge appends the points of o.
func (c *column) merge(o column) {
	c.join(o.nonFinite)
	switch {
	case o.n == 0:
		return
	case c.n == 0:
		c.first, c.lo, c.hi = o.first, o.lo, o.hi
	default:
		c.lo = min(c.lo, o.lo)
		c.hi = max(c.hi, o.hi)
	}
	c.n += o.n
	c.sum += o.sum
	c.last = o.last
}

// broken reports whether a line must be interrupted at this column.
func (c *column) broken() bool { return c.n == 0 && (c.nan || c.above || c.below) }

// straight returns the value of a line at every column: the last value of columns with values, and
// straight lines between them. It is NaN in gaps: before the first value, after the last, and at
// values that are not finite.
func straight(cols []column) []float64 {
	out := make([]float64, len(cols))
	prev := -1 // the last column with a value, -1 after a gap
	for i := range cols {
		out[i] = math.NaN()
		if cols[i].broken() {
			prev = -1
		}
		if cols[i].n == 0 {
			continue
		}
		out[i] = cols[i].last
		for k := prev + 1; prev >= 0 && k < i; k++ {
			t := float64(k-prev) / float64(i-prev)
			out[k] = (1-t)*out[prev] + t*cols[i].first
		}
		prev = i
	}
	return out
}
