package viz

import "math"

// drawPlot draws what lies within the axes: the raw values, the smooth or plain
// lines over them, then the marks, which nothing covers.
func (ch *chart) drawPlot(cv *canvas) {
	if cv.w < 1 || cv.h < 1 {
		return
	}
	if !ch.hasPoints {
		message := "no data yet"
		if len(ch.traces) > 0 && ch.notFinite() > 0 {
			message = "no finite value yet"
		}
		cv.text((cv.w-width(message))/2, (cv.h-1)/2, truncate(message, cv.w), ink{fg: cv.style.Dim()})
	} else {
		for i := range ch.traces {
			ch.drawRaw(cv, &ch.traces[i])
		}
		for i := range ch.traces {
			ch.drawLine(cv, &ch.traces[i])
		}
		if len(ch.traces) > 1 && !ch.bare {
			ch.drawMarkers(cv)
		}
	}
	for i := range ch.traces {
		ch.drawNotFinite(cv, &ch.traces[i])
	}
	if ch.hasPoints && ch.Best != NoBest {
		for i := range ch.traces {
			ch.drawBest(cv, &ch.traces[i])
		}
	}
}

// drawRaw draws the range of every column behind a smooth line.
func (ch *chart) drawRaw(cv *canvas, t *trace) {
	if t.average == nil {
		return
	}
	look := ink{fg: cv.style.RunColor(t.Run).mix(cv.style.ground(), 0.55)}
	for x := range t.raw {
		c := &t.raw[x]
		if c.n == 0 {
			continue
		}
		lo, hi := ch.scale.rowOf(c.lo, cv.h), ch.scale.rowOf(c.hi, cv.h)
		if lo == hi {
			cv.put(x, cv.h-1-lo, '·', look)
			continue
		}
		for r := lo; r <= hi; r++ {
			cv.put(x, cv.h-1-r, '┊', look)
		}
	}
}

// drawLine draws the smooth line, or without smoothing the raw one, which then
// also reaches to the extremes of every column.
func (ch *chart) drawLine(cv *canvas, t *trace) {
	cols := t.average
	if cols == nil {
		cols = t.raw
	}
	look := ink{fg: cv.style.RunColor(t.Run), bold: t.average != nil}
	rows := lineRows(cols, &ch.scale, cv.h)
	glyphs := lineGlyphs(rows, cv.h)
	for y, line := range glyphs {
		for x, r := range line {
			if r != ' ' {
				cv.put(x, y, r, look)
			}
		}
	}
	if t.average != nil || ch.bare {
		return
	}
	for x := range cols {
		if c := &cols[x]; c.n > 1 {
			drawExtremes(cv, glyphs, x, cv.h-1-ch.scale.rowOf(c.hi, cv.h), cv.h-1-ch.scale.rowOf(c.lo, cv.h), look)
		}
	}
}

// drawExtremes lengthens the line glyphs of column x to reach from row top to
// row bottom.
func drawExtremes(cv *canvas, glyphs [][]rune, x, top, bottom int, look ink) {
	for y := top; y <= bottom && top < bottom; y++ {
		r := glyphs[y][x]
		up, down := y > top, y < bottom
		switch {
		case r == ' ' || r == '•':
			r = '│'
		case r == '─' && up && down:
			r = '┼'
		case r == '─' && up, r == '╯' && !down, r == '╰' && !down:
			r = joint(r, '┴')
		case r == '─', r == '╮' && !up, r == '╭' && !up:
			r = joint(r, '┬')
		case (r == '╮' || r == '╯') && up && down:
			r = '┤'
		case (r == '╭' || r == '╰') && up && down:
			r = '├'
		}
		cv.put(x, y, r, look)
	}
}

// joint returns with where a straight stroke is met, and arcs as they are.
func joint(r, with rune) rune {
	if r == '─' {
		return with
	}
	return r
}

// markerEvery is the distance of the markers along a line, in columns.
const markerEvery = 24

// drawMarkers puts the marker of each run on its line now and then and at its
// end, so that lines differ without colour.
func (ch *chart) drawMarkers(cv *canvas) {
	for i := range ch.traces {
		t := &ch.traces[i]
		cols := t.average
		if cols == nil {
			cols = t.raw
		}
		rows := lineRows(cols, &ch.scale, cv.h)
		end := len(rows) - 1
		for end >= 0 && rows[end] < 0 {
			end--
		}
		look := ink{fg: cv.style.RunColor(t.Run), bold: true}
		marker := runColors[wrap(t.Run, len(runColors))].marker
		offset := (2*i + 1) * markerEvery / (2 * len(ch.traces))
		for x, r := range rows {
			if r >= 0 && (x == end || wrap(x-offset, markerEvery) == 0) {
				cv.put(x, cv.h-1-r, marker, look)
			}
		}
	}
}

// drawNotFinite marks columns with values that are not finite: ↑ on the upper
// edge for Inf, ↓ and × on the lower edge for -Inf and NaN.
func (ch *chart) drawNotFinite(cv *canvas, t *trace) {
	look := ink{fg: cv.style.Bad(), bold: true}
	for x := range t.raw {
		c := &t.raw[x]
		if c.above {
			cv.put(x, 0, '↑', look)
		}
		if c.below {
			cv.put(x, cv.h-1, '↓', look)
		}
		if c.nan {
			cv.put(x, cv.h-1, '×', look)
		}
	}
}

// drawBest marks the best value, with its number beside it where there is room.
func (ch *chart) drawBest(cv *canvas, t *trace) {
	if t.best < 0 {
		return
	}
	x, y := ch.column(t.xAt(t.best), cv.w), cv.h-1-ch.scale.rowOf(t.Y[t.best], cv.h)
	look := ink{fg: cv.style.Good(), bold: true}
	cv.put(x, y, '★', look)
	label := Short(t.Y[t.best])
	n := width(label)
	for _, at := range [...][2]int{{x + 2, y}, {x - n - 1, y}, {x - n/2, y - 1}, {x - n + 1, y - 1}, {x, y - 1}, {x - n/2, y + 1}, {x - n + 1, y + 1}, {x, y + 1}} {
		if cv.free(at[0]-1, at[1], n+2) || (at[0]+n == cv.w && cv.free(at[0]-1, at[1], n+1)) {
			cv.text(at[0], at[1], label, ink{fg: cv.style.Good()})
			return
		}
	}
}

func (t *trace) xAt(i int) float64 {
	if t.X == nil {
		return float64(i)
	}
	return t.X[i]
}

func (ch *chart) notFinite() int {
	n := 0
	for i := range ch.traces {
		n += ch.traces[i].notFinite
	}
	return n
}

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
