package curves

import (
	"math"

	"dgplab/viz/axes"
	"dgplab/viz/number"
)

// Prepared is a series that has been looked at once. It sums up short blocks of
// points, so that drawing needs only the blocks, and the points themselves
// where a block does not lie within one column. A chart of 100,000 points is
// then drawn without a look at most of them, and a series that grows is not
// read again from its start.
//
// A Prepared does not change and may be used by several goroutines. It keeps the
// slices that it was made of; their values must stay as they are.
type Prepared struct {
	x, y     []float64
	strength float64
	blocks   []block
}

// blockPoints is the number of points in a block: about half a block is read
// again at the border of two columns, and every block in any case.
const blockPoints = 64

// Prepare sums up a series for drawing with the given smoothing (see Curve). X
// nil stands for 0, 1, 2...; of slices that differ in length the rest of the
// longer one is ignored.
func Prepare(x, y []float64, smoothing float64) *Prepared {
	p := &Prepared{strength: clampStrength(smoothing)}
	return p.Grow(x, y)
}

// Grow returns the same for a series that has grown: x and y begin with the
// values that p was made of, wherever they lie now. It looks at the new points
// only, and p stays as it is. The series may also have become shorter.
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

// averageBefore returns the moving average on its way into block i.
func (p *Prepared) averageBefore(i int) average {
	if i == 0 {
		return newAverage(p.strength)
	}
	return p.blocks[i-1].after
}

// span returns the first point of block i and the first behind it.
func (p *Prepared) span(i int) (from, to int) {
	return i * blockPoints, min((i+1)*blockPoints, len(p.y))
}

func (p *Prepared) xAt(i int) float64 {
	if p.x == nil {
		return float64(i)
	}
	return p.x[i]
}

// block sums up points that follow each other. Points whose x is not finite have
// no place in a picture: they are only counted, and take part in the average.
type block struct {
	axes.Extent
	x0, x1      float64 // +Inf and -Inf without a finite x
	first, last float64 // finite values
	sum         float64 // of the finite values
	// iLo and iHi are where in the series the least and the greatest value first
	// appear, -1 without a finite value.
	iLo, iHi int
	// notFinite counts points of which x or y is not finite.
	notFinite int
	awkward
	// smooth0 and smooth1 are the moving average at the first and last finite
	// value, and after is how it goes on behind the block.
	smooth0, smooth1 float64
	after            average
}

func newBlock() block {
	return block{Extent: axes.NewExtent(), x0: math.Inf(1), x1: math.Inf(-1), iLo: -1, iHi: -1}
}

// scan adds those of the points [from, to) whose x lies in [lo, hi]. b.after must
// be the moving average before them.
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
			b.awkward.add(y)
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

// merge adds a block that follows. The moving average is not merged.
func (b *block) merge(o *block) {
	b.notFinite += o.notFinite
	b.join(o.awkward)
	b.x0 = min(b.x0, o.x0)
	b.x1 = max(b.x1, o.x1)
	if o.N == 0 {
		return
	}
	if o.Lo < b.Lo {
		b.iLo = o.iLo
	}
	if o.Hi > b.Hi {
		b.iHi = o.iHi
	}
	if b.N == 0 {
		b.first = o.first
	}
	b.last = o.last
	b.sum += o.sum
	b.Extent.Merge(o.Extent)
}

// column returns what the block adds to a column of a chart.
func (b *block) column() column {
	c := column{n: b.N, first: b.first, last: b.last, sum: b.sum, awkward: b.awkward}
	if b.N > 0 {
		c.lo, c.hi = b.Lo, b.Hi
	}
	return c
}

// within sums up the points whose x lies in [lo, hi], the averages left out.
// Points without a finite x are counted where their neighbours are within.
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
			part.after = average{strength: 0, settled: true, rate: 1}
			part.scan(p, from, to, lo, hi)
			sum.merge(&part)
		}
	}
	return sum
}

// nearest returns the point whose x is closest to x among those in [lo, hi], the
// first of several; -1 if there is none. Its value may be not finite.
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
	// The closest block first, so that the others can be passed over.
	first, least := -1, math.Inf(1)
	for i := range p.blocks {
		if d := p.blocks[i].distance(x, lo, hi); d < least {
			first, least = i, d
		}
	}
	if first < 0 {
		return -1
	}
	look(first)
	for i := range p.blocks {
		if d := p.blocks[i].distance(x, lo, hi); d <= distance && i != first && number.Finite(d) {
			look(i)
		}
	}
	return best
}

// distance returns how close to x the points of the block in [lo, hi] can be;
// +Inf where there are none.
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

// reaches tells whether x, whose closest point is i, is between points, or no farther
// from the first or last one than that is from its neighbour.
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
