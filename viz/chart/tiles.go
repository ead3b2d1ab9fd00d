package chart

import "dgplab/viz/canvas"

// Tiles are charts side by side with one legend. Draw returns chart i as a canvas of w x h cells.
type Tiles struct {
	N      int
	Draw   func(i, w, h int) *canvas.Canvas
	Legend func() []canvas.Part
}

// leastTiled is the minimum height at which the legend has a line.
const leastTiled = 6

// Render draws as many charts as fit into w x h cells, in several rows if that makes them
// larger. The last line is the legend, with a note if charts are missing.
func (t Tiles) Render(style canvas.Style, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	cv, high := canvas.New(style, w, h), h
	if h >= leastTiled {
		high--
	}
	columns := tileColumns(t.N, w, high)
	grid := canvas.Grid{Columns: columns, Rows: (t.N + columns - 1) / columns, W: w, H: high,
		Gap: canvas.TileGap}
	shown := 0
	for i := range t.N {
		if x, y, w, h := grid.Tile(i); w > 0 && h > 0 {
			cv.Blit(x, y, t.Draw(i, w, h))
			shown++
		}
	}
	if high < h {
		dim := canvas.Ink{FG: style.Dim()}
		parts := append(t.Legend(), canvas.Note(2, dim, "one scale", ""))
		if shown < t.N {
			parts = append(parts, canvas.Note(3, dim, "some not shown"))
		}
		canvas.DrawLegend(cv, 0, h-1, w, parts)
	}
	return cv.Lines()
}

// tileHeight returns the minimum height of n charts with a legend in w x h cells.
func tileHeight(n, w, h int) int {
	if h >= leastTiled {
		h--
	}
	columns := tileColumns(n, w, h)
	return h / ((n + columns - 1) / columns)
}

// tileColumns returns the number of columns for n charts in w x h cells that makes them least flat
// or narrow. Ties go to the number with the fewest empty cells, then to the greater one.
func tileColumns(n, w, h int) int {
	best, size, empty := 1, -1, 0
	for k := n; k >= 1; k-- {
		rows := (n + k - 1) / k
		if s, left := min(w/k-canvas.TileGap, 3*(h/rows)), rows*k-n; s > size || s == size && left < empty {
			best, size, empty = k, s, left
		}
	}
	return best
}
