package calibration

import (
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/figure"
)

// chancePoints is the number of points of a band of chance.
const chancePoints = 101

// Figure returns observed against nominal coverage as a figure of 13 x 12 cm: the diagonal
// with the band of chance of the line with the fewest targets, and the lines.
func (c Coverage) Figure(o figure.Options) (*figure.Figure, error) {
	least := c.Least()
	if least == 0 {
		return nil, fmt.Errorf("coverage: %w: no points", figure.ErrNothing)
	}
	p := figure.NewPlot()
	p.Title.Text = o.Title
	p.X.Label.Text = "nominal coverage"
	p.Y.Label.Text = "observed coverage"
	p.X.Tick.Marker = figure.Ticks(axes.Plain.Ticks(0, 1, 6))
	p.Y.Tick.Marker = figure.Ticks(axes.Plain.Ticks(0, 1, 6))
	figure.AddGrid(p)
	var below, outline plotter.XYs
	for k := range chancePoints {
		a := float64(k) / (chancePoints - 1)
		lo, hi := Chance(least, a)
		below = append(below, plotter.XY{X: a, Y: lo})
		outline = append(outline, plotter.XY{X: a, Y: hi})
	}
	for k := len(below) - 1; k >= 0; k-- {
		outline = append(outline, below[k])
	}
	band, err := plotter.NewPolygon(outline)
	if err != nil {
		return nil, fmt.Errorf("coverage: %w", err)
	}
	band.Color, band.LineStyle.Width = figure.Grid, 0
	p.Add(band, &plotter.Line{
		XYs:       plotter.XYs{{}, {X: 1, Y: 1}},
		LineStyle: draw.LineStyle{Color: figure.Soft, Width: vg.Millimeter / 3},
	})
	p.Legend.Add(fmt.Sprintf("95 %% band of chance, n = %d", least), &plotter.Line{
		LineStyle: draw.LineStyle{Color: figure.Grid, Width: 2 * vg.Millimeter},
	})
	for _, l := range c.Lines {
		line := &plotter.Line{
			XYs:       figure.Finite(figure.Join(l.Nominal, l.Observed)),
			LineStyle: figure.RunLine(l.Run),
		}
		if len(line.XYs) > 0 {
			p.Add(line)
			p.Legend.Add(fmt.Sprintf("%s, %.1f %% in 95 %%", l.Label, 100*l.At(0.95)), line)
		}
	}
	p.X.Min = 0
	p.X.Max = 1
	p.Y.Min = 0
	p.Y.Max = 1
	return figure.Single(13*vg.Centimeter, 12*vg.Centimeter, p), nil
}

// CSV writes every level of every line, with the ends of the band of chance of as
// many targets.
func (c Coverage) CSV(out io.Writer) error {
	t := figure.NewTable(out, "run", "label", "n", "nominal", "observed", "chance_low", "chance_high")
	for _, l := range c.Lines {
		for k := range min(len(l.Nominal), len(l.Observed)) {
			if l.N > 0 {
				lo, hi := Chance(l.N, l.Nominal[k])
				t.Row(strconv.Itoa(l.Run+1), l.Label, strconv.Itoa(l.N), figure.Exact(l.Nominal[k]),
					figure.Exact(l.Observed[k]), figure.Exact(lo), figure.Exact(hi))
			}
		}
	}
	return t.Close()
}
