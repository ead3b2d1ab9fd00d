package points

import (
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/figure"
	"dgplab/viz/number"
)

// seriesShift is how far series of a category lie apart.
const seriesShift = 0.14

// Figure returns means with bars by category as a figure of 14 x 8 cm, series side by
// side.
func (b ErrorBars) Figure(o figure.Options) (*figure.Figure, error) {
	p := figure.NewPlot()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = o.Title, b.XName, b.YName
	var names plot.ConstantTicks
	for i, name := range b.Categories {
		names = append(names, plot.Tick{Value: float64(i), Label: name})
	}
	p.X.Tick.Marker = names
	figure.AddGrid(p)
	y := axes.NewExtent()
	for k, s := range b.Series {
		var list []axes.XY
		for _, e := range s.Points {
			if !number.Finite(e.Mean) || !number.Finite(e.SE) {
				continue
			}
			at := e.X + seriesShift*(float64(k)-0.5*float64(len(b.Series)-1))
			list = append(list, axes.XY{X: at, Y: e.Mean})
			y.Add(e.Mean - e.SE)
			y.Add(e.Mean + e.SE)
			p.Add(&plotter.Line{
				XYs:       plotter.XYs{{X: at, Y: e.Mean - e.SE}, {X: at, Y: e.Mean + e.SE}},
				LineStyle: draw.LineStyle{Color: figure.RunColor(s.Run, 255), Width: vg.Millimeter / 2.5},
			})
		}
		if len(list) > 0 {
			look := draw.GlyphStyle{
				Color:  figure.RunColor(s.Run, 255),
				Radius: vg.Millimeter * 0.9,
				Shape:  draw.CircleGlyph{},
			}
			p.Legend.Add(s.Label, figure.AddPoints(p, list, look))
		}
	}
	if y.N == 0 {
		return nil, fmt.Errorf("means: %w: no finite value", figure.ErrNothing)
	}
	if err := figure.CheckRange("means", y.Lo, y.Hi); err != nil {
		return nil, err
	}
	p.Y.Tick.Marker = figure.Ticks(axes.Plain.Ticks(y.Lo, y.Hi, 6))
	p.X.Min, p.X.Max = -0.5, float64(len(b.Categories))-0.5
	figure.SetRange(&p.Y, y.Lo, y.Hi, 0.05)
	return figure.Single(14*vg.Centimeter, 8*vg.Centimeter, p), nil
}

// CSV writes the mean and the standard error of every category of every series.
func (b ErrorBars) CSV(out io.Writer) error {
	t := figure.NewTable(out, "name", "category", "mean", "se", "n")
	for _, s := range b.Series {
		for _, e := range s.Points {
			category := figure.Exact(e.X)
			if k := int(e.X); float64(k) == e.X && k >= 0 && k < len(b.Categories) {
				category = b.Categories[k]
			}
			t.Row(s.Label, category, figure.Exact(e.Mean), figure.Exact(e.SE), strconv.Itoa(e.N))
		}
	}
	return t.Close()
}
