package viz

import (
	"math"
	"sort"
)

// Best is which value of a series is marked as the best.
type Best int

const (
	// NoBest marks none.
	NoBest Best = iota
	// Highest marks the greatest finite value.
	Highest
	// Lowest marks the least.
	Lowest
)

// Series is one line of a Curve. X and Y have the same length (of a longer one
// the rest is ignored); X nil stands for 0, 1, 2... X need not be sorted, but
// a line connects points of neighbouring columns. Values may be NaN or Inf.
type Series struct {
	Label string
	X, Y  []float64
	// Run picks colour and marker; see Style.RunColor.
	Run int
}

// Curve is a line chart of one or more series over steps or seconds.
type Curve struct {
	Series []Series
	X      Axis
	Scale  Scale
	// Smoothing is the strength of Smooth, 0 for none. The raw values stay
	// visible behind the smooth line.
	Smoothing float64
	// Best marks one raw value of each series.
	Best Best
	// Clip limits the y axis to where most values lie, so that a few outliers do
	// not flatten the rest; the legend says how many are clipped.
	Clip bool

	// bare leaves out legend, markers and extremes: for smooth functions.
	bare bool
}

// trace is a series, measured.
type trace struct {
	Series
	extent
	x0, x1       float64
	best         int // index into Y, -1 if none
	notFinite    int
	clipped      int
	raw, average []column
}

// chart is a Curve on its way to a picture.
type chart struct {
	Curve
	traces    []trace
	scale     scale
	x0, x1    float64
	clip      [2]float64
	hasPoints bool
}

// Render draws the curve as w x h cells. With room for it there are, besides
// the plot: a legend line on top, labels on the left, a labelled axis below.
func (c Curve) Render(style Style, w, h int) string {
	if w < 1 || h < 1 {
		return ""
	}
	return c.draw(style, w, h).String()
}

func (c Curve) draw(style Style, w, h int) *canvas {
	ch := c.measure()
	cv := newCanvas(style, w, h)
	top, bottom := 0, 0
	if h >= 4 && !c.bare {
		top = 1
	}
	switch {
	case h >= 8 && w >= 12:
		bottom = 2
	case h >= 5 && w >= 12:
		bottom = 1
	}
	plotH := h - top - bottom
	labels, gutter := ch.yTicks(w, plotH)
	plotW := w - gutter
	ch.bin(plotW)
	plot := newCanvas(style, plotW, plotH)
	ch.drawPlot(plot)
	cv.blit(gutter, top, plot)
	ch.drawYAxis(cv, labels, gutter, top, plotH)
	ch.drawXAxis(cv, gutter, top+plotH, bottom)
	if top > 0 {
		drawLegend(cv, 0, 0, w, ch.legend(style))
	}
	return cv
}

// measure takes ranges, best values and averages; nothing depends on the size.
func (c Curve) measure() *chart {
	c.Smoothing = clampStrength(c.Smoothing)
	ch := &chart{Curve: c, x0: math.Inf(1), x1: math.Inf(-1)}
	all := newExtent()
	for _, s := range c.Series {
		t := measureSeries(s, c.Best)
		ch.x0, ch.x1 = math.Min(ch.x0, t.x0), math.Max(ch.x1, t.x1)
		all.merge(t.extent)
		ch.traces = append(ch.traces, t)
	}
	ch.hasPoints = all.n > 0
	ch.clip = [2]float64{all.lo, all.hi}
	if !ch.hasPoints {
		return ch
	}
	if c.Clip {
		ch.clip = clipRange(c.Series, all)
		all.lo, all.hi = math.Max(all.lo, ch.clip[0]), math.Min(all.hi, ch.clip[1])
		all.lo2, all.hi2 = math.Max(all.lo2, all.lo), math.Min(all.hi2, all.hi)
		ch.countClipped()
	}
	ch.scale = fitScale(c.Scale, all, c.Best == Lowest)
	return ch
}

func measureSeries(s Series, which Best) trace {
	n := len(s.Y)
	if s.X != nil {
		n = min(n, len(s.X))
		s.X = s.X[:n]
	}
	s.Y = s.Y[:n]
	t := trace{Series: s, extent: newExtent(), x0: math.Inf(1), x1: math.Inf(-1), best: -1}
	for i, y := range s.Y {
		x := float64(i)
		if s.X != nil {
			x = s.X[i]
		}
		if !finite(x) {
			t.notFinite++
			continue
		}
		if x < t.x0 {
			t.x0 = x
		}
		if x > t.x1 {
			t.x1 = x
		}
		if !finite(y) {
			t.notFinite++
			continue
		}
		if which == Highest && y > t.hi || which == Lowest && y < t.lo {
			t.best = i
		}
		t.add(y)
	}
	return t
}

// clipSample bounds the values per series that clipRange looks at.
const clipSample = 4096

// clipRange returns the range from the 5 % to the 95 % quantile of all values,
// widened by half its width on both sides, but not beyond the values themselves.
func clipRange(series []Series, all extent) [2]float64 {
	var v []float64
	for _, s := range series {
		stride := len(s.Y)/clipSample + 1
		for i := 0; i < len(s.Y); i += stride {
			if finite(s.Y[i]) {
				v = append(v, s.Y[i])
			}
		}
	}
	if len(v) == 0 {
		return [2]float64{all.lo, all.hi}
	}
	sort.Float64s(v)
	lo, hi := v[len(v)*5/100], v[len(v)-1-len(v)*5/100]
	pad := hi/2 - lo/2
	if pad == 0 {
		return [2]float64{all.lo, all.hi}
	}
	return [2]float64{math.Max(all.lo, lo-pad), math.Min(all.hi, hi+pad)}
}

func (ch *chart) countClipped() {
	for i := range ch.traces {
		t := &ch.traces[i]
		for _, y := range t.Y {
			if finite(y) && (y < ch.clip[0] || y > ch.clip[1]) {
				t.clipped++
			}
		}
	}
}

// bin thins every series to w columns.
func (ch *chart) bin(w int) {
	for i := range ch.traces {
		ch.traces[i].bin(ch.x0, ch.x1, w, ch.Smoothing)
	}
}

// column returns the column of x in a plot of w columns.
func (ch *chart) column(x float64, w int) int {
	return int(unit(x, ch.x0, ch.x1)*float64(w-1) + 0.5)
}
