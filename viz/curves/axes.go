package curves

import (
	"dgplab/viz/axes"
	"dgplab/viz/canvas"
)

// frame returns the margins of a chart of w x h cells, and the labels of its y axis by row.
func (ch *layout) frame(w, h int) (axes.Margins, map[int]string) {
	m := axes.MarginsFor(w, h)
	if ch.Bare {
		m.Top = 0
	}
	var labels map[int]string
	plotH := h - m.Top - m.Bottom
	if ch.hasPoints {
		labels, m.Left = axes.YLabels(&ch.scale, w, plotH)
	}
	return m, labels
}

// drawAxes draws both axes around a plot of h rows.
func (ch *layout) drawAxes(cv *canvas.Canvas, m axes.Margins, labels map[int]string, h int) {
	axes.DrawYAxis(cv, labels, m.Left, m.Top, h)
	var ticks []axes.Tick
	w := cv.W - m.Left
	if ch.x0 <= ch.x1 {
		ticks = ch.X.Ticks(ch.x0, ch.x1, max(1, w/10))
	}
	axes.DrawXAxis(cv, ch.X.Name(), ticks, func(at float64) int { return ch.column(at, w) },
		m.Left, m.Top+h, m.Bottom)
}
