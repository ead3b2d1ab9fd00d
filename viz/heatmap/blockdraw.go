package heatmap

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"dgplab/viz/canvas"
)

// blockRamp holds the characters of a map without colour, from low to high. Blanks are structural
// zeros, so the ramp has none. It shares no character with the lines.
const blockRamp = ".:coO8@"

// freeZero is the character of zeros that may become nonzero.
const freeZero = '\''

func (l *blockLayout) draw(cv *canvas.Canvas) {
	switch {
	case l.pixels && l.drawImage(cv):
	case l.pixels:
		l.drawPixels(cv)
	default:
		l.drawCharacters(cv)
	}
	l.drawLabels(cv)
	l.drawChosen(cv)
	l.drawCursor(cv)
	switch {
	case l.legendRight:
		l.drawLegendRight(cv)
	case l.legendBelow:
		canvas.DrawLegend(cv, 0, cv.H-1, cv.W, l.legendParts(cv))
	}
}

// color returns the colour of a pixel. It is unset for blanks and borders.
func (l *blockLayout) color(style canvas.Style, row, col strip) canvas.Color {
	if row.border != inBlock || col.border != inBlock {
		return canvas.Color{}
	}
	return l.colorOf(style, row, col, l.pool(row, col))
}

// colorOf returns the colour of a value where two strips cross.
func (l *blockLayout) colorOf(style canvas.Style, row, col strip, v float64) canvas.Color {
	switch {
	case math.IsInf(v, -1) && l.mayCouple(row.gp, col.gp):
		return style.Pale()
	case math.IsInf(v, -1):
		return canvas.Color{}
	case !canvas.Finite(v):
		return style.Bad()
	}
	return style.Heat(canvas.Fraction(v, l.lo, l.hi))
}

// drawPixels draws two rows of pixels per cell, gaps between GPs, and lines between layers.
func (l *blockLayout) drawPixels(cv *canvas.Canvas) {
	for y := 0; y < len(l.rows); y += 2 {
		upper, lower := l.rows[y], strip{border: layerBorder}
		if y+1 < len(l.rows) {
			lower = l.rows[y+1]
		}
		for x, col := range l.cols {
			r, look := pair(l.color(cv.Style, upper, col), l.color(cv.Style, lower, col))
			if l.lines && (upper.border == layerBorder || col.border == layerBorder) {
				r, look = lineRunes[upper.border][col.border], canvas.Ink{FG: cv.Style.Faint()}
			}
			cv.Put(l.x+l.left+x, l.top+y/2, r, look)
		}
	}
}

// pair draws two pixels, one above the other.
func pair(upper, lower canvas.Color) (rune, canvas.Ink) {
	switch {
	case upper.IsSet():
		return '▀', canvas.Ink{FG: upper, BG: lower}
	case lower.IsSet():
		return '▄', canvas.Ink{FG: lower}
	}
	return ' ', canvas.Ink{}
}

// lineRunes are the lines between blocks, by the borders of row and column, or 0.
var lineRunes = [3][3]rune{
	{0, '╎', '│'},
	{'┄', '┼', '│'},
	{'─', '─', '┼'},
}

// drawCharacters draws the map with the ramp, with lines between blocks.
func (l *blockLayout) drawCharacters(cv *canvas.Canvas) {
	for y, row := range l.rows {
		for x, col := range l.cols {
			r, look := l.character(row, col), canvas.Ink{}
			switch {
			case row.border != inBlock || col.border != inBlock || r == freeZero:
				look.FG = cv.Style.Faint()
			case r == '?':
				look.FG = cv.Style.Bad()
			case r != ' ':
				look = l.tinted(cv.Style, canvas.Fraction(l.pool(row, col), l.lo, l.hi))
			}
			cv.Put(l.x+l.left+x, l.top+y, r, look)
		}
	}
}

// tinted returns the look of a character of the ramp, which is coloured on a terminal with colours.
func (l *blockLayout) tinted(style canvas.Style, t float64) canvas.Ink {
	if style.Mode == canvas.NoColor {
		return canvas.Ink{}
	}
	return canvas.Ink{FG: style.Heat(t), Bold: t > 0.8}
}

