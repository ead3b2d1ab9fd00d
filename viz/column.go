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

// binColumns sorts points into w columns by x, which runs from x0 to x1 over
// them. Points whose x is not finite are left out. xs nil stands for 0, 1, 2...
func binColumns(xs, ys []float64, x0, x1 float64, w int) []column {
	cols := make([]column, w)
	last := float64(w - 1)
	for i, y := range ys {
		x := float64(i)
		if xs != nil {
			x = xs[i]
		}
		if !finite(x) {
			continue
		}
		cols[int(unit(x, x0, x1)*last+0.5)].add(y)
	}
	return cols
}

func (c *column) add(y float64) {
	switch {
	case math.IsNaN(y):
		c.nan = true
	case math.IsInf(y, 1):
		c.above = true
	case math.IsInf(y, -1):
		c.below = true
	case c.n == 0:
		*c = column{n: 1, lo: y, hi: y, first: y, last: y, nan: c.nan, above: c.above, below: c.below}
	default:
		c.n++
		c.lo, c.hi, c.last = math.Min(c.lo, y), math.Max(c.hi, y), y
	}
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
