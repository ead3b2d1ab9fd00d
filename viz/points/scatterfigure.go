package points

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/figure"
	"dgplab/viz/number"
)

// fewPoints is up to how many points of a cloud are drawn large.
const fewPoints = 400

// Figure returns clouds of points with their trends as a figure of 13 x 13 cm. Logarithmic
// axes have the logarithms to base 10.
func (s Scatter) Figure(o figure.Options) (*figure.Figure, error) {
	x := axes.NewExtent()
	y := axes.NewExtent()
	lists := make([][]axes.XY, len(s.Clouds))
	for i, c := range s.Clouds {
		for k := range min(len(c.X), len(c.Y)) {
			if p := onAxes(s, axes.XY{X: c.X[k], Y: c.Y[k]}); number.Finite(p.X) && number.Finite(p.Y) {
				x.Add(p.X)
				y.Add(p.Y)
				lists[i] = append(lists[i], p)
			}
		}
	}
	if x.N == 0 {
		return nil, fmt.Errorf("scatter: %w: no finite point", figure.ErrNothing)
	}
	if err := figure.CheckRange("scatter", x.Lo, x.Hi, y.Lo, y.Hi); err != nil {
		return nil, err
	}
	p := figure.NewPlot()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = o.Title, s.XName, s.YName
	if s.LogX {
		p.X.Label.Text = "log10 of " + s.XName
	}
	if s.LogY {
		p.Y.Label.Text = "log10 of " + s.YName
	}
	p.X.Tick.Marker = figure.Ticks(axes.Plain.Ticks(x.Lo, x.Hi, 5))
	p.Y.Tick.Marker = figure.Ticks(axes.Plain.Ticks(y.Lo, y.Hi, 5))
	figure.AddGrid(p)
	radius := 0.5 * vg.Millimeter
	if x.N <= fewPoints {
		radius = 0.8 * vg.Millimeter
	}
	for i, c := range s.Clouds {
		look := draw.GlyphStyle{Color: figure.RunColor(c.Run, 150), Radius: radius, Shape: draw.CircleGlyph{}}
		figure.AddPoints(p, lists[i], look)
		p.Legend.Add(c.Label, &plotter.Scatter{GlyphStyle: look})
	}
	addTrends(p, s)
	figure.SetRange(&p.X, x.Lo, x.Hi, 0.03)
	figure.SetRange(&p.Y, y.Lo, y.Hi, 0.03)
	return figure.Single(13*vg.Centimeter, 13*vg.Centimeter, p), nil
}

// onAxes returns a point as it lies on the axes of a scatter.
func onAxes(s Scatter, p axes.XY) axes.XY {
	if s.LogX {
		p.X = math.Log10(p.X)
	}
	if s.LogY {
		p.Y = math.Log10(p.Y)
	}
	return p
}

// addTrends adds the diagonal and the trends.
func addTrends(p *plot.Plot, s Scatter) {
	if s.Diagonal {
		lo := max(p.X.Min, p.Y.Min)
		hi := min(p.X.Max, p.Y.Max)
		if lo < hi {
			line := &plotter.Line{
				XYs:       plotter.XYs{{X: lo, Y: lo}, {X: hi, Y: hi}},
				LineStyle: draw.LineStyle{Color: figure.Soft, Width: vg.Millimeter / 3},
			}
			p.Add(line)
			p.Legend.Add("y = x", line)
		}
	}
	named := false
	for i, trend := range s.Trends() {
		var list []axes.XY
		for _, at := range trend {
			list = append(list, onAxes(s, at))
		}
		if len(list) > 1 {
			line := &plotter.Line{XYs: figure.Finite(list), LineStyle: figure.RunLine(s.Clouds[i].Run)}
			p.Add(line)
			if !named {
				p.Legend.Add(s.Trend.String(), line)
			}
			named = true
		}
	}
}

// CSV writes the points of all clouds.
func (s Scatter) CSV(out io.Writer) error {
	t := figure.NewTable(out, "name", s.XName, s.YName)
	for _, c := range s.Clouds {
		for k := range min(len(c.X), len(c.Y)) {
			t.Row(c.Label, figure.Exact(c.X[k]), figure.Exact(c.Y[k]))
		}
	}
	return t.Close()
}
