package curves

import (
	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// drawPlot draws the content of the axes: bands, raw values, lines, then marks on top.
func (ch *layout) drawPlot(cv *canvas.Canvas) {
	if cv.W < 1 || cv.H < 1 {
		return
	}
	if ch.hasPoints {
		ch.drawLines(cv)
	} else {
		message := ch.emptyText()
		cv.Text((cv.W-canvas.Width(message))/2, (cv.H-1)/2, canvas.Truncate(message, cv.W), canvas.Ink{
			FG: cv.Style.Dim(),
		})
	}
	for i := range ch.traces {
		ch.drawNotFinite(cv, &ch.traces[i])
	}
	if !ch.hasPoints {
		return
	}
	if ch.reads() {
		ch.drawReadings(cv)
	}
	if ch.Best != chart.NoBest {
		for i := range ch.traces {
			ch.drawBest(cv, &ch.traces[i])
		}
	}
}

// emptyText returns the reason why nothing is drawn.
func (ch *layout) emptyText() string {
	switch {
	case ch.notFinite() > 0:
		return "no finite value yet"
	case ch.zoomed() && len(ch.traces)+len(ch.bands) > 0:
		return "no point from " + ch.X.Text(ch.lo) + " to " + ch.X.Text(ch.hi)
	}
	return "no data yet"
}

// drawLines draws bands, raw values, lines and markers.
func (ch *layout) drawLines(cv *canvas.Canvas) {
	for i := range ch.bands {
		ch.drawBand(cv, i)
	}
	for i := range ch.traces {
		t := &ch.traces[i]
		ch.drawOutside(cv, i, t.run, ch.sides(t))
		ch.drawRaw(cv, t)
	}
	if ch.reads() {
		ch.drawCursor(cv)
	}
	for i := range ch.bands {
		ch.drawMean(cv, i)
	}
	for i := range ch.traces {
		ch.drawLine(cv, &ch.traces[i])
	}
	if len(ch.traces)+len(ch.bands) > 1 && !ch.Bare {
		ch.drawMarkers(cv)
	}
}

// drawRaw draws the range of every column behind a smooth line or a line of means. With dots it
// draws the ends of the range.
func (ch *layout) drawRaw(cv *canvas.Canvas, t *trace) {
	if t.average == nil && t.mean == nil {
		return
	}
	look := canvas.Ink{FG: cv.Style.Tint(cv.Style.RunColor(t.run), 0.55)}
	if cv.Style.Mode == canvas.ANSI16 {
		look.FG = cv.Style.Dim() // A tint would be the colour of the line.
	}
	if ch.dots {
		ch.rawDots(cv, t, look)
		return
	}
	for x := range t.raw {
		c := &t.raw[x]
		if c.n == 0 || ch.apart(c) {
			continue
		}
		lo := ch.scale.RowOf(c.lo, cv.H)
		hi := ch.scale.RowOf(c.hi, cv.H)
		if lo == hi {
			cv.Put(x, cv.H-1-lo, '·', look)
			continue
		}
		for r := lo; r <= hi; r++ {
			cv.Put(x, cv.H-1-r, '┊', look)
		}
	}
}

// apart reports whether all values of a column are below the axis or all above it.
func (ch *layout) apart(c *column) bool { return c.hi < ch.clip[0] || c.lo > ch.clip[1] }

// rows returns the rows of the line of a trace.
func (ch *layout) rows(t *trace, h int) []int {
	rows := lineRows(t.line(), &ch.scale, h)
	for side := range t.edges {
		ch.reachEdge(rows, t, side, h)
	}
	hide(rows, ch.sides(t))
	return rows
}

// reachEdge extends a line to the edge of the window, towards the point beyond it. Side 0 is the
// left edge.
func (ch *layout) reachEdge(rows []int, t *trace, side, h int) {
	e, cols := t.edges[side], t.line()
	if !e.ok {
		return
	}
	from, step := 0, 1
	if side == 1 {
		from, step = len(cols)-1, -1
	}
	x := from
	for x >= 0 && x < len(cols) && cols[x].n == 0 {
		if cols[x].broken() {
			return
		}
		x += step
	}
	if x < 0 || x >= len(cols) {
		return
	}
	outside, inside := e.raw, cols[x].first
	if side == 1 {
		inside = cols[x].last
	}
	if t.average != nil {
		outside = e.smooth
	}
	a := ch.scale.Forward(outside)
	b := ch.scale.Forward(inside)
	for k := from; k != x; k += step {
		v := a + (b-a)*(float64(k)-e.at)/(float64(x)-e.at)
		if v >= ch.scale.Lo && v <= ch.scale.Hi {
			rows[k] = int(canvas.Fraction(v, ch.scale.Lo, ch.scale.Hi)*float64(h-1) + 0.5)
		}
	}
}

// drawLine draws the line of a trace. A raw line also covers the range of every column.
func (ch *layout) drawLine(cv *canvas.Canvas, t *trace) {
	look := canvas.Ink{FG: cv.Style.RunColor(t.run), Bold: t.average != nil || t.mean != nil}
	if ch.dots {
		var extremes []column
		if t.average == nil && t.mean == nil && !ch.Bare {
			extremes = t.raw
		}
		ch.lineDots(cv, ch.rows(t, 4*cv.H), extremes, look)
		return
	}
	glyphs := canvas.LineGlyphs(ch.rows(t, cv.H), cv.H)
	canvas.DrawGlyphs(cv, glyphs, look)
	if t.average != nil || ch.Bare {
		return
	}
	for x := range t.raw {
		if c := &t.raw[x]; c.n > 1 && !ch.apart(c) {
			drawExtremes(cv, glyphs, x, cv.H-1-ch.scale.RowOf(c.hi, cv.H),
				cv.H-1-ch.scale.RowOf(c.lo, cv.H), look)
		}
	}
}

// drawExtremes extends the line glyphs of column x from row top to row bottom.
func drawExtremes(cv *canvas.Canvas, glyphs [][]rune, x, top, bottom int, look canvas.Ink) {
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
		cv.Put(x, y, r, look)
	}
}