func (l *blockLayout) character(row, col strip) rune {
	if r := lineRunes[row.border][col.border]; r != 0 {
		return r
	}
	v := l.pool(row, col)
	switch {
	case math.IsInf(v, -1) && l.mayCouple(row.gp, col.gp):
		return freeZero
	case math.IsInf(v, -1):
		return ' '
	case !canvas.Finite(v):
		return '?'
	}
	return rampRune(canvas.Fraction(v, l.lo, l.hi))
}

// rampRune returns the character of t from 0 to 1.
func rampRune(t float64) rune {
	return rune(blockRamp[min(int(t*float64(len(blockRamp))), len(blockRamp)-1)])
}

// drawLabels writes the names of parts, or of layers with the numbers of their GPs if there is
// room. A name without room is left out.
func (l *blockLayout) drawLabels(cv *canvas.Canvas) {
	if l.top == 0 {
		return
	}
	scale := 1
	if l.pixels {
		scale = 2
	}
	cols := extents(l.cols, l.total())
	rows := extents(l.rows, l.total())
	x0, nextX, nextY := l.x+l.left, 0, 0
	for _, label := range l.labels() {
		c, r := cols[label.first:label.past], rows[label.first:label.past]
		name, look := label.name, canvas.Ink{Bold: true}
		if lo, hi := reach(c); lo >= 0 && x0+(lo+hi+1)/2-canvas.Width(name)/2 >= nextX {
			nextX = cv.Text(x0+(lo+hi+1)/2-canvas.Width(name)/2, 0, name, look) + 1
		}
		if lo, hi := reach(r); lo >= 0 && l.top+(lo+hi)/2/scale >= nextY {
			nextY = l.top + (lo+hi)/2/scale
			cv.Text(l.x, nextY, name, look)
			nextY++
		}
		if l.gpLabels && len(c) > 1 {
			l.numberGPs(cv, c, r, scale)
		}
	}
}

// reach returns the first and the last pixel of some GPs, or -1 without pixels.
func reach(extents [][2]int) (lo, hi int) {
	lo, hi = -1, -1
	for _, e := range extents {
		if lo < 0 {
			lo = e[0]
		}
		hi = max(hi, e[1])
	}
	return lo, hi
}

// numberGPs writes 1, 2, 3... beside the GPs of one layer.
func (l *blockLayout) numberGPs(cv *canvas.Canvas, cols, rows [][2]int, scale int) {
	look := canvas.Ink{FG: cv.Style.Dim()}
	for i := range cols {
		text := strconv.Itoa(i + 1)
		cv.Text(l.x+l.left+(cols[i][0]+cols[i][1]+1)/2-canvas.Width(text)/2, 1, text, look)
		cv.TextRight(l.x+l.left-1, l.top+(rows[i][0]+rows[i][1])/2/scale, text, look)
	}
}

// rangeTexts returns the ends of the colour range as text. A clipped end is marked.
func (l *blockLayout) rangeTexts() (lo, hi string) {
	lo = canvas.OneDecimal(l.lo)
	hi = canvas.OneDecimal(l.hi)
	if math.Max(math.Abs(l.lo), math.Abs(l.hi)) >= 1e4 {
		lo = canvas.Number(l.lo)
		hi = canvas.Number(l.hi)
	}
	if l.clipped {
		lo = "≤" + lo
	}
	if l.over {
		hi = "≥" + hi
	}
	return lo, hi
}

// bar returns the glyph and the look of the colour bar at t.
func (l *blockLayout) bar(style canvas.Style, t float64) (rune, canvas.Ink) {
	if l.pixels {
		return '█', canvas.Ink{FG: style.Heat(t)}
	}
	return rampRune(t), l.tinted(style, t)
}

// pooled begins the note on the number of entries of a pixel.
const pooled = "max-pooled "

