package heatmap

import (
	"math"
	"slices"

	"dgplab/viz/canvas"
)

// BlockMaps are maps side by side on one colour scale, with one legend.
type BlockMaps []BlockMap

// colorRange returns the colour range of all maps. It is 0 to 0 without a finite value.
func (m BlockMaps) colorRange() (lo, hi float64) {
	lo = math.Inf(1)
	hi = math.Inf(-1)
	for _, b := range m {
		if b.problem() != "" {
			continue
		}
		l, h, _ := b.extremes()
		lo = math.Min(lo, l)
		hi = math.Max(hi, h)
	}
	if lo > hi {
		return 0, 0
	}
	return math.Max(lo, hi-decades), hi
}

// Render draws the maps as large as possible in w x h cells, in several rows if that makes them
// larger. The last line is the legend. It counts the maps without room.
func (m BlockMaps) Render(style canvas.Style, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	if len(m) == 0 {
		return canvas.Empty(style, w, h, "no covariance yet")
	}
	cv := canvas.New(style, w, h)
	plotH := m.plotHeight(h)
	var drawn []*blockLayout
	tiles := m.tiles(w, plotH)
	for _, t := range tiles {
		tile, l := t.BlockMap.draw(style, t.w, t.h)
		cv.Blit(t.x, t.y, tile)
		if l != nil {
			drawn = append(drawn, l)
		}
	}
	if h >= 4 {
		m.drawLegend(cv, plotH, drawn, len(m)-len(tiles))
	}
	if lines := m[0].readoutLines(h); lines > 0 {
		drawReadout(cv, h-lines, drawn)
	}
	return cv.Lines()
}

// plotHeight returns the lines for the maps, without the legend and the description of the cursor.
func (m BlockMaps) plotHeight(h int) int {
	if h >= 4 {
		return h - 1 - m[0].readoutLines(h)
	}
	return h
}

// Height returns the number of lines that the maps can use in w x h cells. With more they are not
// larger.
func (m BlockMaps) Height(style canvas.Style, w, h int) int {
	for _, b := range m {
		if b.problem() != "" {
			return 0
		}
	}
	if len(m) == 0 || w < 1 {
		return 0
	}
	return usedHeight(h, func(h int) (pixels int) {
		for _, t := range m.places(w, m.plotHeight(h)) {
			t.Cursor = nil // Its description is below all maps.
			pixels += t.pixelsIn(style, t.w, t.h)
		}
		return pixels
	})
}

// tile is a map with its place.
type tile struct {
	BlockMap
	number     int
	x, y, w, h int
}

// tiles returns the maps that fit into w x h cells, on one colour scale.
func (m BlockMaps) tiles(w, h int) []tile {
	lo, hi := m.colorRange()
	list := m.places(w, h)
	for i := range list {
		list[i].Lo = lo
		list[i].Hi = hi
	}
	return list
}

// places returns the maps that fit into w x h cells.
func (m BlockMaps) places(w, h int) (list []tile) {
	columns := m.columns(w, h)
	noted := !slices.ContainsFunc(m, func(b BlockMap) bool {
		return b.name().Width() > w/columns-canvas.TileGap
	})
	grid := canvas.Grid{Columns: columns, Rows: (len(m) + columns - 1) / columns, W: w, H: h,
		Gap: canvas.TileGap}
	for i, b := range m {
		t := tile{BlockMap: b, number: i}
		t.x, t.y, t.w, t.h = grid.Tile(i)
		if t.w < 1 || t.h < 1 {
			continue
		}
		t.bare = true
		if !noted {
			t.Step = ""
		}
		list = append(list, t)
	}
	return list
}

// columns returns the number of columns that makes the maps as large as possible. Ties go to the
// fewest empty places, then to about as many columns as rows.
func (m BlockMaps) columns(w, h int) int {
	best, size, empty := 1, -1, 0
	for n := len(m); n >= 1; n-- {
		rows := (len(m) + n - 1) / n
		// Titles and names take two lines and four columns, and cells are about twice as high as
		// wide.
		s := min(w/n-canvas.TileGap-4, 2*(h/rows-2))
		left := rows*n - len(m)
		if s > size || s == size && left <= empty && n >= rows {
			best, size, empty = n, s, left
		}
	}
	return best
}

// drawLegend writes the line below the maps.
func (m BlockMaps) drawLegend(cv *canvas.Canvas, y int, drawn []*blockLayout, missing int) {
	var parts []canvas.Part
	if len(drawn) > 0 {
		all := *drawn[0]
		for _, l := range drawn[1:] {
			all.clipped, all.over = all.clipped || l.clipped, all.over || l.over
			all.hasBlank, all.hasFree = all.hasBlank || l.hasBlank, all.hasFree || l.hasFree
			all.notFinite += l.notFinite
			all.chosen += l.chosen // at most one has one
			all.ratio = max(all.ratio, l.ratio)
			if l.sizes != all.sizes {
				all.sizes = [2]int{} // not the same for all
			}
		}
		parts = all.legendParts(cv)
		if len(m) > 1 {
			parts = slices.Insert(parts, 1, canvas.Note(1, canvas.Ink{FG: cv.Style.Dim()}, "one scale", ""))
		}
	}
	if missing > 0 {
		text := canvas.Number(float64(missing)) + " more"
		parts = append(parts, canvas.Note(5, canvas.Ink{FG: cv.Style.Dim()}, "… "+text))
	}
	canvas.DrawLegend(cv, 0, y, cv.W, parts)
}
