package points

import (
	"fmt"
	"image/color"
	"io"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/figure"
)

// Figure returns where the inducing points of all inputs lie as a figure of 14 x 11 cm,
// in a colour for each inducing point; those of the chosen input are large.
func (p Inducing) Figure(o figure.Options) (*figure.Figure, error) {
	chart := figure.NewPlot()
	chart.Title.Text, chart.X.Label.Text, chart.Y.Label.Text = o.Title, p.XName, p.YName
	all, ok := inducingExtents(p)
	if !ok {
		return nil, fmt.Errorf("inducing points: %w: no finite point", figure.ErrNothing)
	}
	x, y := all[0], all[1]
	if err := figure.CheckRange("inducing points", x.Lo, x.Hi, y.Lo, y.Hi); err != nil {
		return nil, err
	}
	chart.X.Tick.Marker = figure.Ticks(axes.Plain.Ticks(x.Lo, x.Hi, 6))
	chart.Y.Tick.Marker = figure.Ticks(axes.Plain.Ticks(y.Lo, y.Hi, 6))
	figure.AddGrid(chart)
	figure.AddPoints(chart, p.Seen, draw.GlyphStyle{
		Color:  color.Gray{0xc8},
		Radius: vg.Millimeter * 0.5,
		Shape:  draw.CircleGlyph{},
	})
	chosen := min(max(p.Chosen, 0), len(p.Inputs)-1)
	for i, in := range p.Inputs {
		for m, z := range in.Z {
			style := draw.GlyphStyle{
				Color:  figure.RunColor(m, 150),
				Radius: vg.Millimeter * 0.7,
				Shape:  draw.CircleGlyph{},
			}
			if i == chosen {
				style.Color, style.Radius = figure.RunColor(m, 255), vg.Millimeter*1.5
			}
			figure.AddPoints(chart, []axes.XY{z}, style)
		}
	}
	if chosen >= 0 {
		figure.AddPoints(chart, []axes.XY{p.Inputs[chosen].At}, draw.GlyphStyle{
			Color:  figure.Ink,
			Radius: vg.Millimeter * 1.6,
			Shape:  draw.CrossGlyph{},
		})
	}
	figure.SetRange(&chart.X, x.Lo, x.Hi, 0.03)
	figure.SetRange(&chart.Y, y.Lo, y.Hi, 0.03)
	return figure.Single(14*vg.Centimeter, 11*vg.Centimeter, chart), nil
}

// inducingExtents returns the ranges of x and y; ok is false without a finite point.
func inducingExtents(p Inducing) (all [2]axes.Extent, ok bool) {
	all = [2]axes.Extent{axes.NewExtent(), axes.NewExtent()}
	add := func(list ...axes.XY) {
		for _, q := range figure.Finite(list) {
			all[0].Add(q.X)
			all[1].Add(q.Y)
		}
	}
	add(p.Seen...)
	for _, in := range p.Inputs {
		add(in.At)
		add(in.Z...)
	}
	return all, all[0].N > 0
}

// CSV writes the inducing points of one layer.
func (p Inducing) CSV(out io.Writer) error { return InducingCSV(out, []Inducing{p}) }

// InducingCSV writes where the inducing points of all inputs lie, and what is seen of the
// inputs, in each layer. Layers, inputs and inducing points count from 1; the inducing
// point is empty for what is seen, and so is the input for that of other data.
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
