// Package curves draws lines over steps, epochs or seconds: training curves, several curves in one
// chart, with a cursor, a zoom, or as the mean of a group.
//
// Prepared summarises a long series once. Drawing it again then costs time per column, not per
// point.
package curves

import (
	"cmp"
	"io"
	"strconv"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// Series is one line of a Curve. X and Y have the same length; surplus values are ignored. A nil X
// means 0, 1, 2... X need not be sorted, but a line connects points of neighbouring columns. Values
// may be NaN or Inf.
type Series struct {
	Label string
	X, Y  []float64
	// Run selects colour and marker; see Style.RunColor.
	Run int
	// Prepared, if not nil, replaces X and Y. A long series that is drawn repeatedly should be
	// prepared once, with the smoothing of the curve.
	Prepared *Prepared
	// Exact marks the values as free of noise. They are never smoothed.
	Exact bool
}

// Points returns the points of the series. The slices must not be changed. x is nil for 0, 1, 2...
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

// prepared returns the series prepared for a smoothing.
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
	// Groups are drawn behind the series, each as a mean with a band.
	Groups []Group
	X      chart.Axis
	Scale  chart.Kind
	// Smoothing is the strength of an exponential moving average, from 0 for none
	// to 0.9999. The raw values stay visible behind the smooth line.
	Smoothing float64
	// Best marks one raw value of each series.
	Best chart.Best
	// Range selects the values that set the y axis.
	Range Range
	// Zoom is the visible range of x. Points outside are not drawn and do not set the y axis. The whole range
	// is shown unless Zoom goes from a finite to a greater finite value.
	Zoom [2]float64
	// Cursor, if not nil, marks an x. The legend then shows the value of every series at its
	// closest point instead of best values; see MoveCursor.
	Cursor *float64

	// Means draws a series with many points per column of dots as a line through means, with the
	// extremes of the columns behind it. A line through all points would be a solid area. Smoothed
	// series are not affected.
	Means bool
	// Bare omits the legend, markers and extremes, for smooth functions.
	Bare bool
}

// zoomed reports whether the curve has a valid Zoom.
func (c Curve) zoomed() bool {
	return canvas.Finite(c.Zoom[0]) && canvas.Finite(c.Zoom[1]) && c.Zoom[0] < c.Zoom[1]
}

// Render draws the curve as h lines of w cells. If there is room, the plot has a legend above,
// labels on the left and a labelled axis below.
func (c Curve) Render(style canvas.Style, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	return c.Draw(style, w, h).Lines()
}

// Draw draws the curve on a canvas. w and h are at least 1.
func (c Curve) Draw(style canvas.Style, w, h int) *canvas.Canvas {
	return c.measure().chart(0).Draw(style, w, h)
}

// Figure returns the curve as a figure of 16 x 9 cm: raw values thin and light, smoothed ones over
// them, groups as a mean with a band, the best value of each series marked. The zoom applies, the
// cursor is not drawn. The name of the x axis has notes on the scale, clipping and values that are
// not finite.
func (c Curve) Figure(o figure.Options) (*figure.Figure, error) {
	out := c.Chart(figureColumns, 7, 6)
	out.Page.YName = o.Y
	return out.Figure(o)
}

// CSV writes every point of every series and of every member of a group.
func (c Curve) CSV(out io.Writer) error {
	t := figure.NewTable(out, "name", "x", "y")
	write := func(name string, s Series) {
		x, y := s.Points()
		for k, v := range y {
			at := strconv.Itoa(k)
			if x != nil {
				at = figure.Exact(x[k])
			}
			t.Row(name, at, figure.Exact(v))
		}
	}
	for _, s := range c.Series {
		write(s.Label, s)
	}
	for _, g := range c.Groups {
		for _, s := range g.Members {
			write(cmp.Or(s.Label, g.Label), s)
		}
	}
	return t.Close()
}
