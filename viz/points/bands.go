package points

import (
	"sort"
	"strings"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// Band is a function with how sure it is: its mean and its standard deviation at
// every x of the chart.
type Band struct {
	Label string
	// Run picks colour and marker; see Style.RunColor.
	Run      int
	Mean, SD []float64
}

// Bands draws functions of one variable as lines, each with a band on both sides.
type Bands struct {
	X            []float64
	Bands        []Band
	XName, YName string
	// Dots are points beside the functions, and Marks places on the axis of x, drawn along
	// the lower edge; the names say what they are.
	Dots                []axes.XY
	Marks               []float64
	DotsName, MarksName string
}

// BandWidth is the half width of a band in standard deviations: about 95 % of a
// Gaussian lie within it.
const BandWidth = 2

// BandPoint is a point of a function. Lo and Hi are the ends of the band; both are
// Mean where there is none.
type BandPoint struct{ X, Mean, Lo, Hi float64 }

// Points returns the points of a band that can be drawn, with rising x; those that
// are not finite, or do not rise, are left out.
func (b Bands) Points(i int) []BandPoint {
	band := b.Bands[i]
	var out []BandPoint
	for k := range min(len(b.X), len(band.Mean)) {
		p := BandPoint{b.X[k], band.Mean[k], band.Mean[k], band.Mean[k]}
		if !number.Finite(p.X) || !number.Finite(p.Mean) || len(out) > 0 && p.X <= out[len(out)-1].X {
			continue
		}
		if k < len(band.SD) && band.SD[k] >= 0 {
			if lo, hi := p.Mean-BandWidth*band.SD[k],
				p.Mean+BandWidth*band.SD[k]; number.Finite(lo) && number.Finite(hi) {
				p.Lo, p.Hi = lo, hi
			}
		}
		out = append(out, p)
	}
	return out
}

// Ranges returns the ranges of x and of the values with their bands and dots; ok is false
// without a point of a function to draw. What lies beside that range of x is not drawn.
func (b Bands) Ranges() (x, y axes.Extent, ok bool) {
	x = axes.NewExtent()
	y = axes.NewExtent()
	for i := range b.Bands {
		for _, p := range b.Points(i) {
			x.Add(p.X)
			y.Add(p.Lo)
			y.Add(p.Hi)
		}
	}
	for _, p := range b.Dots {
		if x.N > 0 && b.inside(p.X, x) && number.Finite(p.Y) {
			y.Add(p.Y)
		}
	}
	return x, y, x.N > 0
}

// inside reports whether a place is in the range of the functions.
func (b Bands) inside(at float64, x axes.Extent) bool { return at >= x.Lo && at <= x.Hi }

// Around returns the dots and the marks that lie in the range of the functions.
func (b Bands) Around() (dots []axes.XY, marks []float64) {
	x, _, _ := b.Ranges()
	for _, p := range b.Dots {
		if b.inside(p.X, x) && number.Finite(p.Y) {
			dots = append(dots, p)
		}
	}
	for _, v := range b.Marks {
		if b.inside(v, x) {
			marks = append(marks, v)
		}
	}
	return dots, marks
}

// bandsLayout is a Bands, measured.
type bandsLayout struct {
	Bands
	axes.Plane
	points  [][]BandPoint
	leftOut int
}

// Render draws the chart as w x h cells.
func (b Bands) Render(style canvas.Style, w, h int) []string {
	x, y, ok := b.Ranges()
	if !ok {
		return canvas.Empty(style, w, h, "no function yet")
	}
	l := &bandsLayout{Bands: b}
	l.Plane = axes.Plane{
		X:     axes.Fit(axes.Linear, x, false),
		Y:     axes.Fit(axes.Linear, y, false),
		XName: b.XName,
		YName: b.YName,
	}
	l.Y.Pad(0.04)
	for i, band := range b.Bands {
		l.points = append(l.points, b.Points(i))
		l.leftOut += len(band.Mean) - len(l.points[i])
	}
	return l.Chart(style, w, h, l.draw, l.legend)
}

// draw draws the bands, then the lines over them.
func (l *bandsLayout) draw(cv *canvas.Canvas) {
	for i, band := range l.Bands.Bands {
		look := bandColor(cv.Style, band.Run)
		for x := range cv.W {
			p, ok := l.at(i, x, cv.W)
			if !ok || p.Lo == p.Hi {
				continue
			}
			l.Shade(cv, x, p.Lo, p.Hi, look, '░')
		}
	}
	for i, band := range l.Bands.Bands {
		rows := func(w, h int) []int { return l.rows(i, w, h) }
		canvas.DrawLine(cv, canvas.Ink{FG: cv.Style.RunColor(band.Run), Bold: true}, rows)
		if len(l.points) > 1 {
			canvas.DrawMarkers(cv, rows(cv.W, cv.H), band.Run, i, len(l.points))
		}
	}
	l.drawAround(cv)
}

// drawAround draws the dots and the marks.
func (l *bandsLayout) drawAround(cv *canvas.Canvas) {
	dots, marks := l.Around()
	for _, p := range dots {
		cv.Put(l.Col(p.X, cv), l.Row(p.Y, cv), dotGlyph, canvas.Ink{Bold: true})
	}
	for _, v := range marks {
		cv.Put(l.Col(v, cv), cv.H-1, markGlyph, canvas.Ink{FG: cv.Style.Dim()})
	}
}

// dotGlyph and markGlyph are those of dots and marks.
const dotGlyph, markGlyph = '∙', '+'

// bandColor is the colour of the band of a run.
func bandColor(style canvas.Style, run int) canvas.Color { return style.Tint(style.RunColor(run), 0.6) }

// rows returns the rows of function i in a plot of w x h places, -1 beside it.
func (l *bandsLayout) rows(i, w, h int) []int {
	rows := make([]int, w)
	for x := range rows {
		rows[x] = -1
		if p, ok := l.at(i, x, w); ok {
			rows[x] = l.Y.RowOf(p.Mean, h)
		}
	}
	return rows
}

// at returns band i in column x of w, on straight lines between its points; ok is
// false beside them.
func (l *bandsLayout) at(i, x, w int) (p BandPoint, ok bool) {
	points := l.points[i]
	if len(points) == 0 || x < l.Plane.X.RowOf(points[0].X, w) ||
		x > l.Plane.X.RowOf(points[len(points)-1].X, w) {
		return p, false
	}
	t := number.Unit(float64(x), 0, float64(max(w-1, 1)))
	v := l.Plane.X.Lo*(1-t) + l.Plane.X.Hi*t
	after := sort.Search(len(points), func(k int) bool { return points[k].X >= v })
	if after == 0 || after == len(points) {
		return points[min(after, len(points)-1)], true
	}
	a, b := points[after-1], points[after]
	t = number.Unit(v, a.X, b.X)
	mix := func(a, b float64) float64 { return a*(1-t) + b*t }
	return BandPoint{v, mix(a.Mean, b.Mean), mix(a.Lo, b.Lo), mix(a.Hi, b.Hi)}, true
}

// legend names the functions and says what their bands are.
func (l *bandsLayout) legend(style canvas.Style) []canvas.Part {
	var parts []canvas.Part
	for _, b := range l.Bands.Bands {
		parts = append(parts, canvas.Label(style, b.Run, b.Label, 6))
	}
	first := bandColor(style, l.Bands.Bands[0].Run)
	parts = append(parts, canvas.Band(style, 2, first, '░', "2 sd on both sides", "2 sd", ""))
	for _, e := range []struct {
		glyph rune
		name  string
	}{{dotGlyph, l.DotsName}, {markGlyph, l.MarksName}} {
		short, _, _ := strings.Cut(e.name, " ")
		if e.name != "" {
			parts = append(parts, canvas.Note(1, canvas.Ink{FG: style.Dim()}, string(e.glyph)+" "+e.name,
				string(e.glyph)+" "+short, ""))
		}
	}
	return append(parts, axes.LeftOut(style, 0, l.leftOut)...)
}
