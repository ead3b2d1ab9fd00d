package viz

import (
	"fmt"
	"math"
	"strconv"
)

// blockRamp are the characters of a map without colour, from low to high. A
// blank is a structural zero, so the ramp does not begin with one, and it shares
// no character with the lines.
const blockRamp = ".:coO8@"

func (l *blockLayout) draw(cv *canvas) {
	if l.pixels {
		l.drawPixels(cv)
	} else {
		l.drawCharacters(cv)
	}
	l.drawLabels(cv)
	switch {
	case l.legendRight:
		l.drawLegendRight(cv)
	case l.legendBelow:
		drawLegend(cv, 0, cv.h-1, cv.w, l.legendParts(cv))
	}
}

// color returns the colour of a pixel; unset is blank.
func (l *blockLayout) color(style Style, row, col strip) Color {
	switch {
	case row.border == layerBorder || col.border == layerBorder:
		return style.Border()
	case row.border == gpBorder || col.border == gpBorder:
		return style.Hairline()
	}
	v := l.pool(row, col)
	switch {
	case math.IsInf(v, -1):
		return Color{}
	case !finite(v):
		return style.Bad()
	}
	return style.Heat(unit(v, l.lo, l.hi))
}

// drawPixels draws two rows of pixels per cell.
func (l *blockLayout) drawPixels(cv *canvas) {
	for y := 0; y < len(l.rows); y += 2 {
		for x, col := range l.cols {
			upper, lower := l.color(cv.style, l.rows[y], col), Color{}
			if y+1 < len(l.rows) {
				lower = l.color(cv.style, l.rows[y+1], col)
			}
			r, look := ' ', ink{}
			switch {
			case upper.given() && lower.given():
				r, look = '▀', ink{fg: upper, bg: lower}
			case upper.given():
				r, look = '▀', ink{fg: upper}
			case lower.given():
				r, look = '▄', ink{fg: lower}
			}
			cv.put(l.x+l.left+x, l.top+y/2, r, look)
		}
	}
}

// drawCharacters draws the map with the ramp, and lines between the blocks.
func (l *blockLayout) drawCharacters(cv *canvas) {
	for y, row := range l.rows {
		for x, col := range l.cols {
			r, look := l.character(row, col), ink{}
			if row.border != inBlock || col.border != inBlock {
				look.fg = cv.style.Faint()
			} else if r == '?' {
				look.fg = cv.style.Bad()
			}
			cv.put(l.x+l.left+x, l.top+y, r, look)
		}
	}
}

func (l *blockLayout) character(row, col strip) rune {
	lines := [3][3]rune{ // by row, by column; the stronger line wins
		{0, '│', '┃'},
		{'─', '┼', '╂'},
		{'━', '┿', '╋'},
	}
	if r := lines[row.border][col.border]; r != 0 {
		return r
	}
	v := l.pool(row, col)
	switch {
	case math.IsInf(v, -1):
		return ' '
	case !finite(v):
		return '?'
	}
	return rampRune(unit(v, l.lo, l.hi))
}

// rampRune returns the character of t from 0 to 1.
func rampRune(t float64) rune {
	return rune(blockRamp[min(int(t*float64(len(blockRamp))), len(blockRamp)-1)])
}

// drawLabels names the layers, and with room numbers the GPs within them.
func (l *blockLayout) drawLabels(cv *canvas) {
	if l.top == 0 {
		return
	}
	scale := 1
	if l.pixels {
		scale = 2
	}
	cols, rows := extents(l.cols, l.total()), extents(l.rows, l.total())
	gp, x0, nextX, nextY := 0, l.x+l.left, 0, 0
	for layer, t := range l.GPs {
		c, r := cols[gp:gp+t], rows[gp:gp+t]
		gp += t
		name, look := layerName(layer), ink{bold: true}
		if lo, hi := reach(c); lo >= 0 && x0+(lo+hi+1)/2-width(name)/2 >= nextX {
			nextX = cv.text(x0+(lo+hi+1)/2-width(name)/2, 0, name, look) + 1
		}
		if lo, hi := reach(r); lo >= 0 && l.top+(lo+hi)/2/scale >= nextY {
			nextY = l.top + (lo+hi)/2/scale
			cv.text(l.x, nextY, name, look)
			nextY++
		}
		if l.gpLabels && t > 1 {
			l.numberGPs(cv, c, r, scale)
		}
	}
}

