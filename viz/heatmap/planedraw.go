package heatmap

import (
	"fmt"
	"math"
	"unicode"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// planeShades are the characters of a map without colours, from low to high.
var planeShades = [...]rune{' ', '·', '░', '▒', '▓', '█'}

// planeContent is a PlaneMap between its axes, as a mark of a chart.
type planeContent struct {
	PlaneMap
	lo, hi    float64
	notFinite int
	drawn     int  // the number of points in a text picture
	contour   bool // whether a text picture shows the contour
}

// valueAt returns the value at column x and row y of a plot of w x h cells, counted from the top.
// Both may lie between cells.
func (l *planeContent) valueAt(x, y float64, w, h int) float64 {
	xs, ys := l.scales()
	across := mix(xs.Lo, xs.Hi, canvas.Fraction(x, 0, float64(max(w-1, 1))))
	up := mix(ys.Lo, ys.Hi, canvas.Fraction(float64(h-1)-y, 0, float64(max(h-1, 1))))
	return l.at(across, up)
}

// unit returns the position of a value in the colour range, or NaN if the value is not finite.
func (l *planeContent) unit(v float64) float64 {
	if !canvas.Finite(v) {
		return math.NaN()
	}
	if l.lo == l.hi {
		return 0.5
	}
	return canvas.Fraction(v, l.lo, l.hi)
}

// Text draws the colours, then the contour, then the points and the marks.
func (l *planeContent) Text(cv *canvas.Canvas, p *chart.Plane) {
	signs := append(l.pointSigns(cv.W*cv.H/cellsPerPoint), l.markSigns(cv.W*cv.H/cellsPerMark)...)
	bitmap := l.drawImage(cv, signs)
	if !bitmap {
		for y := range cv.H {
			for x := range cv.W {
				l.drawCell(cv, x, y)
			}
		}
		l.drawContour(cv)
	}
	for _, s := range signs {
		if !bitmap || !s.hasShape() {
			x := p.Col(s.X, cv)
			y := p.Row(s.Y, cv)
			cv.Put(x, y, s.glyph, l.over(cv.Style, x, y, cv.W, cv.H))
		}
	}
}

// sign is a point or a mark on the map.
type sign struct {
	chart.XY
	glyph rune
}

// markGlyph is the glyph of marks. cellsPerMark is the minimum number of cells per mark.
const (
	markGlyph    = '◆'
	cellsPerMark = 24
)

// markSigns returns the signs of the first n marks. It leaves out marks outside of the map.
func (l *planeContent) markSigns(n int) (signs []sign) {
	xs, ys := l.scales()
	for k := range min(len(l.Marks.X), len(l.Marks.Y), n) {
		if inside(l.Marks.X[k], xs) && inside(l.Marks.Y[k], ys) {
			signs = append(signs, sign{chart.XY{X: l.Marks.X[k], Y: l.Marks.Y[k]}, markGlyph})
		}
	}
	return signs
}

// marksPart returns the legend entry of marks.
func (l *planeContent) marksPart(style canvas.Style) (parts []canvas.Part) {
	if len(l.Marks.X) > 0 {
		g := string(markGlyph)
		parts = append(parts, canvas.Note(1, canvas.Ink{FG: style.Dim()}, g+" "+l.Marks.Label, ""))
	}
	return parts
}

// drawCell draws the values of a cell.
func (l *planeContent) drawCell(cv *canvas.Canvas, x, y int) {
	if !cv.Style.Shades() {
		r, ink := l.shade(cv.Style, l.valueAt(float64(x), float64(y), cv.W, cv.H))
		cv.Put(x, y, r, ink)
		return
	}
	upper := l.color(cv.Style, l.valueAt(float64(x), float64(y)-0.25, cv.W, cv.H))
	lower := l.color(cv.Style, l.valueAt(float64(x), float64(y)+0.25, cv.W, cv.H))
	cv.Put(x, y, '▀', canvas.Ink{FG: upper, BG: lower})
}

// color returns the colour of a value.
func (l *planeContent) color(style canvas.Style, v float64) canvas.Color {
	if l.Classes != nil && canvas.Finite(v) {
		return style.RunColor(int(v))
	}
	if t := l.unit(v); !math.IsNaN(t) {
		return style.Heat(t)
	}
	return style.Bad()
}

// shade returns the character of a value.
func (l *planeContent) shade(style canvas.Style, v float64) (rune, canvas.Ink) {
	t := l.unit(v)
	if math.IsNaN(t) {
		return '?', canvas.Ink{FG: style.Bad()}
	}
	if l.Classes != nil {
		return unicode.ToLower(letter(int(v))), canvas.Ink{FG: style.RunColor(int(v))}
	}
	ink := canvas.Ink{FG: style.Dim()}
	if style.Mode != canvas.NoColor {
		ink.FG = style.Heat(t)
	}
	return planeShades[min(int(t*float64(len(planeShades))), len(planeShades)-1)], ink
}

// over returns the look of a glyph over a cell that is visible on its colour.
func (l *planeContent) over(style canvas.Style, x, y int, w, h int) canvas.Ink {
	if !style.Shades() {
		return canvas.Ink{Bold: true}
	}
	below := l.color(style, l.valueAt(float64(x), float64(y), w, h))
	return canvas.Ink{FG: below.Opposite(), BG: below, Bold: true}
}

// strokes maps the corners of a cell above the level to a glyph: 1 top left, 2 top right, 4 bottom
// left, 8 bottom right. A corner and its complement have the same glyph.
var strokes = [16]rune{
	0, '╱', '╲', '─', '╲', '│', '╱', '╱',
	'╱', '╲', '│', '╲', '─', '╲', '╱', 0,
}

// contourWidth is the minimum width of a plot of colours with a contour. In a narrower plot the
// contour would hide the colours.
const contourWidth = 40

// drawContour draws a stroke in every cell that the level passes.
func (l *planeContent) drawContour(cv *canvas.Canvas) {
	l.contour = !math.IsNaN(l.Level) && (!cv.Style.Shades() || cv.W >= contourWidth)
	if !l.contour {
		return
	}
	for y := range cv.H {
		for x := range cv.W {
			corners := 0
			for bit, at := range [4][2]float64{{-0.5, -0.5}, {0.5, -0.5}, {-0.5, 0.5}, {0.5, 0.5}} {
				if l.valueAt(float64(x)+at[0], float64(y)+at[1], cv.W, cv.H) >= l.Level {
					corners |= 1 << bit
				}
			}
			if r := strokes[corners]; r != 0 {
				cv.Put(x, y, r, l.over(cv.Style, x, y, cv.W, cv.H))
			}
		}
	}
}

// pointGlyphs are the glyphs of groups in turn. A single group has the last.
var pointGlyphs = [...]rune{'+', '×', '∙'}

// glyph returns the glyph of group i.
func (l *planeContent) glyph(i int) rune {
	n := len(l.Points)
	switch {
	case n == 1:
		return pointGlyphs[2]
	case n > 2 || l.Classes != nil:
		return letter(i)
	}
	return pointGlyphs[i%2]
}

// letter returns the letter of a class: A, B, ..., then A again.
func letter(class int) rune { return 'A' + rune(max(class, 0)%26) }

// cellsPerPoint is the minimum number of cells per point, which keeps the map visible.
const cellsPerPoint = 12

// pointSigns returns at most n points on the map, from all groups in turn.
func (l *planeContent) pointSigns(n int) (signs []sign) {
	longest := 0
	for _, group := range l.Points {
		longest = max(longest, min(len(group.X), len(group.Y)))
	}
	xs, ys := l.scales()
	for k := range longest {
		for i, group := range l.Points {
			if len(signs) == n || k >= min(len(group.X), len(group.Y)) {
				continue
			}
			if inside(group.X[k], xs) && inside(group.Y[k], ys) {
				signs = append(signs, sign{chart.XY{X: group.X[k], Y: group.Y[k]}, l.glyph(i)})
			}
		}
	}
	l.drawn = len(signs)
	return signs
}

func inside(v float64, axis chart.Scale) bool { return v >= axis.Lo && v <= axis.Hi }

// legend explains colours, contour and points.
func (l *planeContent) legend(style canvas.Style) []canvas.Part {
	dim := canvas.Ink{FG: style.Dim()}
	parts := []canvas.Part{canvas.Note(3, canvas.Ink{Bold: true}, l.Name, canvas.Truncate(l.Name, 16))}
	if l.Classes != nil {
		return append(parts, l.names(style)...)
	}
	parts = []canvas.Part{{Variants: [][]canvas.Span{
		append([]canvas.Span{canvas.Text(l.Name+" ", canvas.Ink{Bold: true})}, l.bar(style, 8)...),
		append([]canvas.Span{canvas.Text(canvas.Truncate(l.Name, 16)+" ", canvas.Ink{Bold: true})},
			l.bar(style, 4)...),
		l.bar(style, 3),
	}, Keep: 3}}
	if l.contour {
		text := canvas.Number(l.Level)
		parts = append(parts, canvas.Note(2, dim, "─ "+text+" contour", "─ "+text, ""))
	}
	for i, p := range l.Points {
		g := string(l.glyph(i))
		if len(l.Points) == 1 {
			parts = append(parts, canvas.Note(1, dim, g+" "+l.shown("training points"),
				g+" training points", g+" training", ""))
			continue
		}
		parts = append(parts, canvas.Note(1, dim, g+" "+p.Label, g+" "+canvas.Truncate(p.Label, 8), ""))
	}
	if len(l.Points) > 1 && l.drawn > 0 && l.drawn < l.Of {
		parts = append(parts, canvas.Note(0, dim, l.shown("points"), ""))
	}
	parts = append(parts, l.marksPart(style)...)
	return append(parts, chart.LeftOut(style, 0, l.notFinite)...)
}

// shown counts the points and the points that are drawn.
func (l *planeContent) shown(points string) string {
	if l.drawn == 0 || l.drawn >= l.Of {
		return points
	}
	return fmt.Sprintf("%d of %d %s", l.drawn, l.Of, points)
}

// names lists the letter and the colour of each class.
func (l *planeContent) names(style canvas.Style) (parts []canvas.Part) {
	for k, name := range l.Classes {
		ink := canvas.Ink{FG: style.RunColor(k), Bold: true}
		parts = append(parts, canvas.Note(2, ink, string(letter(k))+" "+name,
			string(letter(k))+" "+canvas.Truncate(name, 8), string(letter(k))))
	}
	parts = append(parts, l.marksPart(style)...)
	return append(parts, chart.LeftOut(style, 0, l.notFinite)...)
}

// bar returns the colour range as a bar of n cells.
func (l *planeContent) bar(style canvas.Style, n int) []canvas.Span {
	dim := canvas.Ink{FG: style.Dim()}
	spans := []canvas.Span{canvas.Text(canvas.Digits(l.lo, 3)+" ", dim)}
	for i := range n {
		t := (float64(i) + 0.5) / float64(n)
		if style.Shades() {
			spans = append(spans, canvas.Text("█", canvas.Ink{FG: style.Heat(t)}))
			continue
		}
		spans = append(spans, canvas.Text(string(planeShades[int(t*float64(len(planeShades)))]), dim))
	}
	return append(spans, canvas.Text(" "+canvas.Digits(l.hi, 3), dim))
}
