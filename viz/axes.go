package viz

import "math"

// margins are what a chart keeps free around its plot, in cells: above it a line
// for the legend, below it an axis, at its left the labels and the axis of y.
type margins struct{ top, bottom, left int }

// marginsFor returns the margins of a chart of w x h cells, without the labels.
func marginsFor(w, h int) margins {
	var m margins
	if h >= 4 {
		m.top = 1
	}
	switch {
	case h >= 8 && w >= 12:
		m.bottom = 2
	case h >= 5 && w >= 12:
		m.bottom = 1
	}
	return m
}

// yLabels returns the labels of the y axis by row from the top, for a plot of h
// rows, and the columns of w that labels and axis take: none when the plot would
// become too narrow.
func yLabels(s *scale, w, h int) (map[int]string, int) {
	if h < 2 || w < 16 {
		return nil, 0
	}
	labels, widest := map[int]string{}, 0
	lastRow := math.MinInt / 2
	for _, t := range s.ticks(max(2, min(h/2, 3+h/6))) {
		row := h - 1 - int(unit(t.At, s.lo, s.hi)*float64(h-1)+0.5)
		if max(row-lastRow, lastRow-row) < 2 && h > 3 || row == lastRow {
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

// drawYAxis draws the vertical axis in the last of gutter columns, beside a plot
// of h rows.
func drawYAxis(cv *canvas, labels map[int]string, gutter, top, h int) {
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
// two rows a line above them. column places a tick within the plot.
func drawXAxis(cv *canvas, name string, ticks []Tick, column func(at float64) int, gutter, y, n int) {
	if n == 0 {
		return
	}
	if n == 2 {
		if gutter > 0 {
			cv.put(gutter-1, y, '└', ink{fg: cv.style.Faint()})
		}
		for x := range cv.w - gutter {
			cv.put(gutter+x, y, '─', ink{fg: cv.style.Faint()})
		}
	}
	if len(ticks) == 0 {
		return
	}
	look := ink{fg: cv.style.Dim()}
	next := 0 // first column that a label may take
	if gutter > width(name) {
		next = cv.text(0, y+n-1, name, look) + 1
	}
	for _, t := range ticks {
		x := gutter + column(t.At)
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
