package canvas

import (
	"math"
	"strings"

	"github.com/guptarohit/asciigraph"
)

// DrawLine draws a line through the rows, counted from the bottom, that rows returns for
// each column of a plot of w x h places; -1 is a gap. The places are dots where the
// style has them, and cells elsewhere.
func DrawLine(cv *Canvas, look Ink, rows func(w, h int) []int) {
	if !cv.Style.Dots() {
		DrawGlyphs(cv, LineGlyphs(rows(cv.W, cv.H), cv.H), look)
		return
	}
	d := NewDots(cv.W, cv.H)
	d.Line(rows(2*cv.W, 4*cv.H))
	d.DrawOn(cv, look)
}

// LineGlyphs draws a line through the given rows, counted from the bottom, one
// per column, in a plot of h rows; -1 is a gap. It returns h rows from the top
// of len(rows) runes, blank where there is no line.
//
// This is the only place that calls asciigraph. Version 0.10 panics on an empty
// series and on Inf, loses spikes when it rescales, is wider than asked by its
// labels and taller by one line, and colours whatever NO_COLOR says. So it gets
// whole row numbers, one per column, no width, no labels and no colour, and
// what it draws is cut to the box.
func LineGlyphs(rows []int, h int) [][]rune {
	w := len(rows)
	out := make([][]rune, h)
	for y := range out {
		out[y] = []rune(strings.Repeat(" ", w))
	}
	if w == 0 || h == 0 {
		return out
	}
	series, any := make([]float64, w+1), false
	for i, r := range rows {
		series[i] = math.NaN()
		if r >= 0 {
			series[i], any = float64(min(r, h-1)), true
		}
	}
	series[w] = series[w-1] // asciigraph draws one column less than points
	switch {
	case !any:
		return out
	case h == 1:
		flatLine(out[0], rows)
	default:
		parseLine(out, asciigraph.Plot(series,
			asciigraph.Height(h-1), asciigraph.LowerBound(0), asciigraph.UpperBound(float64(h-1)),
			asciigraph.Offset(1), asciigraph.YAxisValueFormatter(func(float64) string { return "" }),
		))
	}
	capEnds(out, rows)
	return out
}

// flatLine draws a line in a plot of one row.
func flatLine(row []rune, rows []int) {
	for x, r := range rows {
		if r >= 0 {
			row[x] = '─'
		}
	}
}

// parseLine copies the picture of asciigraph, without its axis, into out.
func parseLine(out [][]rune, picture string) {
	for y, line := range strings.Split(picture, "\n") {
		if y >= len(out) {
			break
		}
		x := -1 // the axis is the first rune
		for _, r := range line {
			if x >= 0 && x < len(out[y]) {
				out[y][x] = r
			}
			x++
		}
	}
}

// capEnds makes the ends of line pieces whole: no half strokes, and a dot for a
// piece of one column.
func capEnds(out [][]rune, rows []int) {
	h := len(out)
	filled := func(x int) bool { return x >= 0 && x < len(rows) && rows[x] >= 0 }
	for x, r := range rows {
		switch {
		case r < 0:
			for y := range out {
				out[y][x] = ' '
			}
		case !filled(x-1) && !filled(x+1):
			out[h-1-min(r, h-1)][x] = '•'
		case !filled(x + 1):
			out[h-1-min(r, h-1)][x] = '─'
		}
	}
}

// DrawGlyphs copies the strokes of a line onto a canvas.
func DrawGlyphs(cv *Canvas, glyphs [][]rune, look Ink) {
	for y, line := range glyphs {
		for x, r := range line {
			if r != ' ' {
				cv.Put(x, y, r, look)
			}
		}
	}
}