// legendNotes returns the notes beside the map.
func (l *blockLayout) legendNotes(style canvas.Style) []canvas.Span {
	dim := canvas.Ink{FG: style.Dim()}
	var notes []canvas.Span
	if l.hasBlank {
		notes = append(notes, canvas.Text("blank: always 0", dim))
	}
	if l.hasFree {
		name := string(freeZero)
		if l.pixels {
			name = "grey"
		}
		notes = append(notes, canvas.Text(name+": 0 so far", dim))
	}
	if r := l.ratio; r > 1 {
		notes = append(notes, canvas.Text(pooled+fmt.Sprintf("%d×%d", r, r), dim))
	}
	size := "M"
	if l.Named() {
		size = "N"
	}
	least, most := l.sizes[0], l.sizes[1]
	switch {
	case most > 0 && least == most:
		notes = append(notes, canvas.Text(fmt.Sprintf("%s = %d", size, most), dim))
	case most > 0:
		notes = append(notes, canvas.Text(fmt.Sprintf("%s = %d to %d", size, least, most), dim))
	}
	if l.chosen != "" {
		notes = append(notes, canvas.Text(l.chosen, canvas.Ink{FG: style.Good()}))
	}
	if l.notFinite > 0 {
		notes = append(notes, canvas.Text("× "+canvas.Number(float64(l.notFinite))+" not finite", canvas.Ink{
			FG:   style.Bad(),
			Bold: true,
		}))
	}
	return notes
}

// drawLegendRight draws a vertical colour bar with its range, and the notes.
func (l *blockLayout) drawLegendRight(cv *canvas.Canvas) {
	x, y := l.x+l.left+len(l.cols)+3, l.top
	notes := l.legendNotes(cv.Style)
	cv.Text(x, y, "log10|"+l.Symbol()+"|", canvas.Ink{Bold: true})
	height := max(2, min(cv.H-y-3-len(notes), 10))
	lo, hi := l.rangeTexts()
	for i := range height {
		t := 1 - float64(i)/float64(height-1)
		r, look := l.bar(cv.Style, t)
		cv.Put(x, y+1+i, r, look)
		cv.Put(x+1, y+1+i, r, look)
	}
	dim := canvas.Ink{FG: cv.Style.Dim()}
	cv.Text(x+3, y+1, hi, dim)
	if height >= 5 {
		cv.Text(x+3, y+1+height/2, canvas.OneDecimal(l.hi-(l.hi-l.lo)*float64(height/2)/float64(height-1)),
			dim)
	}
	cv.Text(x+3, y+height, lo, dim)
	for i, n := range notes {
		cv.Text(x, y+height+2+i, n.Text, n.Ink)
	}
}

// legendParts returns the legend for one line.
func (l *blockLayout) legendParts(cv *canvas.Canvas) []canvas.Part {
	lo, hi := l.rangeTexts()
	dim := canvas.Ink{FG: cv.Style.Dim()}
	scale := func(name string, n int) []canvas.Span {
		spans := []canvas.Span{canvas.Text(name, canvas.Ink{Bold: true}), canvas.Text(lo+" ", dim)}
		for i := range n {
			r, look := l.bar(cv.Style, float64(i)/float64(max(n-1, 1)))
			spans = append(spans, canvas.Text(string(r), look))
		}
		return append(spans, canvas.Text(" "+hi, dim))
	}
	parts := []canvas.Part{{Variants: [][]canvas.Span{scale("log10|"+l.Symbol()+"| ",
		max(3, min(cv.W/6, 12))), scale("", 7), scale("", 3)},
		Keep: 3}}
	notes := l.legendNotes(cv.Style)
	for i, n := range notes {
		p := canvas.Note(0, n.Ink, n.Text, "")
		switch {
		case l.notFinite > 0 && i == len(notes)-1:
			p = canvas.Note(4, n.Ink, n.Text, "×"+canvas.Number(float64(l.notFinite)))
		case strings.HasPrefix(n.Text, pooled):
			p = canvas.Note(1, dim, n.Text, "max-pooled", "pooled", "max")
		}
		parts = append(parts, p)
	}
	return parts
}
