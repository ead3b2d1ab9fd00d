package chart

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"

	"dgplab/viz/canvas"
	"dgplab/viz/figure"
)

// Range is a part of a Band.
type Range struct {
	// Name is the legend entry in a figure; the range has none if it is empty.
	Name   string
	Lo, Hi []float64
}

// Band is one or several ranges along x, the widest first. It has a gap where an end is not finite.
type Band struct {
	X      []float64
	Ranges []Range
	Color  Color
	// Glyph shades a single range in a text picture. 0 stands for ░.
	Glyph rune
	// Plain leaves out the dots at the ends of the ranges, which suits a band behind bars.
	Plain bool
}

// RangeLook returns the colour and the glyph of range i of n in a text picture. The widest range is
// the faintest.
func RangeLook(style canvas.Style, c Color, i, n int) (canvas.Color, rune) {
	color := c.Text(style)
	switch {
	case i+1 < n:
		return style.Tint(color, 0.5), '░'
	case n == 1:
		return color, '░'
	}
	return color, '▒'
}

// ends returns the lower and the upper ends of a range as points, with a gap in both where one of
// them is not finite.
func (b Band) ends(r Range) (lo, hi []XY) {
	for k := range min(len(b.X), len(r.Lo), len(r.Hi)) {
		x := b.X[k]
		if !canvas.Finite(r.Lo[k]) || !canvas.Finite(r.Hi[k]) || r.Lo[k] > r.Hi[k] {
			x = math.NaN()
		}
		lo = append(lo, XY{X: x, Y: r.Lo[k]})
		hi = append(hi, XY{X: x, Y: r.Hi[k]})
	}
	return lo, hi
}

// Text shades every position for the narrowest range that it lies in. If the style has dots, they mark
// the ends of all ranges.
func (b Band) Text(plot *canvas.Canvas, p *Plane) {
	lower := make([][][]XY, len(b.Ranges))
	upper := make([][][]XY, len(b.Ranges))
	for i, r := range b.Ranges {
		lo, hi := b.ends(r)
		lower[i] = cutPieces(p, lo)
		upper[i] = cutPieces(p, hi)
	}
	height := Scale{Lo: p.Y.Lo, Hi: p.Y.Hi} // Ends are placed already.
	for x := range plot.W {
		var list []shade
		from, to := 0, 0 // what is shaded
		for i := range slices.Backward(b.Ranges) {
			lo, ok := heightAt(lower[i], &p.X, x, plot.W)
			hi, also := heightAt(upper[i], &p.X, x, plot.W)
			if !ok || !also || hi < p.Y.Lo || lo > p.Y.Hi {
				continue
			}
			bottom := height.edgeOf(lo, plot.H, plot.Style)
			top := max(height.edgeOf(hi, plot.H, plot.Style), bottom+1)
			if from == to {
				list = append(list, shade{i, bottom, top})
				from, to = bottom, top
				continue
			}
			if bottom < from {
				list = append(list, shade{i, bottom, from})
			}
			if top > to {
				list = append(list, shade{i, to, top})
			}
			from = min(from, bottom)
			to = max(to, top)
		}
		// Draw the widest range first, so that narrower ranges cover it where whole cells are marked.
		for _, s := range slices.Backward(list) {
			color, glyph := RangeLook(plot.Style, b.Color, s.of, len(b.Ranges))
			if len(b.Ranges) == 1 {
				glyph = cmp.Or(b.Glyph, glyph)
			}
			plot.Shade(x, s.lo, s.hi, color, glyph)
		}
	}
	if !plot.Style.Dots() || b.Plain {
		return
	}
	for i := range b.Ranges {
		color, _ := RangeLook(plot.Style, b.Color, i, len(b.Ranges))
		for _, end := range [][][]XY{lower[i], upper[i]} {
			drawEdge(plot, p, end, canvas.Ink{FG: color})
		}
	}
}

// drawEdge draws an end of a range with dots. A band that is thinner than a cell is then a line
// without gaps.
func drawEdge(plot *canvas.Canvas, p *Plane, end [][]XY, look canvas.Ink) {
	w, h := plot.Places()
	rows, sides := lineRows(end, p, w, h)
	for x, side := range sides {
		if side != 0 {
			rows[x] = -1 // The band goes on beyond the axis.
		}
	}
	canvas.DrawLine(plot, look, rows, nil)
}

// shade is a piece of a column, in eighths of a cell, that belongs to a range.
type shade struct{ of, lo, hi int }

// Figure adds the areas of the ranges, each in the light colour of the band.
func (b Band) Figure(to *figure.Plot, p *Plane) {
	for i, r := range b.Ranges {
		lo, hi := b.ends(r)
		above := cutPieces(p, hi)
		drawn := false
		for k, below := range cutPieces(p, lo) {
			if len(below) < 2 {
				continue
			}
			outline := XYs(below)
			for _, at := range slices.Backward(above[k]) {
				outline = append(outline, plotter.XY{X: at.X, Y: at.Y})
			}
			addArea(to, outline, b.Color)
			drawn = true
		}
		if drawn && r.Name != "" {
			entry := b.Color
			entry.alpha = uint8(min(int(b.Color.alpha)*(i+1), 255))
			to.AddEntry(r.Name, &plotter.Line{LineStyle: entry.stroke(2)})
		}
	}
}

// addArea adds an area without an outline.
func addArea(to *figure.Plot, outline plotter.XYs, c Color) {
	to.Add(&plotter.Polygon{XYs: []plotter.XYs{outline}, Color: c.figure()})
}
