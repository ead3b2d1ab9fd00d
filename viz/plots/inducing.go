package plots

import (
	"io"
	"strconv"

	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// Inducing shows the inducing points of one input in a plane, as letters, over the inducing points
// of other inputs and the data.
type Inducing struct {
	XName, YName string
	// Seen are points of the data.
	Seen []chart.XY
	// Inputs, [I], have the same number of inducing points. Chosen is the index of the selected input.
	Inputs []InducingInput
	Chosen int
	// Facts are lines below the plane.
	Facts [][]Fact
}

// InducingInput is an input and its inducing points, [M].
type InducingInput struct {
	At chart.XY
	Z  []chart.XY
}

// Fact is a named number. It is highlighted if it is wrong.
type Fact struct {
	Name, Value string
	Wrong       bool
}

// factsHeight is the minimum height of the plane above facts.
const factsHeight = 7

// letter returns the glyph of inducing point m.
func letter(m int) rune {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return rune(letters[m%len(letters)])
}

// InducingLetter names inducing point m as the picture does.
func InducingLetter(m int) string { return string(letter(m)) }

// Render draws the plane, and below it the facts, as h lines of w cells.
func (p Inducing) Render(style canvas.Style, w, h int) []string {
	c := p.chart()
	if c.Empty != "" || w < 1 || h < 1 {
		return c.Render(style, w, h)
	}
	facts := p.Facts[:min(len(p.Facts), max(h-factsHeight, 0))]
	lines := c.Render(style, w, h-len(facts))
	if n := len(facts); n > 0 {
		cv := canvas.New(style, w, n)
		for y, line := range facts {
			canvas.DrawLegend(cv, 0, y, w, factParts(style, line))
		}
		lines = append(lines, cv.Lines()...)
	}
	return lines
}

// Figure returns the plane as a figure of 14 x 11 cm, with a colour for each inducing point. The inducing
// points of the selected input are large.
func (p Inducing) Figure(o figure.Options) (*figure.Figure, error) { return p.chart().Figure(o) }

// CSV writes the inducing points of one layer.
func (p Inducing) CSV(out io.Writer) error { return InducingCSV(out, []Inducing{p}) }

// InducingCSV writes the inducing points of all inputs of each layer, and the data points in Seen.
// Layers, inputs and inducing points are counted from 1. The column of the inducing point is empty
// in rows of inputs and of data points, and the column of the input is empty in rows of data
// points.
func InducingCSV(out io.Writer, layers []Inducing) error {
	t := figure.NewTable(out, "layer", "input", "inducing", "x", "y")
	for l, p := range layers {
		layer := strconv.Itoa(l + 1)
		for _, s := range p.Seen {
			t.Row(layer, "", "", figure.Exact(s.X), figure.Exact(s.Y))
		}
		for i, in := range p.Inputs {
			input := strconv.Itoa(i + 1)
			t.Row(layer, input, "", figure.Exact(in.At.X), figure.Exact(in.At.Y))
			for m, z := range in.Z {
				t.Row(layer, input, strconv.Itoa(m+1), figure.Exact(z.X), figure.Exact(z.Y))
			}
		}
	}
	return t.Close()
}

// chart describes the data, then the inducing points of the other inputs, then the inducing points of the
// selected input. All inputs set the ranges, which do not depend on the selection.
func (p Inducing) chart() *chart.Chart {
	c := &chart.Chart{Name: "inducing points", PadX: 0.03, PadY: 0.03,
		Page: chart.Page{W: 14, H: 11, NX: 6, NY: 6}}
	x := chart.NewExtent()
	y := chart.NewExtent()
	notFinite := 0
	add := func(list ...chart.XY) {
		for _, at := range list {
			if !canvas.Finite(at.X) || !canvas.Finite(at.Y) {
				notFinite++
				continue
			}
			x.Add(at.X)
			y.Add(at.Y)
		}
	}
	add(p.Seen...)
	for _, in := range p.Inputs {
		add(in.At)
		add(in.Z...)
	}
	if x.N == 0 || len(p.Inputs) == 0 {
		c.Empty = "no inducing points yet"
		return c
	}
	c.Plane = chart.Plane{X: chart.Fit(chart.Linear, x, false), Y: chart.Fit(chart.Linear, y, false),
		XName: p.XName, YName: p.YName}
	c.Marks = []chart.Mark{chart.Points{XY: p.Seen, Glyph: '·', Color: chart.Faint, Radius: 0.5}}
	chosen := min(max(p.Chosen, 0), len(p.Inputs)-1)
	for i, in := range p.Inputs {
		for m, z := range in.Z {
			if i != chosen {
				c.Marks = append(c.Marks, chart.Points{XY: []chart.XY{z}, Glyph: '+',
					Color: chart.Run(m).Fade(0.4, 150), Radius: 0.7})
			}
		}
	}
	for m, z := range p.Inputs[chosen].Z {
		c.Marks = append(c.Marks, chart.Points{XY: []chart.XY{z}, Glyph: letter(m), Color: chart.Run(m),
			Bold: true, Radius: 1.5})
	}
	c.Marks = append(c.Marks, chart.Points{XY: []chart.XY{p.Inputs[chosen].At}, Glyph: '★',
		Color: chart.Good, Bold: true, Radius: 1.6, Shape: draw.CrossGlyph{}})
	c.Legend = func(style canvas.Style) []canvas.Part { return p.legend(style, chosen, notFinite) }
	return c
}

// legend names the selected input and explains the glyphs.
func (p Inducing) legend(style canvas.Style, chosen, notFinite int) []canvas.Part {
	dim := canvas.Ink{FG: style.Dim()}
	which := "input " + strconv.Itoa(chosen+1)
	star := canvas.Text("★ ", canvas.Ink{FG: style.Good(), Bold: true})
	parts := []canvas.Part{{Variants: [][]canvas.Span{
		{star, canvas.Plain(which + " of " + strconv.Itoa(len(p.Inputs)))}, {star, canvas.Plain(which)},
	}, Keep: 3}}
	if m := len(p.Inputs[chosen].Z); m > 0 {
		letters := InducingLetter(0) + "–" + InducingLetter(m-1)
		parts = append(parts, canvas.Note(2, dim, letters+" its inducing points", letters+" its Z", letters))
	}
	parts = append(parts, canvas.Note(0, dim, "+ of other inputs", "+ others", ""))
	if len(p.Seen) > 0 {
		parts = append(parts, canvas.Note(1, dim, "· data", ""))
	}
	return append(parts, chart.LeftOut(style, 0, notFinite)...)
}

// factParts returns the entries of a line of facts. In a narrow line, the last facts are dropped first.
func factParts(style canvas.Style, line []Fact) (parts []canvas.Part) {
	for i, f := range line {
		name := canvas.Text(f.Name+" ", canvas.Ink{FG: style.Dim()})
		value := canvas.Plain(f.Value)
		if f.Wrong {
			value = canvas.Text(f.Value, canvas.Ink{FG: style.Warn(), Bold: true})
		}
		if f.Value == "" {
			name.Text = f.Name
		}
		parts = append(parts, canvas.Part{Variants: [][]canvas.Span{{name, value}, nil}, Keep: len(line) - i})
	}
	return parts
}
