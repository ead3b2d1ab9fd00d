// Package fits draws what models predict beside what was observed: functions with their
// ranges among points, and predictions against observations. Several runs stand beside each
// other on one scale.
package fits

import (
	"slices"
	"sort"
	"strings"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// Fit is a function with the ranges that values lie in, beside points.
type Fit struct {
	// Label names the run, and Note says more about it where there is room; Run picks colour
	// and marker, see Style.RunColor.
	Label, Note string
	Run         int
	// X rises; Mean and the ranges, the widest first, have a value for each.
	X, Mean  []float64
	MeanName string
	Ranges   []Range
	// Draws are functions drawn of the distribution, and DrawsName says so.
	Draws     [][]float64
	DrawsName string
	// Clouds are points beside the function, Marks places on the axis of x, drawn along the
	// lower edge.
	Clouds    []Cloud
	Marks     []float64
	MarksName string
}

// Range is what values lie in with some probability.
type Range struct {
	Name   string
	Lo, Hi []float64
}

// Cloud is points of one kind, which Short names in a word.
type Cloud struct {
	Name, Short string
	X, Y        []float64
}

// Fits are fits of runs along the same input.
type Fits struct {
	List         []Fit
	XName, YName string
	// XDates are known where x is time.
	XDates axes.Dates
}

// problem says why a fit cannot be drawn, or "".
func (f Fit) problem() string {
	if len(f.X) == 0 || len(f.Mean) == 0 {
		return "no predictions yet"
	}
	if len(f.X) < 2 || !sort.Float64sAreSorted(f.X) || !number.Finite(f.X[0]) ||
		!number.Finite(f.X[len(f.X)-1]) || !number.Finite(f.X[len(f.X)-1]-f.X[0]) {
		return "the predictions do not fit their grid"
	}
	return ""
}

// Extents returns the ranges of x and of all that is drawn over it, of all fits together; ok
// is false without a finite value.
func (f Fits) Extents() (x, y axes.Extent, ok bool) {
	x = axes.NewExtent()
	y = axes.NewExtent()
	for _, one := range f.List {
		if one.problem() != "" {
			continue
		}
		x.Add(one.X[0])
		x.Add(one.X[len(one.X)-1])
	}
	for _, one := range f.List {
		if one.problem() != "" {
			continue
		}
		lists := slices.Concat([][]float64{one.Mean}, one.Draws)
		for _, r := range one.Ranges {
			lists = append(lists, r.Lo, r.Hi)
		}
		for _, list := range lists {
			addFinite(&y, list)
		}
		for _, c := range one.Clouds {
			for _, p := range c.Inside(x) {
				y.Add(p.Y)
			}
		}
	}
	return x, y, y.N > 0
}

func addFinite(e *axes.Extent, list []float64) {
	for _, v := range list {
		if number.Finite(v) {
			e.Add(v)
		}
	}
}

// Inside returns the points that lie in a range of x.
func (c Cloud) Inside(x axes.Extent) (list []axes.XY) {
	for k := range min(len(c.X), len(c.Y)) {
		if c.X[k] >= x.Lo && c.X[k] <= x.Hi && number.Finite(c.Y[k]) {
			list = append(list, axes.XY{X: c.X[k], Y: c.Y[k]})
		}
	}
	return list
}

// At returns a list of values, one for each x of the fit, at a place between them, on
// straight lines; ok is false beside the fit and next to a value that is not finite.
func (f Fit) At(values []float64, x float64) (y float64, ok bool) {
	n := min(len(f.X), len(values))
	if n == 0 || !(x >= f.X[0] && x <= f.X[n-1]) {
		return 0, false
	}
	after := min(max(sort.SearchFloat64s(f.X[:n], x), 1), n-1)
	if n == 1 {
		return values[0], number.Finite(values[0])
	}
	t := number.Unit(x, f.X[after-1], f.X[after])
	y = values[after-1]*(1-t) + values[after]*t
	return y, number.Finite(y)
}

// markRoom is the rows of a plot that are kept for marks, where they hide no points, and
// axisRows those of a chart that are beside its plot.
const markRoom, axisRows = 1.2, 4

// marked says whether a fit has marks.
func (f Fits) marked() bool {
	return slices.ContainsFunc(f.List, func(one Fit) bool { return len(one.Marks) > 0 })
}

// Render draws the fits as w x h cells.
func (f Fits) Render(style canvas.Style, w, h int) []string {
	x, y, ok := f.Extents()
	if !ok {
		why := "no predictions yet"
		for _, one := range f.List {
			if p := one.problem(); p != "" {
				why = p
			}
		}
		return canvas.Empty(style, w, h, why)
	}
	plane := axes.Plane{
		X:      axes.Fit(axes.Linear, x, false),
		Y:      axes.Fit(axes.Linear, y, false),
		XName:  f.XName,
		YName:  f.YName,
		XDates: f.XDates,
	}
	plane.Y.Pad(0.04)
	if f.marked() {
		plane.Y.PadBelow(markRoom / float64(max(axes.TileHeight(len(f.List), w, h)-axisRows, 2)))
	}
	tiles := tiled{n: len(f.List), plane: plane,
		draw:   func(i int, cv *canvas.Canvas, p *axes.Plane) { f.List[i].draw(cv, p) },
		own:    func(style canvas.Style, i int) []canvas.Part { return f.List[i].label(style) },
		shared: f.legend}
	return tiles.render(style, w, h)
}

// draw draws the ranges, then the draws, the points and the mean, which has no markers: they
// would be taken for points.
func (f Fit) draw(cv *canvas.Canvas, p *axes.Plane) {
	if f.problem() != "" {
		cv.Message(f.problem())
		return
	}
	f.drawRanges(cv, p)
	for _, d := range f.Draws {
		canvas.DrawLine(cv, canvas.Ink{FG: drawColor(cv.Style, f.Run)}, func(w, h int) []int {
			return f.rows(d, p, w, h)
		})
	}
	for i, c := range f.Clouds {
		drawCloud(cv, p, c, i)
	}
	canvas.DrawLine(cv, canvas.Ink{FG: cv.Style.RunColor(f.Run), Bold: true}, func(w, h int) []int {
		return f.rows(f.Mean, p, w, h)
	})
	for _, v := range f.Marks {
		if v >= f.X[0] && v <= f.X[len(f.X)-1] {
			cv.Put(p.Col(v, cv), cv.H-1, markGlyph, canvas.Ink{FG: cv.Style.Warn(), Bold: true})
		}
	}
}

// rows returns the rows of values in a plot of w x h places, -1 beside them.
func (f Fit) rows(values []float64, p *axes.Plane, w, h int) []int {
	rows := make([]int, w)
	for x := range rows {
		rows[x] = -1
		if v, ok := f.At(values, valueOf(&p.X, x, w)); ok && v >= p.Y.Lo && v <= p.Y.Hi {
			rows[x] = p.Y.RowOf(v, h)
		}
	}
	return rows
}

// valueOf returns the value at column x of w.
func valueOf(s *axes.Scale, x, w int) float64 {
	t := number.Unit(float64(x), 0, float64(max(w-1, 1)))
	return s.Lo*(1-t) + s.Hi*t
}

// drawRanges shades every place for the narrowest range that it lies in.
func (f Fit) drawRanges(cv *canvas.Canvas, p *axes.Plane) {
	for x := range cv.W {
		// The widest first: where whole cells are marked, narrower ranges are over it.
		for _, s := range slices.Backward(f.shades(cv, p, x)) {
			color, glyph := rangeLook(cv.Style, f.Run, s.of, len(f.Ranges))
			cv.Shade(x, s.lo, s.hi, color, glyph)
		}
	}
}

// shade is a piece of a column, in eighths of a cell, that belongs to a range.
type shade struct{ of, lo, hi int }

// shades returns the pieces of column x, the narrowest range first; none lies over another.
func (f Fit) shades(cv *canvas.Canvas, p *axes.Plane, x int) (list []shade) {
	at, from, to := valueOf(&p.X, x, cv.W), 0, 0 // what is shaded
	for i, r := range slices.Backward(f.Ranges) {
		lo, ok := f.At(r.Lo, at)
		hi, fits := f.At(r.Hi, at)
		if !ok || !fits || lo > hi {
			continue
		}
		bottom := p.Y.EdgeOf(lo, cv.H, cv.Style)
		top := p.Y.EdgeOf(hi, cv.H, cv.Style)
		top = max(top, bottom+1)
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
	return list
}

// rangeLook returns how range i of n is shaded, the widest the faintest.
func rangeLook(style canvas.Style, run, i, n int) (canvas.Color, rune) {
	color := style.RunColor(run)
	if i+1 < n {
		return style.Tint(color, 0.5), '░'
	}
	if n == 1 {
		return color, '░'
	}
	return color, '▒'
}

// drawColor is the colour of functions that are drawn.
func drawColor(style canvas.Style, run int) canvas.Color {
	return style.Tint(style.RunColor(run), 0.35)
}

// cloudGlyphs are those of the kinds of points in turn, and markGlyph that of marks.
var cloudGlyphs = [...]rune{'∙', '×'}

const markGlyph = '+'

// drawCloud draws the points of kind i.
func drawCloud(cv *canvas.Canvas, p *axes.Plane, c Cloud, i int) {
	look := canvas.Ink{FG: cv.Style.Dim()}
	if i%len(cloudGlyphs) == 1 {
		look = canvas.Ink{Bold: true}
	}
	for _, at := range c.Inside(axes.Extent{Lo: p.X.Lo, Hi: p.X.Hi}) {
		cv.Put(p.Col(at.X, cv), p.Row(at.Y, cv), cloudGlyphs[i%len(cloudGlyphs)], look)
	}
}

// label names the run.
func (f Fit) label(style canvas.Style) []canvas.Part { return nameParts(style, f.Run, f.Label, f.Note) }

// nameParts are the entries that name a run; none without a name.
func nameParts(style canvas.Style, run int, label, note string) (parts []canvas.Part) {
	if label != "" {
		parts = append(parts, canvas.Label(style, run, label, 8))
	}
	if note != "" {
		parts = append(parts, canvas.Note(1, canvas.Ink{FG: style.Dim()}, note, ""))
	}
	return parts
}

// legend says what is drawn of the fits.
func (f Fits) legend(style canvas.Style) (parts []canvas.Part) {
	dim := canvas.Ink{FG: style.Dim()}
	of := f.fullest()
	if of.MeanName != "" {
		parts = append(parts, canvas.Note(1, canvas.Ink{FG: style.RunColor(of.Run), Bold: true},
			"─ "+of.MeanName, "─ mean"))
	}
	for i, r := range slices.Backward(of.Ranges) {
		color, glyph := rangeLook(style, of.Run, i, len(of.Ranges))
		parts = append(parts, canvas.Band(style, 2, color, glyph, r.Name, ""))
	}
	if len(of.Draws) > 0 && of.DrawsName != "" {
		parts = append(parts, canvas.Note(1, canvas.Ink{FG: drawColor(style, of.Run)},
			"─ "+of.DrawsName, "─ draws", ""))
	}
	for i, c := range of.Clouds {
		if len(c.X) > 0 {
			g := string(cloudGlyphs[i%len(cloudGlyphs)])
			parts = append(parts, canvas.Note(1, dim, g+" "+c.Name, g+" "+c.Short, ""))
		}
	}
	if len(of.Marks) > 0 {
		short, _, _ := strings.Cut(of.MarksName, " ")
		parts = append(parts, canvas.Note(1, canvas.Ink{FG: style.Warn()}, string(markGlyph)+" "+of.MarksName,
			string(markGlyph)+" "+short, ""))
	}
	return parts
}

// fullest returns the fit with the most kinds of things to see.
func (f Fits) fullest() (of Fit) {
	most := -1
	for _, one := range f.List {
		kinds := 0
		for _, there := range []bool{len(one.Draws) > 0, len(one.Clouds) > 0, len(one.Marks) > 0,
			len(one.Ranges) > 0, one.problem() == ""} {
			if there {
				kinds++
			}
		}
		if kinds > most {
			of, most = one, kinds
		}
	}
	return of
}
