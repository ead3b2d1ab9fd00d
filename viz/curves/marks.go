package curves

import (
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// at returns the position of a finite value.
func (ch *layout) at(x, value float64) chart.XY { return chart.XY{X: x, Y: ch.scale.Forward(value)} }

// drawMessage writes the reason why nothing is drawn.
func (ch *layout) drawMessage(plot *canvas.Canvas, _ *chart.Plane) {
	switch {
	case ch.notFinite() > 0:
		plot.Message("no finite value yet")
	case ch.zoomed() && len(ch.traces)+len(ch.bands) > 0:
		plot.Message("no point from " + ch.X.Text(ch.lo) + " to " + ch.X.Text(ch.hi))
	default:
		plot.Message("no data yet")
	}
}

// drawNotFinite marks columns with values that are not finite: ↑ on the upper edge for Inf, ↓ and ×
// on the lower edge for -Inf and NaN.
func (ch *layout) drawNotFinite(plot *canvas.Canvas, _ *chart.Plane) {
	look := canvas.Ink{FG: plot.Style.Bad(), Bold: true}
	for _, t := range ch.traces {
		for i, c := range t.raw {
			x := i * plot.W / len(t.raw)
			if c.above {
				plot.Put(x, 0, '↑', look)
			}
			if c.below {
				plot.Put(x, plot.H-1, '↓', look)
			}
			if c.nan {
				plot.Put(x, plot.H-1, '×', look)
			}
		}
	}
}

// drawCursor draws the vertical line of the cursor in blank cells.
func (ch *layout) drawCursor(plot *canvas.Canvas, p *chart.Plane) {
	if !ch.reads() {
		return
	}
	x, _ := p.Cell(chart.XY{X: *ch.Cursor}, plot)
	for y := range plot.H {
		if plot.Free(x, y, 1) {
			plot.Put(x, y, '╎', canvas.Ink{FG: plot.Style.Dim()})
		}
	}
}

// drawReadings puts the marker of each series on its point at the cursor.
func (ch *layout) drawReadings(plot *canvas.Canvas, p *chart.Plane) {
	if !ch.reads() {
		return
	}
	draw := func(run int, r reading) {
		if r.ok && canvas.Finite(r.value) {
			x, y := p.Cell(ch.at(r.x, r.value), plot)
			plot.Put(x, y, canvas.Marker(run), canvas.Ink{FG: plot.Style.RunColor(run), Bold: true})
		}
	}
	for i := range ch.traces {
		draw(ch.traces[i].run, ch.reading(&ch.traces[i]))
	}
	for i := range ch.bands {
		draw(ch.bands[i].run, ch.readBand(&ch.bands[i]))
	}
}

// bestMark is a star with the number of the best value.
type bestMark struct {
	at    chart.XY
	value float64
}

// Text draws the star, with the number next to it if there is room.
func (m bestMark) Text(plot *canvas.Canvas, p *chart.Plane) {
	x, y := p.Cell(m.at, plot)
	look := canvas.Ink{FG: plot.Style.Good(), Bold: true}
	plot.Put(x, y, '★', look)
	label := canvas.Number(m.value)
	n := canvas.Width(label)
	for _, at := range [...][2]int{{x + 2, y}, {x - n - 1, y}, {x - n/2, y - 1}, {x - n + 1, y - 1},
		{x, y - 1}, {x - n/2, y + 1}, {x - n + 1, y + 1}, {x, y + 1}} {
		if plot.Free(at[0]-1, at[1], n+2) || (at[0]+n == plot.W && plot.Free(at[0]-1, at[1], n+1)) {
			plot.Text(at[0], at[1], label, canvas.Ink{FG: plot.Style.Good()})
			return
		}
	}
}

// Figure adds the star and the number.
func (m bestMark) Figure(to *figure.Plot, p *chart.Plane) {
	star := draw.GlyphStyle{Color: figure.Ink, Radius: 1.5 * vg.Millimeter, Shape: starGlyph{}}
	chart.AddPoints(to, []chart.XY{m.at}, star)
	s := figure.TextStyle(figure.TickSize, figure.Ink)
	s.XAlign, s.YAlign = draw.XCenter, draw.YTop
	if m.at.X > p.X.Lo+0.85*(p.X.Hi-p.X.Lo) {
		s.XAlign = draw.XRight
	}
	to.Add(&plotter.Labels{
		XYs:       chart.XYs([]chart.XY{m.at}),
		Labels:    []string{"best " + canvas.Number(m.value)},
		TextStyle: []text.Style{s},
		Offset:    vg.Point{Y: -2 * vg.Millimeter},
	})
}

// starGlyph is a star of five points.
type starGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (starGlyph) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	var path vg.Path
	for i := range 10 {
		r := float64(s.Radius)
		if i%2 == 1 {
			r *= 0.4
		}
		sin, cos := math.Sincos(math.Pi/2 + float64(i)*math.Pi/5)
		pt := vg.Point{X: at.X + vg.Length(r*cos), Y: at.Y + vg.Length(r*sin)}
		if i == 0 {
			path.Move(pt)
		} else {
			path.Line(pt)
		}
	}
	path.Close()
	c.SetColor(s.Color)
	c.Fill(path)
}
