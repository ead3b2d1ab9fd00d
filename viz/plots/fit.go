package plots

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// Fit holds a function with predictive ranges, and points.
type Fit struct {
	// Label names the run. Step is the step of the model, for example "at step 290".
	Label, Step string
	// Run selects colour and marker; see Style.RunColor.
	Run int
	// X rises. Mean and the ranges, the widest first, have a value for each X.
	X, Mean  []float64
	MeanName string
	Ranges   []chart.Range
	// Draws are samples of the function, with DrawsName in the legend.
	Draws     [][]float64
	DrawsName string
	// Observations are points in addition to the function. Marks are positions on the x axis, drawn along the
	// lower edge.
	Observations []Observations
	Marks        []float64
	MarksName    string
}

// Observations holds points of one kind. Short is the name of the kind in one word.
type Observations struct {
	Name, Short string
	X, Y        []float64
}

// Fits holds the fits of runs along the same input.
type Fits struct {
	List         []Fit
	XName, YName string
	// XDates describes the dates on the axis if x is time.
	XDates chart.Dates
}

// problem returns the reason why a fit cannot be drawn, or "".
func (f Fit) problem() string {
	if len(f.X) == 0 || len(f.Mean) == 0 {
		return "no predictions yet"
	}
	if len(f.X) < 2 || !sort.Float64sAreSorted(f.X) || !canvas.Finite(f.X[0]) ||
		!canvas.Finite(f.X[len(f.X)-1]) || !canvas.Finite(f.X[len(f.X)-1]-f.X[0]) {
		return "predictions do not match their grid"
	}
	return ""
}

// Render draws the fits as h lines of w cells.
func (f Fits) Render(style canvas.Style, w, h int) []string { return f.facets().Render(style, w, h) }

// Figure returns the fits as charts on one scale.
func (f Fits) Figure(o figure.Options) (*figure.Figure, error) { return f.facets().Figure(o) }

// CSV writes every value and every point of every fit.
func (f Fits) CSV(out io.Writer) error { return f.csv(out, figure.Exact) }

// csv writes the table with a text for each x.
func (f Fits) csv(out io.Writer, text func(x float64) string) error {
	t := figure.NewTable(out, "run", "label", "what", cmp.Or(f.XName, "x"), cmp.Or(f.YName, "y"))
	for _, one := range f.List {
		write := func(what string, x, y []float64) {
			for _, p := range chart.Join(x, y) {
				t.Row(fmt.Sprint(one.Run+1), one.Label, what, text(p.X), figure.Exact(p.Y))
			}
		}
		write(one.MeanName, one.X, one.Mean)
		for _, r := range one.Ranges {
			write(r.Name+" from", one.X, r.Lo)
			write(r.Name+" to", one.X, r.Hi)
		}
		for i, d := range one.Draws {
			write(fmt.Sprintf("draw %d", i+1), one.X, d)
		}
		for _, c := range one.Observations {
			write(c.Name, c.X, c.Y)
		}
		for _, v := range one.Marks {
			t.Row(fmt.Sprint(one.Run+1), one.Label, one.MarksName, text(v), "")
		}
	}
	return t.Close()
}

// facets describes a chart for each fit.
func (f Fits) facets() chart.Facets {
	x, y, ok := f.extents()
	out := chart.Facets{Name: "fit", Legend: f.legend}
	if !ok {
		out.Empty = "no predictions yet"
		for _, one := range f.List {
			out.Empty = cmp.Or(one.problem(), out.Empty)
		}
		return out
	}
	plane := chart.Plane{X: chart.Fit(chart.Linear, x, false), Y: chart.Fit(chart.Linear, y, false),
		XName: f.XName, YName: f.YName, XDates: f.XDates}
	for _, one := range f.List {
		out.Charts = append(out.Charts, chart.Chart{Name: "fit", Plane: plane, PadY: 0.04,
			Marks: one.marks(x), Page: chart.Page{NX: 6, NY: 6, Title: titled(one.Label, one.Step)},
			Legend: func(style canvas.Style) []canvas.Part {
				return nameParts(style, one.Run, one.Label, one.Step)
			},
		})
	}
	return out
}

// extents returns the ranges of x and y of all fits together. Points outside the range of x are
// ignored. ok is false without a finite value.
func (f Fits) extents() (x, y chart.Extent, ok bool) {
	x = chart.NewExtent()
	y = chart.NewExtent()
	for _, one := range f.List {
		if one.problem() == "" {
			x.Add(one.X[0])
			x.Add(one.X[len(one.X)-1])
		}
	}
	for _, one := range f.List {
		if one.problem() != "" {
			continue
		}
		lists := slices.Concat([][]float64{one.Mean}, one.Draws)
		for _, r := range one.Ranges {
			lists = append(lists, r.Lo, r.Hi)
		}
		for _, v := range slices.Concat(lists...) {
			if canvas.Finite(v) {
				y.Add(v)
			}
		}
		for _, c := range one.Observations {
			for _, p := range c.inside(x) {
				y.Add(p.Y)
			}
		}
	}
	return x, y, y.N > 0
}

