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
	"dgplab/viz/number"
)

// Figure returns a reliability diagram as a figure of 11 x 10 cm: the diagonal, the
// share right of each bin with the band of chance around it, and how many points there
// are.
func (r Reliability) Figure(o figure.Options) (*figure.Figure, error) {
	p := figure.NewPlot()
	p.Title.Text = o.Title
	p.X.Label.Text = "probability of the most probable class"
	p.Y.Label.Text = "share right"
	p.X.Tick.Marker = figure.Ticks(axes.Plain.Ticks(0, 1, 6))
	p.Y.Tick.Marker = figure.Ticks(axes.Plain.Ticks(0, 1, 6))
	figure.AddGrid(p)
	diagonal := draw.LineStyle{Color: figure.Soft, Width: vg.Points(1)}
	p.Add(&plotter.Line{XYs: plotter.XYs{{}, {X: 1, Y: 1}}, LineStyle: diagonal})
	drawn, least, most := 0, 0, 0
	for _, l := range r.Lines {
		var list plotter.XYs
		for _, b := range l.Bins {
			if b.N < 1 {
				continue
			}
			lo, hi := b.Band()
			band, err := plotter.NewLine(plotter.XYs{{X: b.Confidence, Y: lo}, {X: b.Confidence, Y: hi}})
			if err != nil {
				return nil, fmt.Errorf("reliability %q: %w", l.Label, err)
			}
			band.LineStyle = draw.LineStyle{Color: figure.RunColor(l.Run, 70), Width: 2 * vg.Millimeter}
			p.Add(band)
			list = append(list, plotter.XY{X: b.Confidence, Y: b.Right})
		}
		if len(list) == 0 {
			continue
		}
		line, points, err := plotter.NewLinePoints(list)
		if err != nil {
			return nil, fmt.Errorf("reliability %q: %w", l.Label, err)
		}
		line.LineStyle = figure.RunLine(l.Run)
		points.GlyphStyle = draw.GlyphStyle{
			Color:  figure.RunColor(l.Run, 255),
			Radius: vg.Millimeter,
			Shape:  draw.CircleGlyph{},
		}
		p.Add(line, points)
		p.Legend.Add(fmt.Sprintf("%s, calibration error %.3g", l.Label, l.Error()), line, points)
		drawn++
		if drawn == 1 {
			least = l.Points()
		}
		least = min(least, l.Points())
		most = max(most, l.Points())
	}
	if drawn == 0 {
		return nil, fmt.Errorf("reliability: %w: no points", figure.ErrNothing)
	}
	p.X.Label.Text += ", n = " + number.Count(least, most)
	p.X.Min = 0
	p.X.Max = 1
	p.Y.Min = 0
	p.Y.Max = 1
	return figure.Single(11*vg.Centimeter, 10*vg.Centimeter, p), nil
}

// CSV writes every bin that has points, with the ends of the band of chance.
func (r Reliability) CSV(out io.Writer) error {
	t := figure.NewTable(out, "run", "label", "bin", "n", "probability", "right", "chance_low", "chance_high")
	for _, l := range r.Lines {
		for i, b := range l.Bins {
			if b.N > 0 {
				lo, hi := b.Band()
				t.Row(strconv.Itoa(l.Run+1), l.Label, strconv.Itoa(i+1), strconv.Itoa(b.N),
					figure.Exact(b.Confidence), figure.Exact(b.Right), figure.Exact(lo), figure.Exact(hi))
			}
		}
	}
	return t.Close()
}
