package chart

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
	"dgplab/viz/figure"
)

// Color is the colour of a mark on both media.
type Color struct {
	role  role
	run   int
	tint  float64
	alpha uint8
}

type role int

const (
	ink role = iota
	soft
	faint
	warn
	good
	ofRun
)

// The colours of marks that belong to no run.
var (
	Ink   = Color{role: ink, alpha: 255}
	Soft  = Color{role: soft, alpha: 255}
	Faint = Color{role: faint, alpha: 255}
	Warn  = Color{role: warn, alpha: 255}
	Good  = Color{role: good, alpha: 255}
)

// Run returns the colour of a run; see canvas.Style.RunColor.
func Run(i int) Color { return Color{role: ofRun, run: i, alpha: 255} }

// Fade returns the colour mixed with a share of the background in a text picture, and with an
// opacity of alpha, from 0 to 255, in a figure.
func (c Color) Fade(share float64, alpha uint8) Color {
	c.tint, c.alpha = share, alpha
	return c
}

// Text returns the colour in a text picture.
func (c Color) Text(style canvas.Style) canvas.Color {
	out := canvas.Color{}
	switch c.role {
	case soft:
		out = style.Dim()
	case faint:
		out = style.Faint()
	case warn:
		out = style.Warn()
	case good:
		out = style.Good()
	case ofRun:
		out = style.RunColor(c.run)
	}
	if c.tint > 0 {
		return style.Tint(out, c.tint)
	}
	return out
}

// figure returns the colour in a figure.
func (c Color) figure() color.Color {
	switch c.role {
	case soft:
		return withAlpha(figure.Soft, c.alpha)
	case faint:
		return withAlpha(color.RGBA{0xc8, 0xc8, 0xc8, 0xff}, c.alpha)
	case ofRun:
		return figure.RunColor(c.run, c.alpha)
	}
	return withAlpha(figure.Ink, c.alpha)
}

func withAlpha(c color.RGBA, alpha uint8) color.Color {
	return color.NRGBA{c.R, c.G, c.B, alpha}
}

// stroke returns the style of a line in a figure; width is in millimetres.
func (c Color) stroke(width float64) draw.LineStyle {
	return draw.LineStyle{Color: c.figure(), Width: vg.Length(width) * vg.Millimeter}
}