// inside returns the points in a range of x.
func (c Observations) inside(x chart.Extent) (list []chart.XY) {
	for _, p := range chart.Join(c.X, c.Y) {
		if p.X >= x.Lo && p.X <= x.Hi && canvas.Finite(p.Y) {
			list = append(list, p)
		}
	}
	return list
}

// cloudGlyphs holds the glyphs for the kinds of points, used in rotation.
var cloudGlyphs = [...]rune{'∙', '×', '◆'}

// marks describes the ranges, then the draws, the points and the mean. The mean has no markers:
// they would look like points.
func (f Fit) marks(x chart.Extent) []chart.Mark {
	if f.problem() != "" {
		return []chart.Mark{chart.OnText(func(cv *canvas.Canvas, _ *chart.Plane) { cv.Message(f.problem()) })}
	}
	list := []chart.Mark{chart.Band{X: f.X, Ranges: f.Ranges, Color: chart.Run(f.Run).Fade(0, 50)}}
	for i, d := range f.Draws {
		line := chart.Line{XY: chart.Join(f.X, d), Color: drawColor(f.Run), Width: 1. / 5}
		if i == 0 {
			line.Name = f.DrawsName
		}
		list = append(list, line)
	}
	for i, c := range f.Observations {
		points := observationPoints(i, c)
		points.XY = c.inside(x)
		list = append(list, points)
	}
	return append(list, chart.RunLine(f.MeanName, f.Run, chart.Join(f.X, f.Mean)),
		chart.Rug{Name: f.MarksName, X: f.Marks, Color: chart.Warn, Bold: true})
}

// observationPoints returns the look of points of a kind, without the points.
func observationPoints(kind int, o Observations) chart.Points {
	points := chart.Points{Name: o.Name, Glyph: cloudGlyphs[kind%len(cloudGlyphs)], Color: chart.Soft,
		Radius: 0.5}
	if o.Short != "" {
		points.Name = o.Short + " points"
	}
	switch kind % len(cloudGlyphs) {
	case 1:
		points.Color = chart.Ink
		points.Bold = true
		points.Radius = 0.7
		points.Shape = draw.CrossGlyph{}
	case 2:
		points.Color = chart.Warn
		points.Bold = true
		points.Radius = 1
		points.Shape = draw.PyramidGlyph{}
	}
	return points
}

// drawColor returns the colour of samples of a function.
func drawColor(run int) chart.Color { return chart.Run(run).Fade(0.35, 140) }

// titled joins the name of a run and its step.
func titled(label, step string) string {
	if label == "" || step == "" {
		return label
	}
	return label + " " + step
}

// nameParts returns the legend entry that names a run, or nil if the run has no name.
func nameParts(style canvas.Style, run int, label, step string) []canvas.Part {
	if label == "" {
		return nil
	}
	return []canvas.Part{canvas.Label(style, run, label, step).Part()}
}

// legend explains what is drawn.
func (f Fits) legend(style canvas.Style) []canvas.Part { return f.glyphs(style, "─", "─") }

// glyphs explains the glyphs, including the given glyphs of the mean and the draws.
func (f Fits) glyphs(style canvas.Style, mean, drawn string) (parts []canvas.Part) {
	dim := canvas.Ink{FG: style.Dim()}
	of := f.fullest()
	if of.MeanName != "" {
		parts = append(parts, canvas.Note(1, canvas.Ink{FG: style.RunColor(of.Run), Bold: true},
			mean+" "+of.MeanName, mean+" mean"))
	}
	for i, r := range slices.Backward(of.Ranges) {
		color, glyph := chart.RangeLook(style, chart.Run(of.Run), i, len(of.Ranges))
		parts = append(parts, canvas.Band(style, 2, color, glyph, r.Name, ""))
	}
	if len(of.Draws) > 0 && of.DrawsName != "" {
		parts = append(parts, canvas.Note(1, canvas.Ink{FG: drawColor(of.Run).Text(style)},
			drawn+" "+of.DrawsName, drawn+" draws", ""))
	}
	for i, c := range of.Observations {
		if len(c.X) > 0 {
			g := string(cloudGlyphs[i%len(cloudGlyphs)])
			parts = append(parts, canvas.Note(1, dim, g+" "+c.Name, g+" "+c.Short, ""))
		}
	}
	if len(of.Marks) > 0 {
		short, _, _ := strings.Cut(of.MarksName, " ")
		glyph := string(chart.RugGlyph) + " "
		parts = append(parts, canvas.Note(1, canvas.Ink{FG: style.Warn()},
			glyph+of.MarksName, glyph+short, ""))
	}
	return parts
}

// fullest returns the fit with the most kinds of marks.
func (f Fits) fullest() (of Fit) {
	most := -1
	for _, one := range f.List {
		kinds := 0
		for _, there := range []bool{len(one.Draws) > 0, len(one.Observations) > 0, len(one.Marks) > 0,
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
