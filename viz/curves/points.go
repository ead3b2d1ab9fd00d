package curves

import (
	"math"
	"slices"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// gap is a point that interrupts a line.
var gap = chart.XY{X: math.NaN(), Y: math.NaN()}

// points returns the line through columns, with a gap at values that are not finite. It passes through the
// extremes of columns if extremes is true.
func (ch *layout) points(cols []column, extremes bool) (list []chart.XY) {
	for i := range cols {
		c := &cols[i]
		if c.broken() {
			list = append(list, gap)
		}
		if c.n == 0 {
			continue
		}
		x := ch.x0
		if len(cols) > 1 {
			t := float64(i) / float64(len(cols)-1)
			x = ch.x0*(1-t) + ch.x1*t
		}
		list = append(list, ch.at(x, c.first))
		if extremes && c.n > 2 {
			list = append(list, ch.at(x, c.lo), ch.at(x, c.hi))
		}
		if c.n > 1 {
			list = append(list, ch.at(x, c.last))
		}
	}
	return list
}

// reach extends the line of a zoomed trace to the points beyond the window.
func (ch *layout) reach(t *trace, line []chart.XY) []chart.XY {
	for side, i := range t.beyond {
		if i < 0 || !canvas.Finite(t.y[i]) {
			continue
		}
		value := t.y[i]
		if t.average != nil {
			value = t.smoothAt(i)
		}
		line = slices.Insert(line, side*len(line), ch.at(t.xAt(i), value))
	}
	return line
}
