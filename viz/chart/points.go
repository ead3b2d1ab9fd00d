package chart

import (
	"cmp"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
	"dgplab/viz/figure"
)

// Points are single points.
type Points struct {
	// Name is the legend entry in a figure; the points have none if it is empty.
	Name  string
	XY    []XY
	Glyph rune
	Color Color
	Bold  bool
	// Dotted makes every point of a text picture a dot if the style has dots. Other dots of its cell
	// are left out.
	Dotted bool
	// Radius is in millimetres. Shape is a circle if it is nil.
	Radius float64
	Shape  draw.GlyphDrawer
	Side   Side
}

// Text puts a glyph or a dot at every point.
func (m Points) Text(plot *canvas.Canvas, p *Plane) {
	if m.Dotted && plot.Style.Dots() {
		m.drawDots(plot, p)
		return
	}
	for _, at := range m.XY {
		if _, ok := positionIn(p, at); ok {
			plot.Put(m.Side.Column(at.X, plot, p), p.Row(at.Y, plot), m.Glyph, m.Color.ink(plot, m.Bold))
		}
	}
}

// drawDots puts a dot at every point.
func (m Points) drawDots(plot *canvas.Canvas, p *Plane) {
	dots := canvas.NewDots(plot.W, plot.H)
	w, h := plot.Places()
	for _, at := range m.XY {
		if _, ok := positionIn(p, at); ok {
			dots.Set(p.X.position(at.X, w), p.Y.position(at.Y, h))
			column, row := p.Cell(at, plot)
			plot.Put(column, row, ' ', canvas.Ink{})
		}
	}
	dots.DrawOn(plot, m.Color.ink(plot, m.Bold))
}

// Figure adds the points.
func (m Points) Figure(to *figure.Plot, p *Plane) {
	look := draw.GlyphStyle{
		Color:  m.Color.figure(),
		Radius: vg.Length(m.Radius) * vg.Millimeter,
		Shape:  m.Shape,
	}
	if m.Shape == nil {
		look.Shape = draw.CircleGlyph{}
	}
	entry := AddPoints(to, placeAll(p, m.XY, m.Side), look)
	if m.Name != "" && len(entry.XYs) > 0 {
		to.AddEntry(m.Name, entry)
	}
}

func (c Color) ink(plot *canvas.Canvas, bold bool) canvas.Ink {
	return canvas.Ink{FG: c.Text(plot.Style), Bold: bold}
}

// RugGlyph is the glyph of a Rug in a text picture.
const RugGlyph = '+'

// Rug marks positions on the axis of x along the lower edge, below all points.
type Rug struct {
	// Name is the legend entry in a figure.
	Name string
	X    []float64
	// Color and Bold are the look in a text picture.
	Color Color
	Bold  bool
}

// Text puts a glyph at every position within the axis.
func (r Rug) Text(plot *canvas.Canvas, p *Plane) {
	for _, x := range r.X {
		if at := p.X.Forward(x); at >= p.X.Lo && at <= p.X.Hi {
			plot.Put(p.Col(x, plot), plot.H-1, RugGlyph, r.Color.ink(plot, r.Bold))
		}
	}
}

// Figure adds a mark at every position within the axis.
func (r Rug) Figure(to *figure.Plot, p *Plane) {
	var list []XY
	for _, x := range r.X {
		if at := p.X.Forward(x); at >= p.X.Lo && at <= p.X.Hi {
			list = append(list, XY{X: at, Y: p.Y.Lo})
		}
	}
	if len(list) > 0 {
		look := draw.GlyphStyle{Color: figure.Soft, Radius: vg.Millimeter, Shape: draw.PlusGlyph{}}
		to.AddEntry(r.Name, AddPoints(to, list, look))
	}
}

// Level is a horizontal line over the whole width.
type Level struct {
	Y     float64
	Glyph rune
	Color Color
	Bold  bool
	Width float64
}

// Text draws the line of glyphs.
func (l Level) Text(plot *canvas.Canvas, p *Plane) {
	for x := range plot.W {
		plot.Put(x, p.Row(l.Y, plot), l.Glyph, l.Color.ink(plot, l.Bold))
	}
}

// Figure adds the line.
func (l Level) Figure(to *figure.Plot, p *Plane) {
	y := p.Y.Forward(l.Y)
	ends := plotter.XYs{{X: p.X.Lo, Y: y}, {X: p.X.Hi, Y: y}}
	to.Add(&plotter.Line{XYs: ends, LineStyle: l.Color.stroke(l.Width)})
}

// Diagonal is the line y = x, in figures from From to To.
type Diagonal struct {
	// Name is the legend entry in a figure; the line has none if it is empty.
	Name     string
	From, To float64
	Bold     bool
}

// diagonalPoints is the number of points of a diagonal that is curved by the scales.
const diagonalPoints = 121

// Text draws one cell in every column that the line passes, or dots.
func (d Diagonal) Text(plot *canvas.Canvas, p *Plane) {
	look := canvas.Ink{FG: plot.Style.Dim(), Bold: d.Bold}
	w, h := plot.Places()
	rows := make([]int, w)
	for x := range rows {
		rows[x] = -1
		v := valueOf(&p.X, x, w)
		if p.X.Kind == Log {
			v = p.X.inverse(v)
		}
		q, ok := positionIn(p, XY{X: v, Y: v})
		if ok && q.Y >= p.Y.Lo && q.Y <= p.Y.Hi {
			rows[x] = p.Y.positionOf(q.Y, h)
		}
	}
	if plot.Style.Dots() {
		canvas.DrawLine(plot, look, rows, nil)
		return
	}
	for x, row := range rows {
		if row >= 0 {
			plot.Put(x, plot.H-1-row, '╱', look)
		}
	}
}

