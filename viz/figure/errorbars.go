package figure

import (
	"fmt"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/number"
	"dgplab/viz/points"
)

// seriesShift is how far series of a category lie apart.
const seriesShift = 0.14

// ErrorBars writes means with bars by category as a figure of 14 x 8 cm, series side by
// side.
func ErrorBars(out io.Writer, format Format, b points.ErrorBars, o Options) error {
	p := newPlot()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = o.Title, b.XName, b.YName
	var names plot.ConstantTicks
	for i, name := range b.Categories {
		names = append(names, plot.Tick{Value: float64(i), Label: name})
	}
	p.X.Tick.Marker = names
	addGrid(p)
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
				LineStyle: draw.LineStyle{Color: runColor(s.Run, 255), Width: vg.Millimeter / 2.5},
			})
		}
		if len(list) > 0 {
			look := draw.GlyphStyle{
				Color:  runColor(s.Run, 255),
				Radius: vg.Millimeter * 0.9,
				Shape:  draw.CircleGlyph{},
			}
			p.Legend.Add(s.Label, cloud(p, list, look))
		}
	}
	if y.N == 0 {
		return fmt.Errorf("means: %w: no finite value", ErrNothing)
	}
	if err := checkRange("means", y.Lo, y.Hi); err != nil {
		return err
	}
	p.Y.Tick.Marker = ticks(axes.Plain.Ticks(y.Lo, y.Hi, 6))
	p.X.Min, p.X.Max = -0.5, float64(len(b.Categories))-0.5
	setRange(&p.Y, y.Lo, y.Hi, 0.05)
	return single(out, format, 14*vg.Centimeter, 8*vg.Centimeter, p)
}
