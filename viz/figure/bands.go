package figure

import (
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/points"
)

// Bands writes functions with their bands as a figure of 16 x 9 cm.
func Bands(out io.Writer, format Format, b points.Bands, o Options) error {
	x, y, ok := b.Ranges()
	if !ok {
		return fmt.Errorf("functions: %w: no finite value", ErrNothing)
	}
	if err := checkRange("functions", x.Lo, x.Hi, y.Lo, y.Hi); err != nil {
		return err
	}
	p := newPlot()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = o.Title, b.XName, b.YName
	p.X.Tick.Marker = ticks(axes.Plain.Ticks(x.Lo, x.Hi, 7))
	p.Y.Tick.Marker = ticks(axes.Plain.Ticks(y.Lo, y.Hi, 6))
	addGrid(p)
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
		if err := addShade(p, band.Label, band.Run, edge); err != nil {
			return err
		}
		mean, err := plotter.NewLine(line)
		if err != nil {
			return fmt.Errorf("function %q: %w", band.Label, err)
		}
		mean.LineStyle = runLine(band.Run)
		p.Add(mean)
		p.Legend.Add(fmt.Sprintf("%s, mean ± %d sd", band.Label, points.BandWidth), mean)
	}
	setRange(&p.X, x.Lo, x.Hi, 0)
	setRange(&p.Y, y.Lo, y.Hi, 0.03)
	addAround(p, b)
	return single(out, format, 16*vg.Centimeter, 9*vg.Centimeter, p)
}

// addAround adds the dots, and the marks along the lower edge of the plot.
func addAround(p *plot.Plot, b points.Bands) {
	dots, marks := b.Around()
	if len(dots) > 0 {
		look := draw.GlyphStyle{Color: inkColor, Radius: vg.Millimeter * 0.5, Shape: draw.CircleGlyph{}}
		p.Legend.Add(b.DotsName, cloud(p, dots, look))
	}
	addMarks(p, marks, b.MarksName)
}

// BandsCSV writes every point of functions with bands; functions are counted from 1.
func BandsCSV(out io.Writer, b points.Bands) error {
	t := NewTable(out, "function", "name", "x", "mean", "sd")
	for i, band := range b.Bands {
		for k := range min(len(b.X), len(band.Mean), len(band.SD)) {
			t.Row(strconv.Itoa(i+1), band.Label, Exact(b.X[k]), Exact(band.Mean[k]), Exact(band.SD[k]))
		}
	}
	return t.Close()
}
