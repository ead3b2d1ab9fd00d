package blocks

import (
	"math"
	"slices"

	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// Maps are several maps beside each other on one range of colours, with one
// legend.
type Maps []Map

// Range returns the range of the colours of all maps together; lo equals hi, 0, without
// a finite value.
func (m Maps) Range() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, b := range m {
		if b.problem() != "" {
			continue
		}
		l, h, _ := b.extremes()
		lo, hi = math.Min(lo, l), math.Max(hi, h)
	}
	if lo > hi {
		return 0, 0
	}
	return math.Max(lo, hi-decades), hi
}

// Render draws the maps as large as they fit in w x h cells, from left to right
// and, where that makes them larger, in several rows. The last line is the
// legend. Maps that have no room at all are counted there.
func (m Maps) Render(style canvas.Style, w, h int) string {
	if w < 1 || h < 1 {
		return ""
	}
	if len(m) == 0 {
		return canvas.Empty(style, w, h, "no covariance yet")
	}
	cv := canvas.New(style, w, h)
	plotH := h
	if h >= 4 {
		plotH--
	}
	var drawn []*blockLayout
	lo, hi := m.Range()
	columns := m.columns(w, plotH)
	noted := !slices.ContainsFunc(m, func(b Map) bool { return canvas.Width(b.Title+b.Note) > w/columns-tileGap })
	rows := (len(m) + columns - 1) / columns
	shown := 0
	for i, b := range m {
		col, row := i%columns, i/columns
		x0, x1 := col*w/columns, (col+1)*w/columns
		y0, y1 := row*plotH/rows, (row+1)*plotH/rows
		if col+1 < columns {
			x1 -= tileGap
		}
		if x1 <= x0 || y1 <= y0 {
			continue
		}
		shown++
		b.Lo, b.Hi, b.bare = lo, hi, true
		if !noted {
			b.Note = ""
		}
		tile, l := b.draw(style, x1-x0, y1-y0)
		cv.Blit(x0, y0, tile)
		if l != nil {
			drawn = append(drawn, l)
		}
	}
	if plotH < h {
		m.drawLegend(cv, drawn, len(m)-shown)
	}
	return cv.String()
}

// tileGap separates maps.
const tileGap = 2

// columns returns how many maps go beside each other in w x h cells so that they
// become as large as possible; with a tie, such that fewest places stay empty and they
// are nearly as many across as down.
func (m Maps) columns(w, h int) int {
	best, size, empty := 1, -1, 0
	for n := len(m); n >= 1; n-- {
		rows := (len(m) + n - 1) / n
		// Two lines and four columns go to titles and names, and cells are about
		// twice as high as wide.
		s, left := min(w/n-tileGap-4, 2*(h/rows-2)), rows*n-len(m)
		if s > size || s == size && left <= empty && n >= rows {
			best, size, empty = n, s, left
		}
	}
	return best
}

// drawLegend writes the line below the maps.
func (m Maps) drawLegend(cv *canvas.Canvas, drawn []*blockLayout, missing int) {
	var parts []canvas.Part
	if len(drawn) > 0 {
		all := *drawn[0]
		for _, l := range drawn[1:] {
			all.clipped, all.over = all.clipped || l.clipped, all.over || l.over
			all.hasBlank, all.hasFree = all.hasBlank || l.hasBlank, all.hasFree || l.hasFree
			all.notFinite += l.notFinite
			all.chosen += l.chosen // one has one
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
		text := number.Short(float64(missing)) + " more"
		parts = append(parts, canvas.Note(5, canvas.Ink{FG: cv.Style.Dim()}, "… "+text))
	}
	canvas.DrawLegend(cv, 0, cv.H-1, cv.W, parts)
}
