package chart

import (
	"slices"

	"dgplab/viz/canvas"
	"dgplab/viz/figure"
)

// Spread is the range of thinned data, drawn behind a line through them.
type Spread Line

// Text draws the range of every column, with dots only its ends.
func (s Spread) Text(plot *canvas.Canvas, p *Plane) {
	look := canvas.Ink{FG: s.Color.Text(plot.Style)}
	if plot.Style.Mode == canvas.ANSI16 {
		look.FG = plot.Style.Dim() // A tint would be the colour of the line.
	}
	pieces := cutPieces(p, s.XY)
	if plot.Style.Dots() {
		w, h := plot.Places()
		dots := canvas.NewDots(plot.W, plot.H)
		for x, e := range columnExtents(pieces, p, w) {
			for _, y := range [...]float64{e.Lo, e.Hi} {
				if y >= p.Y.Lo && y <= p.Y.Hi {
					dots.Set(x, p.Y.positionOf(y, h))
				}
			}
		}
		dots.DrawOn(plot, look)
		return
	}
	for x, r := range columnRanges(pieces, p, plot.W, plot.H) {
		if r[0] == r[1] {
			plot.Put(x, plot.H-1-r[0], '·', look)
			continue
		}
		for row := r[0]; row <= r[1]; row++ {
			plot.Put(x, plot.H-1-row, '┊', look)
		}
	}
}

// Figure adds a thin line through the data.
func (s Spread) Figure(to *figure.Plot, p *Plane) { Line(s).Figure(to, p) }

// columnExtents returns the range of the points in every column, of w.
func columnExtents(pieces [][]XY, p *Plane, w int) []Extent {
	list := slices.Repeat([]Extent{NewExtent()}, w)
	for _, piece := range pieces {
		for _, at := range piece {
			list[p.X.positionOf(at.X, w)].Add(at.Y)
		}
	}
	return list
}

// columnRanges returns the lowest and the highest row of the points in every column. A column
// without a point between the axes has a lowest row above the highest.
func columnRanges(pieces [][]XY, p *Plane, w, h int) [][2]int {
	ranges := slices.Repeat([][2]int{{0, -1}}, w)
	for x, e := range columnExtents(pieces, p, w) {
		if e.Lo <= p.Y.Hi && e.Hi >= p.Y.Lo {
			ranges[x] = [2]int{p.Y.positionOf(e.Lo, h), p.Y.positionOf(e.Hi, h)}
		}
	}
	return ranges
}
