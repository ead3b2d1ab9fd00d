package viz

import "math"

// plane is what charts of points in two directions have in common: two scaled
// axes with names and a legend around a plot.
type plane struct {
	x, y         scale
	xName, yName string
	// xTicks replaces the ticks of the x scale, if not nil.
	xTicks []Tick
}

// nameRows is the height from which the name of the x axis has a line of its own.
const nameRows = 10

// chart lets draw fill the plot, and draws axes, names and the legend around it.
// legend is called after draw.
func (p *plane) chart(style Style, w, h int, draw func(plot *canvas), legend func(style Style) []part) string {
	if w < 1 || h < 1 {
		return ""
	}
	cv := newCanvas(style, w, h)
	m, named := marginsFor(w, h), 0
	dim := ink{fg: style.Dim()}
	if h >= nameRows && m.bottom == 2 && p.xName != "" {
		named = 1
	}
	plotH := h - m.top - m.bottom - named
	var labels map[int]string
	labels, m.left = yLabels(&p.y, w, plotH)
	plot := newCanvas(style, w-m.left, plotH)
	if plot.w > 0 && plot.h > 0 {
		draw(plot)
	}
	cv.blit(m.left, m.top, plot)
	drawYAxis(cv, labels, m.left, m.top, plotH)
	ticks := p.xTicks
	if ticks == nil {
		ticks = p.x.ticks(max(1, plot.w/10))
	}
	drawXAxis(cv, "", ticks, func(at float64) int { return columnAt(at, &p.x, plot.w) }, m.left, m.top+plotH, m.bottom)
	if named > 0 {
		name := truncate(p.xName, plot.w)
		cv.text(m.left+(plot.w-width(name))/2, h-1, name, dim)
	}
	if m.top > 0 {
		parts := legend(style)
		if p.yName != "" {
			name := part{[][]span{{{p.yName, dim}}, {{truncate(p.yName, 10), dim}}, nil}, 1}
			parts = append([]part{name}, parts...)
		}
		drawLegend(cv, 0, 0, w, parts)
	}
	return cv.String()
}

// columnAt returns the column of a height at, after the transformation, in a plot
// of w columns.
func columnAt(at float64, s *scale, w int) int { return int(unit(at, s.lo, s.hi)*float64(w-1) + 0.5) }

// col and row return the cell of a value in a plot; rows count from the top.
func (p *plane) col(x float64, cv *canvas) int { return columnAt(p.x.forward(x), &p.x, cv.w) }
func (p *plane) row(y float64, cv *canvas) int { return cv.h - 1 - p.y.rowOf(y, cv.h) }

// pad widens the range of a scale by a share of it on both sides.
func (s *scale) pad(share float64) {
	if d := (s.hi - s.lo) * share; finite(d) && finite(s.lo-d) && finite(s.hi+d) {
		s.lo, s.hi = s.lo-d, s.hi+d
	}
}

// axisScale returns a linear or logarithmic scale of values, of which those that
// cannot be shown are left out; ok is false when none is left.
func axisScale(values [][]float64, log bool) (s scale, ok bool) {
	e := newExtent()
	for _, list := range values {
		for _, v := range list {
			if finite(v) && (!log || v > 0) {
				e.add(v)
			}
		}
	}
	if e.n == 0 {
		return scale{hi: 1}, false
	}
	kind := Linear
	if log {
		kind = Log
	}
	return fitScale(kind, e, false), true
}

// joined returns for every column of a plot the row, from the bottom, of straight
// lines through points given as columns and heights from 0 to 1 with rising
// columns; -1 beside them.
func joined(points []XY, w, h int) []int {
	rows := make([]int, w)
	for i := range rows {
		rows[i] = -1
	}
	for i, p := range points {
		from := p
		if i > 0 {
			from = points[i-1]
		}
		for x := max(0, int(math.Ceil(from.X))); x <= int(p.X) && x < w; x++ {
			y := p.Y
			if p.X > from.X {
				y = from.Y + (p.Y-from.Y)*(float64(x)-from.X)/(p.X-from.X)
			}
			rows[x] = int(y*float64(h-1) + 0.5)
		}
	}
	return rows
}

// drawGlyphs copies the strokes of a line onto a canvas.
func drawGlyphs(cv *canvas, glyphs [][]rune, look ink) {
	for y, line := range glyphs {
		for x, r := range line {
			if r != ' ' {
				cv.put(x, y, r, look)
			}
		}
	}
}

// message writes a line in the middle, in place of a picture.
func (c *canvas) message(text string) {
	text = truncate(text, c.w)
	c.text((c.w-width(text))/2, (c.h-1)/2, text, ink{fg: c.style.Dim()})
}

// emptyPlane is the picture of w x h cells that only says why there is none.
func emptyPlane(style Style, w, h int, message string) string {
	cv := newCanvas(style, w, h)
	cv.message(message)
	return cv.String()
}

// notFinitePart is the legend's count of values that are not finite.
func notFinitePart(style Style, n int) part {
	text, look := Short(float64(n)), ink{fg: style.Bad(), bold: true}
	return part{[][]span{{{"× " + text + " not finite", look}}, {{"×" + text, look}}}, 3}
}
