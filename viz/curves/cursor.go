package curves

import (
	"math"

	"dgplab/viz/canvas"
)

// eachSeries calls do with every series and every member of a group.
func (c Curve) eachSeries(do func(*Prepared)) {
	strength := clampStrength(c.Smoothing)
	for _, s := range c.Series {
		do(s.prepared(strength))
	}
	for _, g := range c.Groups {
		for _, s := range g.Members {
			do(s.prepared(strength))
		}
	}
}

// MoveCursor returns the new position of a cursor that is moved from x by a distance: the x of the
// point within the zoom that is closest to x+by in that direction. If there is none, or by is 0, it
// is the point closest to x. ok is false without points.
func (c Curve) MoveCursor(x, by float64) (to float64, ok bool) {
	lo := math.Inf(-1)
	hi := math.Inf(1)
	if c.zoomed() {
		lo, hi = c.Zoom[0], c.Zoom[1]
	}
	ahead, behind := lo, hi
	switch {
	case by > 0:
		ahead = max(lo, math.Nextafter(x, math.Inf(1)))
	case by < 0:
		behind = min(hi, math.Nextafter(x, math.Inf(-1)))
	}
	to, ok = c.closest(x+by, ahead, behind)
	if ok {
		return to, true
	}
	return c.closest(x, lo, hi)
}

// closest returns the x in [lo, hi] of any series that is closest to x.
func (c Curve) closest(x, lo, hi float64) (at float64, ok bool) {
	c.eachSeries(func(p *Prepared) {
		if i := p.nearest(x, lo, hi); i >= 0 && (!ok || math.Abs(p.xAt(i)-x) < math.Abs(at-x)) {
			at, ok = p.xAt(i), true
		}
	})
	return at, ok
}

// XAt returns the x of column col in a picture of w x h cells. ok is false outside the plot.
func (c Curve) XAt(w, h, col int) (x float64, ok bool) {
	ch := c.measure()
	if ch.x0 > ch.x1 {
		return 0, false
	}
	return ch.chart(0).XAt(w, h, col)
}

// reading is the value of a series at the cursor.
type reading struct {
	x, value float64
	// smooth is the moving average, or the standard error of a group. It is NaN if there is none.
	smooth float64
	ok     bool
	// missed is true if the cursor is beyond the ends of the series. x is then the closer end.
	missed bool
}

// reads reports whether the window contains a cursor.
func (ch *layout) reads() bool {
	return ch.Cursor != nil && canvas.Finite(*ch.Cursor) && *ch.Cursor >= ch.x0 && *ch.Cursor <= ch.x1
}

// reading returns the point of a trace closest to the cursor. missed is true if the cursor is before or after
// the trace.
func (ch *layout) reading(t *trace) reading {
	i := t.nearest(*ch.Cursor, ch.lo, ch.hi)
	if i < 0 {
		return reading{}
	}
	if !t.reaches(*ch.Cursor, i) {
		return reading{x: t.xAt(i), missed: true}
	}
	r := reading{x: t.xAt(i), value: t.y[i], smooth: math.NaN(), ok: true}
	if t.strength > 0 {
		r.smooth = t.smoothAt(i)
	}
	return r
}

// readBand returns the mean of a band at the cursor.
func (ch *layout) readBand(b *band) reading {
	mean, se := b.at(canvas.Fraction(*ch.Cursor, ch.x0, ch.x1))
	return reading{x: *ch.Cursor, value: mean, smooth: se, ok: canvas.Finite(mean)}
}
