package figure

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/points"
)

// Stems writes the weighted points of the chosen row as a figure of 14 x 8 cm, in units of
// an equal weight, with the standard normal density as high as the highest of them.
func Stems(out io.Writer, format Format, s points.Stems, o Options) error {
	list := s.Points(s.Chosen)
	if len(list) == 0 {
		return fmt.Errorf("stems: %w: no finite point", ErrNothing)
	}
	x, top := axes.NewExtent(), 1.0
	x.Add(-3)
	x.Add(3)
	for _, p := range list {
		x.Add(p.X)
		top = math.Max(top, p.Y)
	}
	if err := checkRange("stems", x.Lo, x.Hi, top); err != nil {
		return err
	}
	chart := newPlot()
	chart.Title.Text = o.Title
	chart.X.Label.Text = s.XName
	chart.Y.Label.Text = "weight, 1 is equal"
	chart.X.Tick.Marker = ticks(axes.Plain.Ticks(x.Lo, x.Hi, 7))
	chart.Y.Tick.Marker = ticks(axes.Plain.Ticks(0, top, 5))
	addGrid(chart)
	var density plotter.XYs
	for i := range 121 {
		v := x.Lo + (x.Hi-x.Lo)*float64(i)/120
		density = append(density, plotter.XY{X: v, Y: top * math.Exp(-v*v/2)})
	}
	chart.Add(&plotter.Line{
		XYs:       density,
		LineStyle: draw.LineStyle{Color: softColor, Width: vg.Millimeter / 4, Dashes: dashesOf(1)},
	})
	for _, p := range list {
		chart.Add(&plotter.Line{
			XYs:       plotter.XYs{{X: p.X}, {X: p.X, Y: p.Y}},
			LineStyle: draw.LineStyle{Color: runColor(0, 255), Width: vg.Millimeter / 2.5},
		})
	}
	cloud(chart, list, draw.GlyphStyle{
		Color:  runColor(0, 255),
		Radius: vg.Millimeter * 0.9,
		Shape:  draw.CircleGlyph{},
	})
	setRange(&chart.X, x.Lo, x.Hi, 0.02)
	setRange(&chart.Y, 0, top*1.05, 0)
	return single(out, format, 14*vg.Centimeter, 8*vg.Centimeter, chart)
}

// StemsCSV writes the points of all rows of some layers with their weights; all count
// from 1.
func StemsCSV(out io.Writer, layers []points.Stems) error {
	t := NewTable(out, "layer", "gp", "sample", "point", "weight")
	for l, s := range layers {
		for i, row := range s.Rows {
			for k := range min(len(row), len(s.Weights)) {
				t.Row(strconv.Itoa(l+1), strconv.Itoa(i+1), strconv.Itoa(k+1),
					Exact(row[k]), Exact(s.Weights[k]))
			}
		}
	}
	return t.Close()
}
