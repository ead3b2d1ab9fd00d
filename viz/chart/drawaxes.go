package chart

import (
	"math"

	"dgplab/viz/canvas"
)

// LegendRows returns the number of rows of the legend of a chart of h rows.
func LegendRows(h int) int {
	if h >= 4 {
		return 1
	}
	return 0
}

// xAxisRows returns the number of rows of the x axis of a chart of w x h cells: its labels, and a
// line above them.
func xAxisRows(w, h int) int {
	switch {
	case h >= 8 && w >= 12:
		return 2
	case h >= 5 && w >= 12:
		return 1
	}
	return 0
}

// yLabels returns the labels of the y axis for a plot of h rows, keyed by row from the top, and the
// columns of w that labels and axis take. Both are empty if the range is empty or the plot would
// become too narrow. If ticks are too close to label each, there are fewer ticks: leaving out
// labels would make powers of ten uneven.
func (p *Plane) yLabels(w, h int) (map[int]string, int) {
	if h < 2 || w < 16 || p.Y.Lo == p.Y.Hi {
		return nil, 0
	}
	labels, widest := map[int]string{}, 0
	lastRow := math.MinInt / 2
	for _, t := range p.apart(max(2, min(h/2, 3+h/6)), h) {
		row := p.tickRow(t, h)
		if tooClose(row, lastRow, h) {
			continue
		}
		lastRow = row
		labels[row] = t.Label
		widest = max(widest, canvas.Width(t.Label))
	}
	if w-widest-1 < 12 {
		return nil, 0
	}
	return labels, widest + 1
}

// leastTicks is the number of ticks that an axis keeps to have even steps.
const leastTicks = 3

// apart returns about n ticks, or fewer if only these have room for a label each in h rows.
func (p *Plane) apart(n, h int) []Tick {
	of := p.YTicks
	if of == nil {
		of = p.Y.Ticks
	}
	ticks := of(n)
	for fewer, list := n, ticks; fewer >= 2 && len(list) >= leastTicks; fewer-- {
		list = of(fewer)
		if len(list) >= leastTicks && !p.crowded(list, h) {
			return list
		}
	}
	return ticks
}

// crowded reports whether some ticks have no room for a label in h rows.
func (p *Plane) crowded(ticks []Tick, h int) bool {
	for i := 1; i < len(ticks); i++ {
		if tooClose(p.tickRow(ticks[i], h), p.tickRow(ticks[i-1], h), h) {
			return true
		}
	}
	return false
}

// tickRow returns the row of a tick, counted from the top of h rows.
func (p *Plane) tickRow(t Tick, h int) int {
	return h - 1 - p.Y.positionOf(t.At, h)
}

// tooClose reports whether labels in two of h rows are too close.
func tooClose(row, other, h int) bool {
	return max(row-other, other-row) < 2 && h > 3 || row == other
}

// drawYAxis draws the y axis beside the plot.
func (f *frame) drawYAxis(cv *canvas.Canvas) {
	if f.left == 0 {
		return
	}
	for y := range f.h {
		r := '│'
		if label, ok := f.labels[y]; ok {
			r = '┤'
			cv.TextRight(f.left-1, f.top+y, label, canvas.Ink{FG: cv.Style.Dim()})
		}
		cv.Put(f.left-1, f.top+y, r, canvas.Ink{FG: cv.Style.Faint()})
	}
}

// drawXAxis draws the x axis below the plot: the labels, and with two rows a line above them.
func (f *frame) drawXAxis(cv *canvas.Canvas, p *Plane) {
	if f.bottom == 0 {
		return
	}
	faint := canvas.Ink{FG: cv.Style.Faint()}
	line := f.top + f.h
	labels := line + f.bottom - 1
	if f.bottom == 2 {
		cv.Put(f.left-1, line, '└', faint)
		for x := range f.w {
			cv.Put(f.left+x, line, '─', faint)
		}
	}
	ticks := p.xTicks(max(1, f.w/10), f.w)
	if len(ticks) == 0 {
		return
	}
	dim := canvas.Ink{FG: cv.Style.Dim()}
	next := 0 // the first column free for a label
	if f.left > canvas.Width(p.XCorner) {
		next = cv.Text(0, labels, p.XCorner, dim) + 1
	}
	for _, t := range ticks {
		x := f.left + p.X.positionOf(t.At, f.w)
		start := max(min(x-canvas.Width(t.Label)/2, cv.W-canvas.Width(t.Label)), next)
		if start < next || start+canvas.Width(t.Label) > cv.W || start > x {
			continue
		}
		next = cv.Text(start, labels, t.Label, dim) + 2
		if f.bottom == 2 {
			cv.Put(x, line, '┬', faint)
		}
	}
}

// xTicks returns about n ticks of x, or the dates that fit into some cells.
func (p *Plane) xTicks(n, cells int) []Tick {
	switch {
	case p.XTicks != nil:
		return p.XTicks(n)
	case p.XDates.Known():
		return dateTicks(p.X.Lo, p.X.Hi, p.XDates.Unit, cells)
	}
	return p.X.Ticks(n)
}
