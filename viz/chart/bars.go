package chart

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
	"dgplab/viz/figure"
)

// Bars are upright bars from zero over equal bins of a range.
type Bars struct {
	Lo, Hi float64
	Values []float64
	Run    int
	// Marked reports whether a bar is marked: pale, or hatched in figures and on terminals with few colours.
	// It may be nil. MarkedName is the legend entry of marked bars in a figure.
	Marked     func(v float64) bool
	MarkedName string
	// Over are lines over the bars. They shine through the bars if the terminal has the colours.
	Over []Mark
}

// Text draws the bars in eighths of a cell, each up to the row of a line at its value.
func (b Bars) Text(plot *canvas.Canvas, p *Plane) {
	drawOver := func() {
		for _, m := range b.Over {
			m.Text(plot, p)
		}
	}
	if plot.Style.Shades() {
		drawOver()
	}
	n := len(b.Values)
	for i, v := range b.Values {
		x0, x1 := i*plot.W/n, (i+1)*plot.W/n
		if x1-x0 >= 3 {
			x1-- // a gap between bars
		}
		if canvas.Finite(v) && v > 0 {
			b.drawBar(plot, p, x0, max(x1, x0+1), v)
		}
	}
	if !plot.Style.Shades() {
		drawOver()
	}
}

// hatched is the glyph of a hatched cell.
const hatched = '▒'

// MarkedBar returns the sign of a marked bar in a legend.
func MarkedBar(style canvas.Style, run int) canvas.Span {
	if style.Shades() {
		return canvas.Text("█ ", canvas.Ink{FG: markedColor(style, run)})
	}
	return canvas.Text(string(hatched)+" ", canvas.Ink{FG: style.RunColor(run)})
}

// markedColor returns the colour of a marked bar on terminals with shades.
func markedColor(style canvas.Style, run int) canvas.Color {
	return style.Tint(style.RunColor(run), 0.5)
}

// marks reports whether a bar is marked.
func (b Bars) marks(v float64) bool { return b.Marked != nil && b.Marked(v) }

// drawBar draws one bar. A line continues within it if the terminal has the colours for it.
func (b Bars) drawBar(plot *canvas.Canvas, p *Plane, x0, x1 int, v float64) {
	eighths := int(canvas.Fraction(v, p.Y.Lo, p.Y.Hi)*float64(plot.H*8-8)+0.5) + 4
	look := canvas.Ink{FG: plot.Style.RunColor(b.Run)}
	whole := canvas.Eighths[len(canvas.Eighths)-1]
	switch {
	case b.marks(v) && plot.Style.Shades():
		look.FG = markedColor(plot.Style, b.Run)
	case b.marks(v):
		whole = hatched
	}
	for x := x0; x < x1; x++ {
		for y := range (eighths + 7) / 8 {
			full := min(eighths-8*y, 8)
			line := plot.At(x, plot.H-1-y)
			switch {
			case !plot.Style.Shades() || line == ' ' || slices.Contains(canvas.Eighths[:], line):
				glyph := canvas.Eighths[full-1]
				if full == len(canvas.Eighths) {
					glyph = whole
				}
				plot.Put(x, plot.H-1-y, glyph, look)
			case full >= 4: // most of the cell
				plot.Put(x, plot.H-1-y, line, canvas.Ink{FG: look.FG.Opposite(), BG: look.FG})
			}
		}
	}
}

// Figure adds the bars, each over four fifths of its bin, and the lines over them.
func (b Bars) Figure(to *figure.Plot, p *Plane) {
	width := (b.Hi - b.Lo) / float64(len(b.Values))
	for i, v := range b.Values {
		if !canvas.Finite(v) || v <= 0 {
			continue
		}
		x0 := b.Lo + (float64(i)+0.1)*width
		x1 := b.Lo + (float64(i)+0.9)*width
		if b.marks(v) {
			to.Add(hatching{x0, x1, v, Run(b.Run).stroke(0.2)})
			if b.MarkedName != "" {
				to.AddEntry(b.MarkedName, hatching{look: Ink.stroke(0.2)})
			}
			continue
		}
		outline := plotter.XYs{{X: x0}, {X: x0, Y: v}, {X: x1, Y: v}, {X: x1}}
		addArea(to, outline, Run(b.Run).Fade(0, 200))
	}
	for _, m := range b.Over {
		m.Figure(to, p)
	}
}

// hatching is a bar from 0 to a height between two x, filled with slanted lines.
type hatching struct {
	from, to, height float64
	look             draw.LineStyle
}

// hatchGap is the distance between the lines of a hatching along an edge.
const hatchGap = 1.5 * vg.Millimeter

// Plot implements plot.Plotter.
func (h hatching) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	h.draw(&c, vg.Point{X: x(h.from), Y: y(0)}, vg.Point{X: x(h.to), Y: y(h.height)})
}

// Thumbnail implements plot.Thumbnailer.
func (h hatching) Thumbnail(c *draw.Canvas) { h.draw(c, c.Min, c.Max) }

// draw draws the bar between two corners.
func (h hatching) draw(c *draw.Canvas, lo, hi vg.Point) {
	c.StrokeLines(h.look, []vg.Point{lo, {X: lo.X, Y: hi.Y}, hi, {X: hi.X, Y: lo.Y}, lo})
	// A line has a constant difference of y and x.
	for d := lo.Y - hi.X + hatchGap; d < hi.Y-lo.X; d += hatchGap {
		left := max(lo.X, lo.Y-d)
		right := min(hi.X, hi.Y-d)
		c.StrokeLine2(h.look, left, left+d, right, right+d)
	}
}
