package viz

import "math"

// yTicks returns the ticks of the y axis by row from the top, and the columns
// that labels and axis take: none when the plot would become too narrow.
func (ch *chart) yTicks(w, h int) (map[int]string, int) {
	if h < 2 || w < 16 || !ch.hasPoints {
		return nil, 0
	}
	ticks := ch.scale.ticks(max(2, min(h/2, 3+h/6)))
	labels, widest := map[int]string{}, 0
	lastRow := math.MinInt / 2
	for _, t := range ticks {
		row := h - 1 - int(unit(t.At, ch.scale.lo, ch.scale.hi)*float64(h-1)+0.5)
		if abs(row-lastRow) < 2 && h > 3 || row == lastRow {
			continue
		}
		lastRow = row
		labels[row] = t.Label
		widest = max(widest, width(t.Label))
	}
	if w-widest-1 < 12 {
		return nil, 0
	}
	return labels, widest + 1
}

// drawYAxis draws the vertical axis in the last of gutter columns.
func (ch *chart) drawYAxis(cv *canvas, labels map[int]string, gutter, top, h int) {
	if gutter == 0 {
		return
	}
	for y := range h {
		r := '│'
		if label, ok := labels[y]; ok {
			r = '┤'
			cv.textRight(gutter-1, top+y, label, ink{fg: cv.style.Dim()})
		}
		cv.put(gutter-1, top+y, r, ink{fg: cv.style.Faint()})
	}
}

// drawXAxis draws the horizontal axis from row y on, of n rows: labels, and with
// two rows a line above them.
func (ch *chart) drawXAxis(cv *canvas, gutter, y, n int) {
	if n == 0 {
		return
	}
	w := cv.w - gutter
	if n == 2 {
		if gutter > 0 {
			cv.put(gutter-1, y, '└', ink{fg: cv.style.Faint()})
		}
		for x := range w {
			cv.put(gutter+x, y, '─', ink{fg: cv.style.Faint()})
		}
	}
	if ch.x0 > ch.x1 {
		return
	}
	look := ink{fg: cv.style.Dim()}
	next := 0 // first column that a label may take
	if name := ch.X.name(); gutter > width(name) {
		next = cv.text(0, y+n-1, name, look) + 1
	}
	for _, t := range ch.X.Ticks(ch.x0, ch.x1, max(1, w/10)) {
		x := gutter + ch.column(t.At, w)
		start := max(min(x-width(t.Label)/2, cv.w-width(t.Label)), next)
		if start < next || start+width(t.Label) > cv.w || start > x {
			continue
		}
		next = cv.text(start, y+n-1, t.Label, look) + 2
		if n == 2 {
			cv.put(x, y, '┬', ink{fg: cv.style.Faint()})
		}
	}
}
