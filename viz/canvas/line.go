package canvas

import (
	"math"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"
)

// DrawLine draws a line. The function returns its row for each column of a plot of w x h places,
// counted from the bottom; -1 is a gap. Places are dots if the style has them, else cells.
func DrawLine(cv *Canvas, look Ink, rows func(w, h int) []int) {
	if !cv.Style.Dots() {
		DrawGlyphs(cv, LineGlyphs(rows(cv.W, cv.H), cv.H), look)
		return
	}
	d := NewDots(cv.W, cv.H)
	d.Line(rows(2*cv.W, 4*cv.H))
	d.DrawOn(cv, look)
}

// LineGlyphs returns the strokes of a line through the given rows, one per column, in a plot of h
// rows: h lines from the top of len(rows) runes, blank beside the line. Rows are counted from the
// bottom; -1 is a gap.
//
// The strokes are the text of asciigraph. Version 0.10 panics on an empty series and on Inf, loses
// spikes when it rescales, adds labels and an axis to the width, and ignores NO_COLOR. So it gets
// whole rows, one per column, and no width, labels or colours.
func LineGlyphs(rows []int, h int) [][]rune {
	w := len(rows)
	series, any := make([]float64, w+1), false
	for x, r := range rows {
		series[x] = math.NaN()
		if r >= 0 {
			series[x], any = float64(min(r, h-1)), true
		}
	}
	var lines []string
	if any && h > 0 {
		series[w] = series[w-1] // A line has one column less than points.
		lines = strings.Split(asciigraph.Plot(series,
			asciigraph.Height(h-1), asciigraph.LowerBound(0), asciigraph.UpperBound(float64(h-1)),
			asciigraph.Offset(1), asciigraph.YAxisValueFormatter(func(float64) string { return "" }),
			asciigraph.SeriesChars(asciigraph.CharSet{StartCap: " ", EndCap: "─"}),
		), "\n")
	}
	out := make([][]rune, h)
	for y := range out {
		out[y] = slices.Repeat([]rune{' '}, w)
		if y < len(lines) {
			copy(out[y], []rune(lines[y])[1:]) // The first rune is the axis.
		}
	}
	for x, r := range rows {
		if r >= 0 && (x == 0 || rows[x-1] < 0) && (x+1 == w || rows[x+1] < 0) {
			out[h-1-min(r, h-1)][x] = '•' // a piece of one column
		}
	}
	return out
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
