package calibration

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
	"dgplab/viz/canvas"
	"dgplab/viz/figure"
	"dgplab/viz/number"
)

// Figure returns a histogram, with its lines and its band, as a figure of 16 x 7 cm.
func (b Bars) Figure(o figure.Options) (*figure.Figure, error) {
	p, err := barsPlot(b, 8)
	switch {
	case err != nil:
		return nil, err
	case p == nil:
		return nil, fmt.Errorf("bars: %w: no finite value", figure.ErrNothing)
	}
	p.Title.Text = o.Title
	return figure.Single(16*vg.Centimeter, 7*vg.Centimeter, p), nil
}

// Histograms are histograms side by side.
type Histograms []Bars

// leastHistogram is the least height of a histogram among others.
const leastHistogram = 4

// Render draws the histograms in one row, or in two where there is room.
func (list Histograms) Render(style canvas.Style, w, h int) []string {
	if len(list) == 0 {
		return canvas.Empty(style, w, h, "no points yet")
	}
	rows := 1
	if len(list) > 2 && h >= 2*leastHistogram {
		rows = 2
	}
	columns := (len(list) + rows - 1) / rows
	lines := make([]string, h)
	for i := range rows * columns {
		x, y := i%columns, i/columns
		y0, y1 := y*h/rows, (y+1)*h/rows
		width := (x+1)*w/columns - x*w/columns
		var part []string
		if i < len(list) {
			part = list[i].Render(style, width, y1-y0)
		} else {
			part = canvas.New(style, width, y1-y0).Lines()
		}
		for k, line := range part {
			lines[y0+k] += line
		}
	}
	return lines
}

// Figure returns the histograms as small charts, each of several with its label.
func (list Histograms) Figure(o figure.Options) (*figure.Figure, error) {
	var plots []*plot.Plot
	drawn := 0
	for _, b := range list {
		p, err := barsPlot(b, 4)
		if err != nil {
			return nil, err
		}
		if p != nil {
			drawn++
			if len(list) > 1 {
				p.Title.Text, p.Title.TextStyle.Font.Size = b.Label, figure.LabelSize
			}
		}
		plots = append(plots, p)
	}
	if drawn == 0 {
		return nil, fmt.Errorf("histograms: %w: no finite value", figure.ErrNothing)
	}
	return figure.Tile(plots, min(len(plots), figure.ArrangedColumns), o), nil
}

// barsPlot returns the chart of a histogram with about so many ticks along it, nil without
// a finite value.
func barsPlot(b Bars, across int) (*plot.Plot, error) {
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
	if err := figure.CheckRange("bars", b.Lo, b.Hi, top); err != nil {
		return nil, err
	}
	p := figure.NewPlot()
	p.X.Label.Text, p.Y.Label.Text = b.XName, b.YName
	p.X.Tick.Marker = figure.Ticks(axes.Plain.Ticks(b.Lo, b.Hi, across))
	p.Y.Tick.Marker = figure.Ticks(axes.Plain.Ticks(0, top, 5))
	figure.AddGrid(p)
	if err := addBars(p, b); err != nil {
		return nil, err
	}
	figure.SetRange(&p.X, b.Lo, b.Hi, 0)
	figure.SetRange(&p.Y, 0, top*1.05, 0)
	return p, nil
}

// addBars adds the band, the bars and the lines over them.
func addBars(p *plot.Plot, b Bars) error {
	level := func(v float64) plotter.XYs { return plotter.XYs{{X: b.Lo, Y: v}, {X: b.Hi, Y: v}} }
	if b.Expected > 0 {
		if err := figure.AddShade(p, b.Label, b.Run,
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
	look := draw.LineStyle{Color: figure.Ink, Width: vg.Millimeter / 3}
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
	area.Color = figure.RunColor(run, 200)
	area.LineStyle.Color = color.Transparent
	area.LineStyle.Width = 0
	p.Add(area)
	return nil
}

// CSV writes the value of every bin.
func (b Bars) CSV(out io.Writer) error { return Histograms{b}.CSV(out) }

// CSV writes the value of every bin of every histogram.
func (list Histograms) CSV(out io.Writer) error {
	t := figure.NewTable(out, "name", "from", "to", "value")
	for _, b := range list {
		width := (b.Hi - b.Lo) / float64(len(b.Values))
		for i, v := range b.Values {
			t.Row(b.Label, figure.Exact(b.Lo+float64(i)*width),
				figure.Exact(b.Lo+float64(i+1)*width), figure.Exact(v))
		}
	}
	return t.Close()
}
