// Package curves draws lines over steps, epochs or seconds: training curves, curves
// over each other, read at a cursor, zoomed, or as the mean of a group.
//
// Long series that are drawn again and again are summed up once (Prepared), so that
// a frame costs what its columns cost and not what its points cost.
package curves

import (
	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// Series is one line of a Curve. X and Y have the same length (of a longer one
// the rest is ignored); X nil stands for 0, 1, 2... X need not be sorted, but
// a line connects points of neighbouring columns. Values may be NaN or Inf.
type Series struct {
	Label string
	X, Y  []float64
	// Run picks colour and marker; see Style.RunColor.
	Run int
	// Prepared, if not nil, stands for X and Y, which are then ignored. A long
	// series that is drawn again and again should be prepared once, with the
	// smoothing of the curve.
	Prepared *Prepared
	// Exact says that the values are no estimates: they are never smoothed.
	Exact bool
}

// Points returns the points of the series, whichever way they were given, as
// slices that must not be written to; x is nil for 0, 1, 2...
func (s Series) Points() (x, y []float64) {
	if s.Prepared != nil {
		return s.Prepared.x, s.Prepared.y
	}
	n := len(s.Y)
	if s.X == nil {
		return nil, s.Y
	}
	n = min(n, len(s.X))
	return s.X[:n], s.Y[:n]
}

// prepared returns the series prepared for a smoothing within its limits.
func (s Series) prepared(smoothing float64) *Prepared {
	if s.Exact {
		smoothing = 0
	}
	if s.Prepared != nil && s.Prepared.strength == smoothing {
		return s.Prepared
	}
	x, y := s.Points()
	return Prepare(x, y, smoothing)
}

// Curve is a line chart of one or more series over steps, epochs or seconds.
type Curve struct {
	Series []Series
	// Groups are drawn behind the series, as a mean with a band.
	Groups []Group
	X      axes.Axis
	Scale  axes.Kind
	// Smoothing is the strength of an exponential moving average, from 0 for none
	// to 0.9999. The raw values stay visible behind the smooth line.
	Smoothing float64
	// Best marks one raw value of each series.
	Best axes.Best
	// Range is which values set the y axis.
	Range Range
	// Zoom is the x range that is shown, whatever points there are: those outside
	// are neither drawn nor do they set the y axis. Unless it goes from a finite
	// to a greater finite value, everything is shown.
	Zoom [2]float64
	// Cursor, if not nil, is an x that is marked. The legend then tells, in place of
	// best values, what every series has at its closest point; see MoveCursor.
	Cursor *float64

	// Means draws a series that is not smoothed, where it has many points to a column of dots,
	// as a line through means with the extremes of its columns behind it. A line through all of
	// them would be a solid area.
	Means bool
	// Bare leaves out legend, markers and extremes: for smooth functions.
	Bare bool
}

// zoomed tells whether the curve has a valid Zoom.
func (c Curve) zoomed() bool {
	return number.Finite(c.Zoom[0]) && number.Finite(c.Zoom[1]) && c.Zoom[0] < c.Zoom[1]
}

// Render draws the curve as w x h cells. With room for it there are, besides
// the plot: a legend line on top, labels on the left, a labelled axis below.
func (c Curve) Render(style canvas.Style, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	return c.Draw(style, w, h).Lines()
}

func (c Curve) Draw(style canvas.Style, w, h int) *canvas.Canvas {
	ch := c.measure()
	cv := canvas.New(style, w, h)
	m, labels := ch.frame(w, h)
	plot := canvas.New(style, w-m.Left, h-m.Top-m.Bottom)
	columns := plot.W
	ch.dots = style.Dots()
	if ch.dots {
		columns *= 2
	}
	ch.bin(columns)
	ch.drawPlot(plot)
	cv.Blit(m.Left, m.Top, plot)
	ch.drawAxes(cv, m, labels, plot.H)
	if m.Top > 0 {
		canvas.DrawLegend(cv, 0, 0, w, ch.legend(style))
	}
	return cv
}
