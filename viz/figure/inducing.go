package figure

import (
	"fmt"
	"image/color"
	"io"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/number"
	"dgplab/viz/points"
)

// Inducing writes where the inducing points of all inputs lie as a figure of 14 x 11 cm,
// in a colour for each inducing point; those of the chosen input are large.
func Inducing(out io.Writer, format Format, p points.Inducing, o Options) error {
	chart := newPlot()
	chart.Title.Text, chart.X.Label.Text, chart.Y.Label.Text = o.Title, p.XName, p.YName
	all, ok := inducingExtents(p)
	if !ok {
		return fmt.Errorf("inducing points: %w: no finite point", ErrNothing)
	}
	x, y := all[0], all[1]
	if err := checkRange("inducing points", x.Lo, x.Hi, y.Lo, y.Hi); err != nil {
		return err
	}
	chart.X.Tick.Marker = ticks(axes.Plain.Ticks(x.Lo, x.Hi, 6))
	chart.Y.Tick.Marker = ticks(axes.Plain.Ticks(y.Lo, y.Hi, 6))
	addGrid(chart)
	cloud(chart, p.Seen, draw.GlyphStyle{
		Color:  color.Gray{0xc8},
		Radius: vg.Millimeter * 0.5,
		Shape:  draw.CircleGlyph{},
	})
	chosen := min(max(p.Chosen, 0), len(p.Inputs)-1)
	for i, in := range p.Inputs {
		for m, z := range in.Z {
			style := draw.GlyphStyle{
				Color:  runColor(m, 150),
				Radius: vg.Millimeter * 0.7,
				Shape:  draw.CircleGlyph{},
			}
			if i == chosen {
				style.Color, style.Radius = runColor(m, 255), vg.Millimeter*1.5
			}
			cloud(chart, []axes.XY{z}, style)
		}
	}
	if chosen >= 0 {
		cloud(chart, []axes.XY{p.Inputs[chosen].At}, draw.GlyphStyle{
			Color:  inkColor,
			Radius: vg.Millimeter * 1.6,
			Shape:  draw.CrossGlyph{},
		})
	}
	setRange(&chart.X, x.Lo, x.Hi, 0.03)
	setRange(&chart.Y, y.Lo, y.Hi, 0.03)
	return single(out, format, 14*vg.Centimeter, 11*vg.Centimeter, chart)
}

// inducingExtents returns the ranges of x and y; ok is false without a finite point.
func inducingExtents(p points.Inducing) (all [2]axes.Extent, ok bool) {
	all = [2]axes.Extent{axes.NewExtent(), axes.NewExtent()}
	add := func(list ...axes.XY) {
		for _, q := range finite(list) {
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

// finite returns the points that can be drawn.
func finite(list []axes.XY) (out plotter.XYs) {
	for _, p := range list {
		if number.Finite(p.X) && number.Finite(p.Y) {
			out = append(out, plotter.XY{X: p.X, Y: p.Y})
		}
	}
	return out
}

// cloud adds the points of a list that are finite.
func cloud(p *plot.Plot, list []axes.XY, style draw.GlyphStyle) *plotter.Scatter {
	s := &plotter.Scatter{XYs: finite(list), GlyphStyle: style}
	if len(s.XYs) > 0 {
		p.Add(s)
	}
	return s
}

// InducingCSV writes where the inducing points of all inputs lie, and what is seen of the
// inputs, in each layer. Layers, inputs and inducing points count from 1; the inducing
// point is empty for what is seen, and so is the input for that of other data.
func InducingCSV(out io.Writer, layers []points.Inducing) error {
	t := NewTable(out, "layer", "input", "inducing", "x", "y")
	for l, p := range layers {
		layer := strconv.Itoa(l + 1)
		for _, s := range p.Seen {
			t.Row(layer, "", "", Exact(s.X), Exact(s.Y))
		}
		for i, in := range p.Inputs {
			input := strconv.Itoa(i + 1)
			t.Row(layer, input, "", Exact(in.At.X), Exact(in.At.Y))
			for m, z := range in.Z {
				t.Row(layer, input, strconv.Itoa(m+1), Exact(z.X), Exact(z.Y))
			}
		}
	}
	return t.Close()
}
