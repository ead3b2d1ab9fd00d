package chart

import (
	"math"

	"dgplab/viz/canvas"
)

// Margins is the room around a plot, in cells: above it a line for the legend, below it the x axis,
// to its left the y axis with its labels.
type Margins struct{ Top, Bottom, Left int }

// MarginsFor returns the margins of a chart of w x h cells. Left is 0; see YLabels.
func MarginsFor(w, h int) Margins {
	var m Margins
	if h >= 4 {
		m.Top = 1
	}
	switch {
	case h >= 8 && w >= 12:
		m.Bottom = 2
	case h >= 5 && w >= 12:
		m.Bottom = 1
	}
	return m
}

// YLabels returns the labels of the y axis for a plot of h rows, keyed by row from the top, and the
// columns of w that labels and axis take. Both are empty if the plot would become too narrow. If
// ticks are too close to label each, there are fewer ticks: leaving out labels would make powers of
// ten uneven.
func YLabels(s *Scale, w, h int) (map[int]string, int) {
	if h < 2 || w < 16 {
		return nil, 0
	}
	labels, widest := map[int]string{}, 0
	lastRow := math.MinInt / 2
	for _, t := range s.apart(max(2, min(h/2, 3+h/6)), h) {
		row := s.tickRow(t, h)
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
func (s *Scale) apart(n, h int) []Tick {
	ticks := s.Ticks(n)
	for fewer, list := n, ticks; fewer >= 2 && len(list) >= leastTicks; fewer-- {
		list = s.Ticks(fewer)
		if len(list) >= leastTicks && !s.crowded(list, h) {
			return list
		}
	}
	return ticks
}

// crowded reports whether some ticks have no room for a label in h rows.
func (s *Scale) crowded(ticks []Tick, h int) bool {
	for i := 1; i < len(ticks); i++ {
		if tooClose(s.tickRow(ticks[i], h), s.tickRow(ticks[i-1], h), h) {
			return true
		}
	}
	return false
}

// tickRow returns the row of a tick, counted from the top of h rows.
func (s *Scale) tickRow(t Tick, h int) int {
	return h - 1 - int(canvas.Fraction(t.At, s.Lo, s.Hi)*float64(h-1)+0.5)
}

// tooClose reports whether labels in two of h rows are too close.
func tooClose(row, other, h int) bool {
	return max(row-other, other-row) < 2 && h > 3 || row == other
}

// DrawYAxis draws the y axis in the last of gutter columns, beside a plot of h rows.
func DrawYAxis(cv *canvas.Canvas, labels map[int]string, gutter, top, h int) {
	if gutter == 0 {
		return
	}
	for y := range h {
		r := '│'
		if label, ok := labels[y]; ok {
			r = '┤'
			cv.TextRight(gutter-1, top+y, label, canvas.Ink{FG: cv.Style.Dim()})
		}
		cv.Put(gutter-1, top+y, r, canvas.Ink{FG: cv.Style.Faint()})
	}
}

// DrawXAxis draws the x axis in n rows starting at row y: the labels, and with two rows a line
// above them. The function column returns the column of a tick within the plot.
func DrawXAxis(cv *canvas.Canvas, name string, ticks []Tick, column func(at float64) int, gutter, y, n int) {
	if n == 0 {
		return
	}
	if n == 2 {
		if gutter > 0 {
			cv.Put(gutter-1, y, '└', canvas.Ink{FG: cv.Style.Faint()})
		}
		for x := range cv.W - gutter {
			cv.Put(gutter+x, y, '─', canvas.Ink{FG: cv.Style.Faint()})
		}
	}
	if len(ticks) == 0 {
		return
	}
	look := canvas.Ink{FG: cv.Style.Dim()}
	next := 0 // the first column free for a label
	if gutter > canvas.Width(name) {
		next = cv.Text(0, y+n-1, name, look) + 1
	}
	for _, t := range ticks {
		x := gutter + column(t.At)
		start := max(min(x-canvas.Width(t.Label)/2, cv.W-canvas.Width(t.Label)), next)
		if start < next || start+canvas.Width(t.Label) > cv.W || start > x {
			continue
		}
		next = cv.Text(start, y+n-1, t.Label, look) + 2
		if n == 2 {
			cv.Put(x, y, '┬', canvas.Ink{FG: cv.Style.Faint()})
		}
	}
}
