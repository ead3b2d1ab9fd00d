package curves

import (
	"math"

	"dgplab/viz/chart"
)

// trace is a series with its ranges.
type trace struct {
	label string
	run   int
	*Prepared
	// sum summarises the points within the window.
	sum  block
	best int // an index into the series, or -1 if none
	// below and above count the points outside the axis.
	below, above int
	columns
	// beyond holds the closest points before and after the window of a zoomed series, or -1.
	beyond [2]int
}

// layout is a Curve with its ranges, ready to be drawn.
type layout struct {
	Curve
	traces []trace
	bands  []band
	scale  chart.Scale
	// x0 and x1 are the range of the x axis. x0 > x1 without points.
	x0, x1 float64
	// lo and hi are the window. Points outside are ignored.
	lo, hi    float64
	clip      [2]float64
	hasPoints bool
	// dots is true if a cell has 2 x 4 dots. There are then twice as many columns as cells.
	dots bool
}

// measure computes ranges and best values. They do not depend on the size of the picture.
func (c Curve) measure() *layout {
	c.Smoothing = clampStrength(c.Smoothing)
	ch := &layout{Curve: c, x0: math.Inf(1), x1: math.Inf(-1), lo: math.Inf(-1), hi: math.Inf(1)}
	if c.zoomed() {
		ch.lo, ch.hi = c.Zoom[0], c.Zoom[1]
	}
	all := chart.NewExtent()
	for _, s := range c.Series {
		t := trace{label: s.Label, run: s.Run, Prepared: s.prepared(c.Smoothing), best: -1,
			beyond: [2]int{-1, -1}}
		t.sum = t.within(ch.lo, ch.hi)
		if c.zoomed() {
			t.beyond[0] = t.nearest(ch.lo, math.Inf(-1), math.Nextafter(ch.lo, math.Inf(-1)))
			t.beyond[1] = t.nearest(ch.hi, math.Nextafter(ch.hi, math.Inf(1)), math.Inf(1))
		}
		switch c.Best {
		case chart.Highest:
			t.best = t.sum.iHi
		case chart.Lowest:
			t.best = t.sum.iLo
		}
		ch.x0 = min(ch.x0, t.sum.x0)
		ch.x1 = max(ch.x1, t.sum.x1)
		all.Merge(t.sum.Extent)
		ch.traces = append(ch.traces, t)
	}
	groups := ch.measureGroups()
	if c.zoomed() {
		ch.x0, ch.x1 = ch.lo, ch.hi
	}
	for _, g := range groups {
		b := g.band(ch.x0, ch.x1)
		all.Merge(b.Extent)
		ch.bands = append(ch.bands, b)
	}
	ch.hasPoints = all.N > 0
	ch.clip = [2]float64{all.Lo, all.Hi}
	if !ch.hasPoints {
		return ch
	}
	ch.clip = ch.limits(all)
	if ch.clip != [2]float64{all.Lo, all.Hi} {
		all.Lo = max(all.Lo, ch.clip[0])
		all.Hi = min(all.Hi, ch.clip[1])
		all.Lo2 = max(all.Lo2, all.Lo)
		all.Hi2 = min(all.Hi2, all.Hi)
		ch.countClipped()
	}
	ch.scale = chart.Fit(c.Scale, all, c.Best == chart.Lowest)
	return ch
}

// bin sorts every series into w columns. With means, series that have many points for room columns
// become means; see condense.
func (ch *layout) bin(w int, means bool, room int) {
	for i := range ch.traces {
		t := &ch.traces[i]
		t.columns = t.Prepared.bin(ch.x0, ch.x1, w)
		if ch.Means && means {
			t.condense(room)
		}
	}
}

// outside returns the numbers of points below and above the axis. Large values are below the axis if small
// gaps are on top.
func (ch *layout) outside() (below, above int) {
	for i := range ch.traces {
		below += ch.traces[i].below
		above += ch.traces[i].above
	}
	if ch.hasPoints && ch.scale.Forward(ch.clip[0]) > ch.scale.Forward(ch.clip[1]) {
		return above, below
	}
	return below, above
}

func (ch *layout) notFinite() int {
	n := 0
	for i := range ch.traces {
		n += ch.traces[i].sum.notFinite
	}
	for i := range ch.bands {
		n += ch.bands[i].notFinite
	}
	return n
}
