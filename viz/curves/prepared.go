package curves

import (
	"math"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// Prepared is a series summarised in short blocks. Drawing reads the blocks, and only the points of blocks
// that span several columns. A chart of 100,000 points is drawn without reading most of them, and a growing
// series is not read again from the start.
//
// A Prepared does not change and may be used by several goroutines. It keeps the slices passed to Prepare;
// their values must not change.
type Prepared struct {
	x, y     []float64
	strength float64
	blocks   []block
}

// blockPoints is the number of points in a block. About half a block is read again at the border of
// two columns, and every block is visited.
const blockPoints = 64

// Prepare summarises a series for drawing with the given smoothing (see Curve). A nil x means 0, 1,
// 2... If the slices differ in length, surplus values are ignored.
func Prepare(x, y []float64, smoothing float64) *Prepared {
	p := &Prepared{strength: clampStrength(smoothing)}
	return p.Grow(x, y)
}

// Grow returns the Prepared of a series that has grown. x and y begin with the values that p was
// made from, possibly at another address. Only new points are read, and p does not change. The
// series may also be shorter.
func (p *Prepared) Grow(x, y []float64) *Prepared {
	n := len(y)
	if x != nil {
		n = min(n, len(x))
		x = x[:n]
	}
	if n == len(p.y) && n > 0 {
		return p
	}
	next := &Prepared{x: x, y: y[:n], strength: p.strength}
	whole := min(len(p.y), n) / blockPoints
	next.blocks = append(make([]block, 0, (n+blockPoints-1)/blockPoints), p.blocks[:whole]...)
	for from := whole * blockPoints; from < n; from += blockPoints {
		b := newBlock()
		b.after = next.averageBefore(len(next.blocks))
		b.scan(next, from, min(from+blockPoints, n), math.Inf(-1), math.Inf(1))
		next.blocks = append(next.blocks, b)
	}
	return next
}

// averageBefore returns the moving average before block i.
func (p *Prepared) averageBefore(i int) average {
	if i == 0 {
		return newAverage(p.strength)
	}
	return p.blocks[i-1].after
}

// span returns the range of the points of block i.
func (p *Prepared) span(i int) (from, to int) {
	return i * blockPoints, min((i+1)*blockPoints, len(p.y))
}

func (p *Prepared) xAt(i int) float64 {
	if p.x == nil {
		return float64(i)
	}
	return p.x[i]
}

// block summarises consecutive points. Points whose x is not finite are counted and contribute to the
// average, but are not drawn.
type block struct {
	chart.Extent
	x0, x1      float64 // +Inf and -Inf without a finite x
	first, last float64 // finite values
	sum         float64 // of the finite values
	// iLo and iHi are the indices of the first smallest and the first largest value in the series,
	// or -1 without a finite value.
	iLo, iHi int
	// notFinite counts points whose x or y is not finite.
	notFinite int
	nonFinite
	// smooth0 and smooth1 are the moving average at the first and the last finite value. after is
	// its state after the block.
	smooth0, smooth1 float64
	after            average
}

func newBlock() block {
	return block{Extent: chart.NewExtent(), x0: math.Inf(1), x1: math.Inf(-1), iLo: -1, iHi: -1}
}

// scan adds the points of [from, to) with x in [lo, hi]. b.after must be the moving average before
// them.
func (b *block) scan(p *Prepared, from, to int, lo, hi float64) {
	for i := from; i < to; i++ {
		x, y := float64(i), p.y[i]
		if p.x != nil {
			x = p.x[i]
		}
		smooth := y
		if p.strength > 0 {
			smooth = b.after.next(y)
		}
		if x-x != 0 {
			b.notFinite++
			continue
		}
		if x < lo || x > hi {
			continue
		}
		if x < b.x0 {
			b.x0 = x
		}
		if x > b.x1 {
			b.x1 = x
		}
		if y-y != 0 {
			b.notFinite++
			b.nonFinite.add(y)
			continue
		}
		if y < b.Lo {
			b.iLo = i
		}
		if y > b.Hi {
			b.iHi = i
		}
		b.Extent.Add(y)
		if b.N == 1 {
			b.first, b.smooth0 = y, smooth
		}
		b.last, b.smooth1 = y, smooth
		b.sum += y
	}
}

// merge adds the extremes and the counts of o.
func (b *block) merge(o *block) {
	b.notFinite += o.notFinite
	b.x0 = min(b.x0, o.x0)
	b.x1 = max(b.x1, o.x1)
	if o.Lo < b.Lo {
		b.iLo = o.iLo
	}
	if o.Hi > b.Hi {
		b.iHi = o.iHi
	}
	b.Extent.Merge(o.Extent)
}

// column returns the block as a column.
func (b *block) column() column {
	c := column{n: b.N, first: b.first, last: b.last, sum: b.sum, nonFinite: b.nonFinite}
	if b.N > 0 {
		c.lo, c.hi = b.Lo, b.Hi
	}
	return c
}

// within returns the extremes and the counts of the points with x in [lo, hi]. Points without a finite x
// are counted if their neighbours are within.
func (p *Prepared) within(lo, hi float64) block {
	sum := newBlock()
	for i := range p.blocks {
		b := &p.blocks[i]
		switch {
		case b.x0 >= lo && b.x1 <= hi:
			sum.merge(b)
		case b.x1 >= lo && b.x0 <= hi:
			from, to := p.span(i)
			part := newBlock()
			part.scan(p, from, to, lo, hi)
			sum.merge(&part)
		}
	}
	return sum
}

// nearest returns the index of the point in [lo, hi] closest to x, the first of several, or -1. The value at
// the point may be NaN or infinite.
func (p *Prepared) nearest(x, lo, hi float64) int {
	best, distance := -1, math.Inf(1)
	look := func(i int) {
		for k, to := p.span(i); k < to; k++ {
			at := p.xAt(k)
			d := math.Abs(at - x)
			if at >= lo && at <= hi && (d < distance || d == distance && k < best) {
				best, distance = k, d
			}
		}
	}
	// Start with the closest block, so that others can be skipped.
	first, least := 0, math.Inf(1)
	for i := range p.blocks {
		if d := p.blocks[i].distance(x, lo, hi); d < least {
			first, least = i, d
		}
	}
	look(first)
	for i := range p.blocks {
		if d := p.blocks[i].distance(x, lo, hi); d <= distance && i != first && canvas.Finite(d) {
			look(i)
		}
	}
	return best
}

// distance returns the smallest possible distance to x of the points of the block in [lo, hi], or
// +Inf without points.
func (b *block) distance(x, lo, hi float64) float64 {
	from := max(b.x0, lo)
	to := min(b.x1, hi)
	if !(from <= to) {
		return math.Inf(1)
	}
	return max(0, max(from-x, x-to))
}

// smoothAt returns the moving average at point i.
func (p *Prepared) smoothAt(i int) float64 {
	from, _ := p.span(i / blockPoints)
	mean := p.averageBefore(i / blockPoints)
	v := math.NaN()
	for k := from; k <= i; k++ {
		v = mean.next(p.y[k])
	}
	return v
}

// reaches reports whether x, whose closest point is i, lies between points, or outside by at most the
// distance from the outermost point to its neighbour.
func (p *Prepared) reaches(x float64, i int) bool {
	at := p.xAt(i)
	if x == at {
		return true
	}
	side := math.Inf(1)
	if x < at {
		side = math.Inf(-1)
	}
	beyond := func(x, side float64) int { return p.nearest(x, min(x, side), max(x, side)) }
	if beyond(math.Nextafter(x, side), side) >= 0 {
		return true // There are points on both sides.
	}
	k := beyond(math.Nextafter(at, -side), -side)
	return k >= 0 && math.Abs(x-at) <= math.Abs(at-p.xAt(k))
}
