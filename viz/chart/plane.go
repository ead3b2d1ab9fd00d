package chart

import (
	"cmp"
	"strconv"

	"dgplab/viz/canvas"
)

// Plane is a pair of scaled axes with names, around a plot.
type Plane struct {
	X, Y         Scale
	XName, YName string
	// XShort and YShort are shorter names for narrow charts.
	XShort, YShort string
	// XCorner is a name of x that a text picture shows beside the ticks, not on a line of its own.
	XCorner string
	// XTicks and YTicks, if not nil, replace the ticks of the scales by about n others.
	XTicks, YTicks func(n int) []Tick
	// XDates is set if x is time.
	XDates Dates
}

// nameRows is the minimum height at which the name of the x axis has its own line.
const nameRows = 10

// frame is the room around a plot of w x h cells: above it a line for the legend, below it the x
// axis and its name, to its left the y axis with its labels, by row from the top.
type frame struct {
	top, bottom, name, left int
	labels                  map[int]string
	w, h                    int
}

// frame returns the room around the plot of a chart of w x h cells.
func (p *Plane) frame(w, h int, legend bool) frame {
	f := frame{bottom: xAxisRows(w, h)}
	if legend || p.YName != "" {
		f.top = LegendRows(h)
	}
	if h >= nameRows && f.bottom == 2 && p.XName != "" {
		f.name = 1
	}
	f.h = h - f.top - f.bottom - f.name
	f.labels, f.left = p.yLabels(w, f.h)
	f.w = w - f.left
	return f
}

// draw draws axes, names and a legend around the plot that the function draw fills. The function
// legend is called after draw; it may be nil. w and h are at least 1.
func (p *Plane) draw(
	style canvas.Style,
	w, h int,
	draw func(plot *canvas.Canvas),
	legend func(style canvas.Style) []canvas.Part,
) *canvas.Canvas {
	cv := canvas.New(style, w, h)
	f := p.frame(w, h, legend != nil)
	dim := canvas.Ink{FG: style.Dim()}
	plot := canvas.New(style, f.w, f.h)
	if plot.H > 0 {
		draw(plot)
	}
	cv.Blit(f.left, f.top, plot)
	f.drawYAxis(cv)
	f.drawXAxis(cv, p)
	if f.name > 0 {
		name := p.xName()
		if canvas.Width(name) > plot.W && p.XShort != "" {
			name = p.XShort
		}
		name = canvas.Truncate(name, plot.W)
		cv.Text(f.left+(plot.W-canvas.Width(name))/2, h-1, name, dim)
	}
	if f.top > 0 {
		var parts []canvas.Part
		if p.YName != "" {
			// The name is left out only after runs have lost their details.
			short := cmp.Or(p.YShort, p.YName)
			parts = append(parts, canvas.Note(3, dim, p.YName, short, short, ""))
		}
		if legend != nil {
			parts = append(parts, legend(style)...)
		}
		canvas.DrawLegend(cv, 0, 0, w, parts)
	}
	return cv
}

// xName returns the name of x in a picture, which is the name of its dates if ticks are dates.
func (p *Plane) xName() string {
	if p.XDates.Known() {
		return p.XDates.Name
	}
	return p.XName
}

// Col and Row return the cell of a value in a plot. Rows are counted from the top.
func (p *Plane) Col(x float64, cv *canvas.Canvas) int { return p.X.position(x, cv.W) }

func (p *Plane) Row(y float64, cv *canvas.Canvas) int { return cv.H - 1 - p.Y.position(y, cv.H) }

// Cell returns the cell in which a line passes a point of a plot.
func (p *Plane) Cell(at XY, cv *canvas.Canvas) (column, row int) {
	w, h := cv.Places()
	return p.X.position(at.X, w) * cv.W / w, cv.H - 1 - p.Y.position(at.Y, h)*cv.H/h
}

// Shade shades column x of a plot between two values; see canvas.Shade.
func (p *Plane) Shade(cv *canvas.Canvas, x int, lo, hi float64, color canvas.Color, glyph rune) {
	cv.Shade(x, p.Y.edgeOf(lo, cv.H, cv.Style), p.Y.edgeOf(hi, cv.H, cv.Style), color, glyph)
}

// FitValues returns a linear or a logarithmic scale of values. Values that the scale cannot show
// are left out. ok is false if none remains.
func FitValues(values [][]float64, log bool) (s Scale, ok bool) {
	e := NewExtent()
	for _, list := range values {
		for _, v := range list {
			if canvas.Finite(v) && (!log || v > 0) {
				e.Add(v)
			}
		}
	}
	if e.N == 0 {
		return Scale{Hi: 1}, false
	}
	kind := Linear
	if log {
		kind = Log
	}
	return Fit(kind, e, false), true
}

// LeftOut returns the legend entries that count values that are not finite, or not positive on a
// logarithmic axis.
func LeftOut(style canvas.Style, notPositive, notFinite int) (parts []canvas.Part) {
	if notPositive > 0 {
		n := strconv.Itoa(notPositive)
		parts = append(parts, canvas.Note(3, canvas.Ink{FG: style.Warn(), Bold: true},
			n+" not positive", n+" ≤ 0"))
	}
	if notFinite > 0 {
		n := canvas.Number(float64(notFinite))
		parts = append(parts, canvas.Note(3, canvas.Ink{FG: style.Bad(), Bold: true},
			"× "+n+" not finite", "×"+n))
	}
	return parts
}
