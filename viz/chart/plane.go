package chart

import (
	"strconv"

	"dgplab/viz/canvas"
)

// Plane is a pair of scaled axes with names, around a plot.
type Plane struct {
	X, Y         Scale
	XName, YName string
	// XShort is a shorter XName for narrow charts.
	XShort string
	// XTicks replaces the ticks of the x scale if it is not nil.
	XTicks []Tick
	// XDates is set if x is time.
	XDates Dates
}

// nameRows is the height from which the name of the x axis has its own line.
const nameRows = 10

// Chart draws axes, names and a legend around the plot that the function draw fills. The function
// legend is called after draw.
func (p *Plane) Chart(
	style canvas.Style,
	w, h int,
	draw func(plot *canvas.Canvas),
	legend func(style canvas.Style) []canvas.Part,
) []string {
	if w < 1 || h < 1 {
		return nil
	}
	return p.Canvas(style, w, h, draw, legend).Lines()
}

// Canvas is like Chart and returns a canvas. w and h are at least 1.
func (p *Plane) Canvas(
	style canvas.Style,
	w, h int,
	draw func(plot *canvas.Canvas),
	legend func(style canvas.Style) []canvas.Part,
) *canvas.Canvas {
	cv := canvas.New(style, w, h)
	m, named := MarginsFor(w, h), 0
	dim := canvas.Ink{FG: style.Dim()}
	if h >= nameRows && m.Bottom == 2 && p.XName != "" {
		named = 1
	}
	plotH := h - m.Top - m.Bottom - named
	var labels map[int]string
	labels, m.Left = YLabels(&p.Y, w, plotH)
	plot := canvas.New(style, w-m.Left, plotH)
	if plot.W > 0 && plot.H > 0 {
		draw(plot)
	}
	cv.Blit(m.Left, m.Top, plot)
	DrawYAxis(cv, labels, m.Left, m.Top, plotH)
	ticks := p.XTicks
	switch {
	case ticks != nil:
	case p.XDates.Known():
		ticks = DateTicks(p.X.Lo, p.X.Hi, p.XDates.Unit, plot.W)
	default:
		ticks = p.X.Ticks(max(1, plot.W/10))
	}
	DrawXAxis(cv, "", ticks, func(at float64) int { return columnAt(at, &p.X, plot.W) },
		m.Left, m.Top+plotH, m.Bottom)
	if named > 0 {
		name := DrawnName(p.XName, p.XDates)
		if canvas.Width(name) > plot.W && p.XShort != "" {
			name = p.XShort
		}
		name = canvas.Truncate(name, plot.W)
		cv.Text(m.Left+(plot.W-canvas.Width(name))/2, h-1, name, dim)
	}
	if m.Top > 0 {
		parts := legend(style)
		if p.YName != "" {
			// The name is shown in full or left out, and only after the other entries were
			// shortened once.
			name := canvas.Note(1, dim, p.YName, p.YName, "")
			parts = append([]canvas.Part{name}, parts...)
		}
		canvas.DrawLegend(cv, 0, 0, w, parts)
	}
	return cv
}

// DrawnName returns the name of an axis in a picture, which is the name of its dates if ticks are
// dates.
func DrawnName(name string, d Dates) string {
	if d.Known() {
		return d.Name
	}
	return name
}

// columnAt returns the column of a transformed value in a plot of w columns.
func columnAt(at float64, s *Scale, w int) int {
	return int(canvas.Fraction(at, s.Lo, s.Hi)*float64(w-1) + 0.5)
}

// Col and Row return the cell of a value in a plot. Rows are counted from the top.
func (p *Plane) Col(x float64, cv *canvas.Canvas) int { return columnAt(p.X.Forward(x), &p.X, cv.W) }

func (p *Plane) Row(y float64, cv *canvas.Canvas) int { return cv.H - 1 - p.Y.RowOf(y, cv.H) }

// Shade shades column x of a plot between two values; see canvas.Shade.
func (p *Plane) Shade(cv *canvas.Canvas, x int, lo, hi float64, color canvas.Color, glyph rune) {
	cv.Shade(x, p.Y.EdgeOf(lo, cv.H, cv.Style), p.Y.EdgeOf(hi, cv.H, cv.Style), color, glyph)
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
	if n := strconv.Itoa(notPositive); notPositive > 0 {
		parts = append(parts, canvas.Note(3, canvas.Ink{FG: style.Warn(), Bold: true},
			n+" not positive", n+" ≤ 0"))
	}
	if n := canvas.Number(float64(notFinite)); notFinite > 0 {
		parts = append(parts, canvas.Note(3, canvas.Ink{FG: style.Bad(), Bold: true},
			"× "+n+" not finite", "×"+n))
	}
	return parts
}