// joint returns with for a straight stroke and r for an arc.
func joint(r, with rune) rune {
	if r == '─' {
		return with
	}
	return r
}

// rawDots draws the extremes of every column that lie within the axis.
func (ch *layout) rawDots(cv *canvas.Canvas, t *trace, look canvas.Ink) {
	d := canvas.NewDots(cv.W, cv.H)
	for x := range t.raw {
		c := &t.raw[x]
		for _, v := range [...]float64{c.lo, c.hi} {
			if c.n > 0 && ch.side(v) == 0 {
				d.Set(x, ch.scale.RowOf(v, 4*cv.H))
			}
		}
	}
	d.DrawOn(cv, look)
}

// lineDots draws a line through rows of dots. It also covers the range of every column of extremes.
func (ch *layout) lineDots(cv *canvas.Canvas, rows []int, extremes []column, look canvas.Ink) {
	d := canvas.NewDots(cv.W, cv.H)
	d.Line(rows)
	for x := range extremes {
		if c := &extremes[x]; c.n > 1 && !ch.apart(c) {
			top := ch.scale.RowOf(c.hi, 4*cv.H)
			for y := ch.scale.RowOf(c.lo, 4*cv.H); y <= top; y++ {
				d.Set(x, y)
			}
		}
	}
	d.DrawOn(cv, look)
}

// frame returns the margins of a chart of w x h cells, and the labels of its y axis by row.
func (ch *layout) frame(w, h int) (chart.Margins, map[int]string) {
	m := chart.MarginsFor(w, h)
	if ch.Bare {
		m.Top = 0
	}
	var labels map[int]string
	plotH := h - m.Top - m.Bottom
	if ch.hasPoints {
		labels, m.Left = chart.YLabels(&ch.scale, w, plotH)
	}
	return m, labels
}

// drawAxes draws both axes around a plot of h rows.
func (ch *layout) drawAxes(cv *canvas.Canvas, m chart.Margins, labels map[int]string, h int) {
	chart.DrawYAxis(cv, labels, m.Left, m.Top, h)
	var ticks []chart.Tick
	w := cv.W - m.Left
	if ch.x0 <= ch.x1 {
		ticks = ch.X.Ticks(ch.x0, ch.x1, max(1, w/10))
	}
	chart.DrawXAxis(cv, ch.X.Name(), ticks, func(at float64) int { return ch.column(at, w) },
		m.Left, m.Top+h, m.Bottom)
}
