package figure

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/calibration"
	"dgplab/viz/number"
)

// Bars writes a histogram, with its lines and its band, as a figure of 16 x 7 cm.
func Bars(out io.Writer, format Format, b calibration.Bars, o Options) error {
	p, err := barsPlot(b, 8)
	switch {
	case err != nil:
		return err
	case p == nil:
		return fmt.Errorf("bars: %w: no finite value", ErrNothing)
	}
	p.Title.Text = o.Title
	return single(out, format, 16*vg.Centimeter, 7*vg.Centimeter, p)
}

// histogramColumns is the most histograms side by side.
const histogramColumns = 2

// Histograms writes histograms as small charts, each of several with its label.
func Histograms(out io.Writer, format Format, list []calibration.Bars, o Options) error {
	var plots []*plot.Plot
	drawn := 0
	for _, b := range list {
		p, err := barsPlot(b, 4)
		if err != nil {
			return err
		}
		if p != nil {
			drawn++
			if len(list) > 1 {
				p.Title.Text, p.Title.TextStyle.Font.Size = b.Label, labelSize
			}
		}
		plots = append(plots, p)
	}
	if drawn == 0 {
		return fmt.Errorf("histograms: %w: no finite value", ErrNothing)
	}
	return tile(out, format, plots, min(len(plots), histogramColumns), o)
}

// barsPlot returns the chart of a histogram with about so many ticks along it, nil without
// a finite value.
func barsPlot(b calibration.Bars, across int) (*plot.Plot, error) {
	e := axes.NewExtent()
	for _, v := range b.Values {
		if number.Finite(v) {
			e.Add(v)
		}
	}
	if e.N == 0 || !(b.Lo < b.Hi) {
		return nil, nil
	}
	top := e.Hi
	if b.Expected > 0 {
		top = math.Max(top, math.Max(b.Expected, b.Band[1]))
	}
	for _, v := range b.Density {
		top = math.Max(top, v)
	}
	if !(top > 0) {
		top = 1
	}
	if err := checkRange("bars", b.Lo, b.Hi, top); err != nil {
		return nil, err
	}
	p := newPlot()
	p.X.Label.Text, p.Y.Label.Text = b.XName, b.YName
	p.X.Tick.Marker = ticks(axes.Plain.Ticks(b.Lo, b.Hi, across))
	p.Y.Tick.Marker = ticks(axes.Plain.Ticks(0, top, 5))
	addGrid(p)
	if err := addBars(p, b); err != nil {
		return nil, err
	}
	setRange(&p.X, b.Lo, b.Hi, 0)
	setRange(&p.Y, 0, top*1.05, 0)
	return p, nil
}

// addBars adds the band, the bars and the lines over them.
func addBars(p *plot.Plot, b calibration.Bars) error {
	level := func(v float64) plotter.XYs { return plotter.XYs{{X: b.Lo, Y: v}, {X: b.Hi, Y: v}} }
	if b.Expected > 0 {
		if err := addShade(p, b.Label, b.Run,
			append(level(b.Band[0]), plotter.XY{X: b.Hi, Y: b.Band[1]}, plotter.XY{
				X: b.Lo,
				Y: b.Band[1],
			})); err != nil {
			return err
		}
	}
	width := (b.Hi - b.Lo) / float64(len(b.Values))
	for i, v := range b.Values {
		if !number.Finite(v) || v <= 0 {
			continue
		}
		x0 := b.Lo + (float64(i)+0.1)*width
		x1 := b.Lo + (float64(i)+0.9)*width
		if err := addArea(p, plotter.XYs{{X: x0}, {X: x0, Y: v}, {X: x1, Y: v}, {X: x1}}, b.Run); err != nil {
			return fmt.Errorf("bar %d: %w", i+1, err)
		}
	}
	look := draw.LineStyle{Color: inkColor, Width: vg.Millimeter / 3}
	if b.Expected > 0 {
		p.Add(&plotter.Line{XYs: level(b.Expected), LineStyle: look})
	}
	if n := len(b.Density); n > 1 {
		var line plotter.XYs
		for k, v := range b.Density {
			line = append(line, plotter.XY{X: b.Lo + (b.Hi-b.Lo)*float64(k)/float64(n-1), Y: v})
		}
		p.Add(&plotter.Line{XYs: line, LineStyle: look})
	}
	return nil
}

// addArea adds an area in the colour of a run.
func addArea(p *plot.Plot, outline plotter.XYs, run int) error {
	area, err := plotter.NewPolygon(outline)
	if err != nil {
		return err
	}
	area.Color = runColor(run, 200)
	area.LineStyle.Color = color.Transparent
	area.LineStyle.Width = 0
	p.Add(area)
	return nil
}

// HistogramsCSV writes what is in the bins of histograms, which have names.
func HistogramsCSV(out io.Writer, list []calibration.Bars) error {
	t := NewTable(out, "name", "from", "to", "value")
	for _, b := range list {
		width := (b.Hi - b.Lo) / float64(len(b.Values))
		for i, v := range b.Values {
			t.Row(b.Label, Exact(b.Lo+float64(i)*width), Exact(b.Lo+float64(i+1)*width), Exact(v))
		}
	}
	return t.Close()
}
