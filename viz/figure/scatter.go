package figure

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/number"
	"dgplab/viz/points"
)

// Scatter writes clouds of points without trends as a figure of 12 x 12 cm. A logarithmic
// axis up has the logarithms to base 10.
func Scatter(out io.Writer, format Format, s points.Scatter, o Options) error {
	x, y := axes.NewExtent(), axes.NewExtent()
	lists := make([][]axes.XY, len(s.Clouds))
	for i, c := range s.Clouds {
		for k := range min(len(c.X), len(c.Y)) {
			p := axes.XY{X: c.X[k], Y: c.Y[k]}
			if s.LogY {
				p.Y = math.Log10(p.Y)
			}
			if number.Finite(p.X) && number.Finite(p.Y) {
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
	if s.LogY {
		p.Y.Label.Text = "log10 of " + s.YName
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(axes.Plain.Ticks(x.Lo, x.Hi, 5)), ticks(axes.Plain.Ticks(y.Lo, y.Hi, 5))
	addGrid(p)
	for i, c := range s.Clouds {
		look := draw.GlyphStyle{Color: runColor(c.Run, 150), Radius: vg.Millimeter * 0.5, Shape: draw.CircleGlyph{}}
		cloud(p, lists[i], look)
		p.Legend.Add(c.Label, &plotter.Scatter{GlyphStyle: look})
	}
	setRange(&p.X, x.Lo, x.Hi, 0.03)
	setRange(&p.Y, y.Lo, y.Hi, 0.03)
	return render(out, format, 12*vg.Centimeter, 12*vg.Centimeter, p.Draw)
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
