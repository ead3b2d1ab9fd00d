package points

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/figure"
)

// Figure returns the weighted points of the chosen row as a figure of 14 x 8 cm, in units of
// an equal weight, with the standard normal density as high as the highest of them.
func (s Stems) Figure(o figure.Options) (*figure.Figure, error) {
	list := s.Points(s.Chosen)
	if len(list) == 0 {
		return nil, fmt.Errorf("stems: %w: no finite point", figure.ErrNothing)
	}
	x, top := axes.NewExtent(), 1.0
	x.Add(-3)
	x.Add(3)
	for _, p := range list {
		x.Add(p.X)
		top = math.Max(top, p.Y)
	}
	if err := figure.CheckRange("stems", x.Lo, x.Hi, top); err != nil {
		return nil, err
	}
	chart := figure.NewPlot()
	chart.Title.Text = o.Title
	chart.X.Label.Text = s.XName
	chart.Y.Label.Text = "weight, 1 is equal"
	chart.X.Tick.Marker = figure.Ticks(axes.Plain.Ticks(x.Lo, x.Hi, 7))
	chart.Y.Tick.Marker = figure.Ticks(axes.Plain.Ticks(0, top, 5))
	figure.AddGrid(chart)
	var density plotter.XYs
	for i := range 121 {
		v := x.Lo + (x.Hi-x.Lo)*float64(i)/120
		density = append(density, plotter.XY{X: v, Y: top * math.Exp(-v*v/2)})
	}
	chart.Add(&plotter.Line{
		XYs:       density,
		LineStyle: draw.LineStyle{Color: figure.Soft, Width: vg.Millimeter / 4, Dashes: figure.Dashes(1)},
	})
	for _, p := range list {
		chart.Add(&plotter.Line{
			XYs:       plotter.XYs{{X: p.X}, {X: p.X, Y: p.Y}},
			LineStyle: draw.LineStyle{Color: figure.RunColor(0, 255), Width: vg.Millimeter / 2.5},
		})
	}
	figure.AddPoints(chart, list, draw.GlyphStyle{
		Color:  figure.RunColor(0, 255),
		Radius: vg.Millimeter * 0.9,
		Shape:  draw.CircleGlyph{},
	})
	figure.SetRange(&chart.X, x.Lo, x.Hi, 0.02)
	figure.SetRange(&chart.Y, 0, top*1.05, 0)
	return figure.Single(14*vg.Centimeter, 8*vg.Centimeter, chart), nil
}

// CSV writes the points of one layer.
func (s Stems) CSV(out io.Writer) error { return StemsCSV(out, []Stems{s}) }

// StemsCSV writes the points of all rows of some layers with their weights; all count
// from 1.
func StemsCSV(out io.Writer, layers []Stems) error {
	t := figure.NewTable(out, "layer", "gp", "sample", "point", "weight")
	for l, s := range layers {
		for i, row := range s.Rows {
			for k := range min(len(row), len(s.Weights)) {
				t.Row(strconv.Itoa(l+1), strconv.Itoa(i+1), strconv.Itoa(k+1),
					figure.Exact(row[k]), figure.Exact(s.Weights[k]))
			}
		}
	}
	return t.Close()
}
