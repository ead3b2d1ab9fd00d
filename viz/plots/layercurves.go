package plots

import (
	"slices"
	"strconv"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/curves"
)

const (
	// leastChart is the minimum height of a chart of sampled functions with its title.
	leastChart = 5
	// tileWidth and tileHeight are the minimum size of charts side by side.
	tileWidth, tileHeight = 34, 9
)

func (p Layer) hasCurves() bool {
	return slices.ContainsFunc(p.GPs, func(g LayerGP) bool { return len(g.Curves) > 0 })
}

// tableRows returns the number of rows of the table of GPs. It is all rows if a chart fits below them,
// otherwise up to half of h, otherwise h.
func (p Layer) tableRows(h int) int {
	need := len(p.GPs) + 1
	if !p.hasCurves() {
		return h
	}
	switch {
	case h-need >= max(leastChart, h/2):
		return need
	case h-h/2 >= leastChart:
		return min(need, h/2)
	default:
		return h
	}
}

// drawCurves draws the functions of one or several GPs starting at row y.
func (p Layer) drawCurves(cv *canvas.Canvas, y, h int) {
	columns := max(1, min(cv.W/tileWidth, len(p.GPs)))
	lines := max(1, min(h/tileHeight, (len(p.GPs)+columns-1)/columns))
	// Fewer, wider tiles are better than a half-empty last line.
	for columns > 1 && (columns-1)*lines >= len(p.GPs) {
		columns--
	}
	first := min(p.Selected, max(0, len(p.GPs)-columns*lines))
	grid := canvas.Grid{Columns: columns, Rows: lines, W: cv.W, H: h, Gap: canvas.TileGap}
	for i := range min(columns*lines, len(p.GPs)-first) {
		x, below, w, h := grid.Tile(i)
		p.drawTile(cv, first+i, i == 0, x, y+below, w, h)
	}
}

// curve returns the functions of one GP as a curve.
func (p Layer) curve(gp int) curves.Curve { return lines(p.Grid, p.GPs[gp].Curves) }

// lines returns functions as a curve over a grid, or over 0, 1, 2... if there is no grid.
func lines(grid []float64, functions [][]float64) curves.Curve {
	if len(grid) == 0 {
		grid = nil
	}
	c := curves.Curve{X: chart.Plain, Bare: true}
	for i, values := range functions {
		c.Series = append(c.Series, curves.Series{X: grid, Y: values, Run: i})
	}
	return c
}

// drawTile draws the functions of one GP with a title line. The title explains the functions if explain is
// true.
func (p Layer) drawTile(cv *canvas.Canvas, gp int, explain bool, x, y, w, h int) {
	c := p.curve(gp)
	dim := canvas.Ink{FG: cv.Style.Dim()}
	n := strconv.Itoa(len(c.Series)) + " samples"
	words := canvas.Note(0, dim, n, "")
	if explain {
		words = canvas.Note(0, dim, n+" along "+p.XName, n, "")
	}
	parts := []canvas.Part{canvas.Note(9, canvas.Ink{Bold: gp == p.Selected}, "GP "+strconv.Itoa(gp+1)),
		words}
	if p.GPs[gp].Collapsed {
		look := canvas.Ink{FG: cv.Style.Warn(), Bold: true}
		parts = append(parts, canvas.Note(1, look, "! collapsed", "!"))
	}
	canvas.DrawLegend(cv, x, y, w, parts)
	cv.Blit(x, y+1, c.Draw(cv.Style, w, h-1))
}
