package chart

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"dgplab/viz/canvas"
)

// Bars are upright bars from zero over equal bins of a range.
type Bars struct {
	Lo, Hi float64
	Values []float64
	Run    int
	// Marked reports whether a bar stands out in a text picture. It may be nil.
	Marked func(v float64) bool
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

// drawBar draws one bar. A line continues within it if the terminal has the colours for it.
func (b Bars) drawBar(plot *canvas.Canvas, p *Plane, x0, x1 int, v float64) {
	eighths := int(canvas.Fraction(v, p.Y.Lo, p.Y.Hi)*float64(plot.H*8-8)+0.5) + 4
	look := canvas.Ink{FG: plot.Style.RunColor(b.Run)}
	if b.Marked != nil && b.Marked(v) {
		look.FG = plot.Style.Warn()
	}
	for x := x0; x < x1; x++ {
		for y := range (eighths + 7) / 8 {
			full := min(eighths-8*y, 8)
			switch line := plot.At(x, plot.H-1-y); {
			case !plot.Style.Shades() || line == ' ' || slices.Contains(canvas.Eighths[:], line):
				plot.Put(x, plot.H-1-y, canvas.Eighths[full-1], look)
			case full >= 4: // most of the cell
				plot.Put(x, plot.H-1-y, line, canvas.Ink{FG: look.FG.Opposite(), BG: look.FG})
			}
		}
	}
}

// Figure adds the bars, each over four fifths of its bin, and the lines over them.
func (b Bars) Figure(to *plot.Plot, p *Plane) {
	width := (b.Hi - b.Lo) / float64(len(b.Values))
	for i, v := range b.Values {
		if !canvas.Finite(v) || v <= 0 {
			continue
		}
		x0 := b.Lo + (float64(i)+0.1)*width
		x1 := b.Lo + (float64(i)+0.9)*width
		outline := plotter.XYs{{X: x0}, {X: x0, Y: v}, {X: x1, Y: v}, {X: x1}}
		addArea(to, outline, Run(b.Run).Fade(0, 200))
	}
	for _, m := range b.Over {
		m.Figure(to, p)
	}
}
