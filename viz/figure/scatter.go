package figure

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/number"
	"dgplab/viz/points"
)

// fewPoints is up to how many points of a cloud are drawn large.
const fewPoints = 400

// Scatter writes clouds of points with their trends as a figure of 13 x 13 cm. Logarithmic
// axes have the logarithms to base 10.
func Scatter(out io.Writer, format Format, s points.Scatter, o Options) error {
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
		return fmt.Errorf("scatter: %w: no finite point", ErrNothing)
	}
	if err := checkRange("scatter", x.Lo, x.Hi, y.Lo, y.Hi); err != nil {
		return err
	}
	p := newPlot()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = o.Title, s.XName, s.YName
	if s.LogX {
		p.X.Label.Text = "log10 of " + s.XName
	}
	if s.LogY {
		p.Y.Label.Text = "log10 of " + s.YName
	}
	p.X.Tick.Marker = ticks(axes.Plain.Ticks(x.Lo, x.Hi, 5))
	p.Y.Tick.Marker = ticks(axes.Plain.Ticks(y.Lo, y.Hi, 5))
	addGrid(p)
	radius := 0.5 * vg.Millimeter
	if x.N <= fewPoints {
		radius = 0.8 * vg.Millimeter
	}
	for i, c := range s.Clouds {
		look := draw.GlyphStyle{Color: runColor(c.Run, 150), Radius: radius, Shape: draw.CircleGlyph{}}
		cloud(p, lists[i], look)
		p.Legend.Add(c.Label, &plotter.Scatter{GlyphStyle: look})
	}
	addTrends(p, s)
	setRange(&p.X, x.Lo, x.Hi, 0.03)
	setRange(&p.Y, y.Lo, y.Hi, 0.03)
	return single(out, format, 13*vg.Centimeter, 13*vg.Centimeter, p)
}

// onAxes returns a point as it lies on the axes of a scatter.
func onAxes(s points.Scatter, p axes.XY) axes.XY {
	if s.LogX {
		p.X = math.Log10(p.X)
	}
	if s.LogY {
		p.Y = math.Log10(p.Y)
	}
	return p
}

// addTrends adds the diagonal and the trends.
func addTrends(p *plot.Plot, s points.Scatter) {
	if s.Diagonal {
		lo := max(p.X.Min, p.Y.Min)
		hi := min(p.X.Max, p.Y.Max)
		if lo < hi {
			line := &plotter.Line{
				XYs:       plotter.XYs{{X: lo, Y: lo}, {X: hi, Y: hi}},
				LineStyle: draw.LineStyle{Color: softColor, Width: vg.Millimeter / 3},
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
			line := &plotter.Line{XYs: finite(list), LineStyle: runLine(s.Clouds[i].Run)}
			p.Add(line)
			if !named {
				p.Legend.Add(s.Trend.String(), line)
			}
			named = true
		}
	}
}

// ScatterCSV writes the points of all clouds.
func ScatterCSV(out io.Writer, s points.Scatter) error {
	t := NewTable(out, "name", s.XName, s.YName)
	for _, c := range s.Clouds {
		for k := range min(len(c.X), len(c.Y)) {
			t.Row(c.Label, Exact(c.X[k]), Exact(c.Y[k]))
		}
	}
	return t.Close()
}
