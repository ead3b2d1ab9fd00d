package viz

import "math"

// column is what remains of the points that fall into one column of a chart:
// enough that no extreme and no non-finite value is lost.
type column struct {
	n            int // finite values
	lo, hi       float64
	first, last  float64
	nan          bool
	above, below bool // +Inf, -Inf
}

// binner finds the column of an x.
type binner struct {
	x0, x1 float64
	// rate is columns per unit of x, 0 where that overflows.
	rate float64
	last int
}

func newBinner(x0, x1 float64, w int) binner {
	b := binner{x0: x0, x1: x1, last: w - 1}
	if r := float64(b.last) / (x1 - x0); finite(r) && finite(x1-x0) {
		b.rate = r
	}
	return b
}

// column returns the column of a finite x between x0 and x1.
func (b *binner) column(x float64) int {
	if b.rate > 0 {
		return max(0, min(int((x-b.x0)*b.rate+0.5), b.last))
	}
	return int(unit(x, b.x0, b.x1)*float64(b.last) + 0.5)
}

// bin sorts the points of a series into w columns by x, which runs from x0 to x1
// over them, and so too their moving average if strength is not 0. Points whose
// x is not finite are left out of the picture, though not of the average.
func (t *trace) bin(x0, x1 float64, w int, strength float64) {
	b := newBinner(x0, x1, w)
	t.raw = make([]column, w)
	if strength > 0 {
		t.average = make([]column, w)
	}
	mean := newAverage(strength)
	for i, y := range t.Y {
		x := float64(i)
		if t.X != nil {
			x = t.X[i]
		}
		smooth := y
		if strength > 0 {
			smooth = mean.next(y)
		}
		if !finite(x) {
			continue
		}
		at := b.column(x)
		t.raw[at].add(y)
		if strength > 0 && finite(smooth) {
			c := &t.average[at]
			if c.n++; c.n == 1 {
				c.first = smooth
			}
			c.last = smooth
		}
	}
	for i := range t.average {
		// A single bad value is marked, but the average runs on beside others.
		t.average[i].nan = t.raw[i].broken()
	}
}

func (c *column) add(y float64) {
	switch {
	case y-y != 0:
		c.nan = c.nan || math.IsNaN(y)
		c.above = c.above || math.IsInf(y, 1)
		c.below = c.below || math.IsInf(y, -1)
		return
	case c.n == 0:
		c.first, c.lo, c.hi = y, y, y
	case y < c.lo:
		c.lo = y
	case y > c.hi:
		c.hi = y
	}
	c.n++
	c.last = y
}

// broken tells that a line must not run through this column.
func (c *column) broken() bool { return c.n == 0 && (c.nan || c.above || c.below) }

// rowOf returns the row of a height, counted from the bottom, in a plot of h rows.
func (s *scale) rowOf(v float64, h int) int {
	return int(unit(s.forward(v), s.lo, s.hi)*float64(h-1) + 0.5)
}

// lineRows returns for each column the row, from the bottom, that a line runs
// through: the last value of the column, and between columns with values a
// straight line. -1 is a gap: before the first value, after the last, and at
// values that are not finite.
func lineRows(cols []column, s *scale, h int) []int {
	rows := make([]int, len(cols))
	prev := -1 // last column with a value, -1 after a gap
	for i := range cols {
		rows[i] = -1
		if cols[i].broken() {
			prev = -1
		}
		if cols[i].n == 0 {
			continue
		}
		rows[i] = s.rowOf(cols[i].last, h)
		if prev >= 0 && i > prev+1 {
			from, to := unit(s.forward(cols[prev].last), s.lo, s.hi), unit(s.forward(cols[i].first), s.lo, s.hi)
			for k := prev + 1; k < i; k++ {
				t := float64(k-prev) / float64(i-prev)
				rows[k] = int((from+t*(to-from))*float64(h-1) + 0.5)
			}
		}
		prev = i
	}
	return rows
}
