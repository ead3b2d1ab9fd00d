package viz

// frame returns the margins of a chart of w x h cells, with the labels of its y
// axis by row.
func (ch *chart) frame(w, h int) (margins, map[int]string) {
	m := marginsFor(w, h)
	if ch.bare {
		m.top = 0
	}
	var labels map[int]string
	plotH := h - m.top - m.bottom
	if ch.hasPoints {
		labels, m.left = yLabels(&ch.scale, w, plotH)
	}
	return m, labels
}

// drawAxes draws both axes around a plot of h rows.
func (ch *chart) drawAxes(cv *canvas, m margins, labels map[int]string, h int) {
	drawYAxis(cv, labels, m.left, m.top, h)
	var ticks []Tick
	w := cv.w - m.left
	if ch.x0 <= ch.x1 {
		ticks = ch.X.Ticks(ch.x0, ch.x1, max(1, w/10))
	}
	drawXAxis(cv, ch.X.name(), ticks, func(at float64) int { return ch.column(at, w) }, m.left, m.top+h, m.bottom)
}
