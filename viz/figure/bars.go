package figure

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"dgplab/viz/axes"
	"dgplab/viz/calibration"
	"dgplab/viz/number"
)

// Bars writes a histogram as a figure of 16 x 7 cm.
func Bars(out io.Writer, format Format, b calibration.Bars, o Options) error {
	top, n := 0.0, 0
	for _, v := range b.Values {
		if number.Finite(v) {
			top = math.Max(top, v)
			n++
		}
	}
	if n == 0 || !(b.Lo < b.Hi) {
		return fmt.Errorf("bars: %w: no finite value", ErrNothing)
	}
	if top == 0 {
		top = 1
	}
	if err := checkRange("bars", b.Lo, b.Hi, top); err != nil {
		return err
	}
	p := newPlot()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = o.Title, b.XName, b.YName
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(axes.Plain.Ticks(b.Lo, b.Hi, 8)), ticks(axes.Plain.Ticks(0, top, 5))
	addGrid(p)
	width := (b.Hi - b.Lo) / float64(len(b.Values))
	for i, v := range b.Values {
		if !number.Finite(v) || v <= 0 {
			continue
		}
		x0, x1 := b.Lo+(float64(i)+0.1)*width, b.Lo+(float64(i)+0.9)*width
		bar, err := plotter.NewPolygon(plotter.XYs{{X: x0}, {X: x0, Y: v}, {X: x1, Y: v}, {X: x1}})
		if err != nil {
			return fmt.Errorf("bar %d: %w", i+1, err)
		}
		bar.Color, bar.LineStyle.Color, bar.LineStyle.Width = runColor(b.Run, 200), color.Transparent, 0
		p.Add(bar)
	}
	setRange(&p.X, b.Lo, b.Hi, 0)
	setRange(&p.Y, 0, top*1.05, 0)
	return render(out, format, 16*vg.Centimeter, 7*vg.Centimeter, p.Draw)
}
