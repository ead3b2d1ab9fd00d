package canvas

import (
	"math"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"
)

// DrawLine draws a line through a row in each column; -1 is a gap. Rows are counted from the
// bottom. Rows and columns are those of Places. ranges, unless nil, hold the lowest and the highest
// row that the line also covers in each column; a column without a range has a higher lowest row.
func DrawLine(cv *Canvas, look Ink, rows []int, ranges [][2]int) {
	if cv.Style.Dots() {
		d := NewDots(cv.W, cv.H)
		d.Line(rows)
		for x, r := range ranges {
			for y := r[0]; y <= r[1]; y++ {
				d.Set(x, y)
			}
		}
		d.DrawOn(cv, look)
		return
	}
	glyphs := lineGlyphs(rows, cv.H)
	for y, line := range glyphs {
		for x, r := range line {
			if r != ' ' {
				cv.Put(x, y, r, look)
			}
		}
	}
	for x, r := range ranges {
		drawRange(cv, glyphs, x, cv.H-1-r[1], cv.H-1-r[0], look)
	}
}

// drawRange extends the strokes of a line in column x from row top to row bottom.
func drawRange(cv *Canvas, glyphs [][]rune, x, top, bottom int, look Ink) {
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

// joint returns r, or the rune `with` if r is a straight stroke.
func joint(r, with rune) rune {
	if r == '─' {
		return with
	}
	return r
}

// lineGlyphs returns the strokes of a line through the given rows, one per column, in a plot of h
// rows: h lines of len(rows) runes, from the top, blank where there is no line. Rows are counted
// from the bottom; -1 is a gap.
//
// The strokes are the text of asciigraph. Version 0.10 panics on an empty series and on Inf, loses
// spikes when it rescales, adds labels and an axis to the width, and ignores NO_COLOR. So it gets
// whole rows, one per column, and no width, labels or colours.
func lineGlyphs(rows []int, h int) [][]rune {
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
		series[w] = series[w-1] // A line has one column fewer than points.
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
