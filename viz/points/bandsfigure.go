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
)

// Figure returns functions with their bands as a figure of 16 x 9 cm.
func (b Bands) Figure(o figure.Options) (*figure.Figure, error) {
	x, y, ok := b.Ranges()
	if !ok {
		return nil, fmt.Errorf("functions: %w: no finite value", figure.ErrNothing)
	}
	if err := figure.CheckRange("functions", x.Lo, x.Hi, y.Lo, y.Hi); err != nil {
		return nil, err
	}
	p := figure.NewPlot()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = o.Title, b.XName, b.YName
	p.X.Tick.Marker = figure.Ticks(axes.Plain.Ticks(x.Lo, x.Hi, 7))
	p.Y.Tick.Marker = figure.Ticks(axes.Plain.Ticks(y.Lo, y.Hi, 6))
	figure.AddGrid(p)
	for i, band := range b.Bands {
		list := b.Points(i)
		if len(list) < 2 {
			continue
		}
		var line, edge plotter.XYs
		for _, at := range list {
			line = append(line, plotter.XY{X: at.X, Y: at.Mean})
			edge = append(edge, plotter.XY{X: at.X, Y: at.Lo})
		}
		for k := len(list) - 1; k >= 0; k-- {
			edge = append(edge, plotter.XY{X: list[k].X, Y: list[k].Hi})
		}
		if err := figure.AddShade(p, band.Label, band.Run, edge); err != nil {
			return nil, err
		}
		mean, err := plotter.NewLine(line)
		if err != nil {
			return nil, fmt.Errorf("function %q: %w", band.Label, err)
		}
		mean.LineStyle = figure.RunLine(band.Run)
		p.Add(mean)
		p.Legend.Add(fmt.Sprintf("%s, mean ± %d sd", band.Label, BandWidth), mean)
	}
	figure.SetRange(&p.X, x.Lo, x.Hi, 0)
	figure.SetRange(&p.Y, y.Lo, y.Hi, 0.03)
	addAround(p, b)
	return figure.Single(16*vg.Centimeter, 9*vg.Centimeter, p), nil
}

// addAround adds the dots, and the marks along the lower edge of the plot.
func addAround(p *plot.Plot, b Bands) {
	dots, marks := b.Around()
	if len(dots) > 0 {
		look := draw.GlyphStyle{Color: figure.Ink, Radius: vg.Millimeter * 0.5, Shape: draw.CircleGlyph{}}
		p.Legend.Add(b.DotsName, figure.AddPoints(p, dots, look))
	}
	figure.AddMarks(p, marks, b.MarksName)
}

// CSV writes every point of functions with bands; functions are counted from 1.
func (b Bands) CSV(out io.Writer) error {
	t := figure.NewTable(out, "function", "name", "x", "mean", "sd")
	for i, band := range b.Bands {
		for k := range min(len(b.X), len(band.Mean), len(band.SD)) {
			t.Row(strconv.Itoa(i+1), band.Label, figure.Exact(b.X[k]),
				figure.Exact(band.Mean[k]), figure.Exact(band.SD[k]))
		}
	}
	return t.Close()
}