// Figure adds the line.
func (d Diagonal) Figure(to *figure.Plot, p *Plane) {
	if !(d.From < d.To) {
		return
	}
	n := 2
	if p.X.Kind != p.Y.Kind {
		n = diagonalPoints
	}
	var list []XY
	for k := range n {
		t := float64(k) / float64(n-1)
		v := d.From*(1-t) + d.To*t
		list = append(list, XY{X: v, Y: v})
	}
	Line{Name: d.Name, XY: list, Color: Soft, Width: 1. / 3}.Figure(to, p)
}

// Whisker is an upright line at X. Mid is the height of its middle, which only whiskers with caps
// need.
type Whisker struct{ X, Lo, Mid, Hi float64 }

// Rows returns the first and the last row of a whisker with caps in a text picture. It is symmetric
// around its middle and has both caps or none.
func (s Whisker) Rows(plot *canvas.Canvas, p *Plane) (top, bottom int) {
	mid := p.Row(s.Mid, plot)
	reach := (p.Row(s.Lo, plot) - p.Row(s.Hi, plot)) / 2
	return max(mid-reach, 0), min(mid+reach, plot.H-1)
}

// Whiskers are upright lines.
type Whiskers struct {
	// Name is the legend entry in a figure; the lines have none if it is empty.
	Name  string
	List  []Whisker
	Color Color
	Bold  bool
	// Glyph is the glyph in a text picture without dots. 0 means │.
	Glyph rune
	// Caps ends the lines in a text picture with strokes. Without dots, lines of one cell are then
	// left out.
	Caps bool
	// Width is in millimetres.
	Width float64
	Side  Side
}

// Text draws the lines with dots if the style has them, else with cells.
func (m Whiskers) Text(plot *canvas.Canvas, p *Plane) {
	look := m.Color.ink(plot, m.Bold)
	glyph := cmp.Or(m.Glyph, '│')
	if m.Caps && plot.Style.Dots() {
		m.drawCapped(plot, p)
		return
	}
	if m.Caps {
		for _, s := range m.List {
			x := m.Side.Column(s.X, plot, p)
			top, bottom := s.Rows(plot, p)
			for y := top; y <= bottom && top < bottom; y++ {
				plot.Put(x, y, glyph, look)
			}
			if top < bottom {
				plot.Put(x, top, '┬', look)
				plot.Put(x, bottom, '┴', look)
			}
		}
		return
	}
	if !plot.Style.Dots() {
		for _, s := range m.List {
			for y := p.Row(s.Hi, plot); y <= p.Row(s.Lo, plot); y++ {
				plot.Put(p.Col(s.X, plot), y, glyph, look)
			}
		}
		return
	}
	dots := canvas.NewDots(plot.W, plot.H)
	for _, s := range m.List {
		column := p.X.position(s.X, 2*plot.W)
		for row := p.Y.position(s.Lo, 4*plot.H); row <= p.Y.position(s.Hi, 4*plot.H); row++ {
			dots.Set(column, row)
		}
	}
	dots.DrawOn(plot, look)
}

// drawCapped draws the lines with dots. Their caps are wider than a cell, so that a mark in the middle
// does not hide a short line.
func (m Whiskers) drawCapped(plot *canvas.Canvas, p *Plane) {
	dots := canvas.NewDots(plot.W, plot.H)
	_, h := plot.Places()
	for _, s := range m.List {
		left := 2 * m.Side.Column(s.X, plot, p)
		bottom := p.Y.position(s.Lo, h)
		top := p.Y.position(s.Hi, h)
		for row := bottom; row <= top; row++ {
			dots.Set(left, row)
		}
		for x := left - 1; x <= left+2; x++ {
			dots.Set(x, bottom)
			dots.Set(x, top)
		}
	}
	dots.DrawOn(plot, m.Color.ink(plot, m.Bold))
}

// Figure adds the lines.
func (m Whiskers) Figure(to *figure.Plot, p *Plane) {
	look := m.Color.stroke(m.Width)
	for _, s := range m.List {
		ends := placeAll(p, []XY{{X: s.X, Y: s.Lo}, {X: s.X, Y: s.Hi}}, m.Side)
		to.Add(&plotter.Line{XYs: XYs(ends), LineStyle: look})
	}
	if m.Name != "" {
		to.AddEntry(m.Name, &plotter.Line{LineStyle: look})
	}
}

// OnText restricts a mark to the text.
type OnText func(plot *canvas.Canvas, p *Plane)

// Text calls the function.
func (f OnText) Text(plot *canvas.Canvas, p *Plane) { f(plot, p) }

// Figure adds nothing.
func (f OnText) Figure(*figure.Plot, *Plane) {}

// OnPage restricts a mark to the figure.
type OnPage struct{ Mark }

// Text draws nothing.
func (OnPage) Text(*canvas.Canvas, *Plane) {}