// reach returns the first and last pixel of some GPs, -1 if they have none.
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
func (l *blockLayout) numberGPs(cv *canvas, cols, rows [][2]int, scale int) {
	look := ink{fg: cv.style.Dim()}
	for i := range cols {
		text := strconv.Itoa(i + 1)
		cv.text(l.x+l.left+(cols[i][0]+cols[i][1]+1)/2-width(text)/2, 1, text, look)
		cv.textRight(l.x+l.left-1, l.top+(rows[i][0]+rows[i][1])/2/scale, text, look)
	}
}

// rangeTexts returns the ends of the colour range; a clipped lower end says so.
func (l *blockLayout) rangeTexts() (lo, hi string) {
	lo, hi = oneDecimal(l.lo), oneDecimal(l.hi)
	if math.Max(math.Abs(l.lo), math.Abs(l.hi)) >= 1e4 {
		lo, hi = Short(l.lo), Short(l.hi)
	}
	if l.clipped {
		lo = "≤" + lo
	}
	if l.over {
		hi = "≥" + hi
	}
	return lo, hi
}

// bar returns the glyph and look of the colour bar at t.
func (l *blockLayout) bar(style Style, t float64) (rune, ink) {
	if l.pixels {
		return '█', ink{fg: style.Heat(t)}
	}
	return rampRune(t), ink{}
}

// legendNotes are the words beside the map.
func (l *blockLayout) legendNotes(style Style) []span {
	dim := ink{fg: style.Dim()}
	notes := []span{{"blank: always 0", dim}}
	if r := l.ratio; r > 1 {
		notes = append(notes, span{"max-pooled " + fmt.Sprintf("%d×%d", r, r), dim})
	}
	if l.M > 0 {
		notes = append(notes, span{fmt.Sprintf("M = %d", l.M), dim})
	}
	if l.notFinite > 0 {
		notes = append(notes, span{"× " + Short(float64(l.notFinite)) + " not finite", ink{fg: style.Bad(), bold: true}})
	}
	return notes
}

// drawLegendRight draws an upright colour bar with its range, and the notes.
func (l *blockLayout) drawLegendRight(cv *canvas) {
	x, y := l.x+l.left+len(l.cols)+3, l.top
	notes := l.legendNotes(cv.style)
	cv.text(x, y, "log10|S_M|", ink{bold: true})
	height := max(2, min(cv.h-y-3-len(notes), 10))
	lo, hi := l.rangeTexts()
	for i := range height {
		t := 1 - float64(i)/float64(height-1)
		r, look := l.bar(cv.style, t)
		cv.put(x, y+1+i, r, look)
		cv.put(x+1, y+1+i, r, look)
	}
	dim := ink{fg: cv.style.Dim()}
	cv.text(x+3, y+1, hi, dim)
	if height >= 5 {
		cv.text(x+3, y+1+height/2, oneDecimal(l.hi-(l.hi-l.lo)*float64(height/2)/float64(height-1)), dim)
	}
	cv.text(x+3, y+height, lo, dim)
	for i, n := range notes {
		cv.text(x, y+height+2+i, n.text, n.ink)
	}
}

// legendParts is the legend in one line.
func (l *blockLayout) legendParts(cv *canvas) []part {
	lo, hi := l.rangeTexts()
	dim := ink{fg: cv.style.Dim()}
	scale := func(name string, n int) []span {
		spans := []span{{name, ink{bold: true}}, {lo + " ", dim}}
		for i := range n {
			r, look := l.bar(cv.style, float64(i)/float64(max(n-1, 1)))
			spans = append(spans, span{string(r), look})
		}
		return append(spans, span{" " + hi, dim})
	}
	parts := []part{{[][]span{scale("log10|S_M| ", max(3, min(cv.w/6, 12))), scale("", 7), scale("", 3)}, 3}}
	notes := l.legendNotes(cv.style)
	for i, n := range notes {
		p := part{[][]span{{n}, nil}, 0}
		switch {
		case l.notFinite > 0 && i == len(notes)-1:
			p.keep = 4
			p.variants[1] = []span{{"×" + Short(float64(l.notFinite)), n.ink}}
		case i == 1 && l.ratio > 1:
			p.variants = [][]span{{n}, {{"max-pooled", dim}}, {{"pooled", dim}}, {{"max", dim}}}
			p.keep = 1
		}
		parts = append(parts, p)
	}
	return parts
}
