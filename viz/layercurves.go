package viz

import (
	"strconv"
)

const (
	// leastChart is the least height of a chart of sampled functions, with title.
	leastChart = 5
	// tileWidth and tileHeight are the least size of charts side by side.
	tileWidth, tileHeight = 34, 9
)

func (p LayerPanel) hasCurves() bool {
	for _, g := range p.GPs {
		if len(g.Curves) > 0 {
			return true
		}
	}
	return false
}

// tableRows returns the rows of h that the table of GPs gets: all it needs where
// a chart still fits below it, else up to half, else everything.
func (p LayerPanel) tableRows(h int) int {
	need := len(p.GPs) + 1
	if h < 3 || !p.hasCurves() {
		return h
	}
	switch {
	case h-need >= max(leastChart, h/2):
		return need
	case h-max(h/2, 3) >= leastChart:
		return min(need, max(h/2, 3))
	default:
		return h
	}
}

// drawCurves draws the functions of one GP, or of several in tiles, from row y on.
func (p LayerPanel) drawCurves(cv *canvas, y, h int) {
	columns := max(1, min(cv.w/tileWidth, len(p.GPs)))
	lines := max(1, min(h/tileHeight, (len(p.GPs)+columns-1)/columns))
	// Fewer, wider tiles where the last line would be half empty.
	for columns > 1 && (columns-1)*lines >= len(p.GPs) {
		columns--
	}
	first := min(p.Selected, max(0, len(p.GPs)-columns*lines))
	for i := range columns * lines {
		gp := first + i
		if gp >= len(p.GPs) {
			break
		}
		col, row := i%columns, i/columns
		x0, x1 := col*cv.w/columns, (col+1)*cv.w/columns
		y0, y1 := row*h/lines, (row+1)*h/lines
		if col+1 < columns {
			x1 -= 2
		}
		p.drawTile(cv, gp, i == 0, x0, y+y0, x1-x0, y1-y0)
	}
}

// drawTile draws the functions of one GP with a title line; explain says in it
// what they are.
func (p LayerPanel) drawTile(cv *canvas, gp int, explain bool, x, y, w, h int) {
	curves := p.GPs[gp].Curves
	c := Curve{X: Plain, bare: true}
	for i, values := range curves {
		c.Series = append(c.Series, Series{X: p.Grid, Y: values, Run: i})
	}
	if len(p.Grid) == 0 {
		for i := range c.Series {
			c.Series[i].X = nil
		}
	}
	dim := ink{fg: cv.style.Dim()}
	name := []span{{"GP " + strconv.Itoa(gp+1), ink{bold: gp == p.Selected}}}
	n := strconv.Itoa(len(curves)) + " samples"
	words := [][]span{{{n, dim}}, nil}
	if explain {
		words = append([][]span{{{n + " along the first input", dim}}}, words...)
	}
	parts := []part{{[][]span{name}, 9}, {words, 0}}
	if p.GPs[gp].Collapsed {
		look := ink{fg: cv.style.Warn(), bold: true}
		parts = append(parts, part{[][]span{{{"! collapsed", look}}, {{"!", look}}}, 1})
	}
	drawLegend(cv, x, y, w, parts)
	cv.blit(x, y+1, c.draw(cv.style, w, h-1))
}
