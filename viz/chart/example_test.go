package chart_test

import (
	"fmt"
	"io"
	"strings"

	"dgplab/viz"
	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// Residuals shows residuals over an input, with the standard deviation that the model predicts. It
// is a whole picture: the chart is described once, and the three methods of viz.Picture follow.
type Residuals struct{ X, Y, SD []float64 }

func (r Residuals) chart() *chart.Chart {
	x := chart.NewExtent()
	y := chart.NewExtent()
	var below []float64
	for k, sd := range r.SD {
		below = append(below, -sd)
		x.Add(r.X[k])
		for _, v := range []float64{r.Y[k], sd, -sd} {
			y.Add(v)
		}
	}
	c := &chart.Chart{Name: "residuals", PadY: 0.04, Page: chart.Page{W: 14, H: 8, NX: 6, NY: 5}}
	if x.N == 0 {
		c.Empty = "no points yet"
		return c
	}
	c.Plane = chart.Plane{X: chart.Fit(chart.Linear, x, false), Y: chart.Fit(chart.Linear, y, false),
		XName: "input", YName: "residual"}
	sd := chart.Range{Name: "1 sd", Lo: below, Hi: r.SD}
	c.Marks = []chart.Mark{
		chart.Band{X: r.X, Ranges: []chart.Range{sd}, Color: chart.Faint.Fade(0, 110)},
		chart.Level{Glyph: '─', Color: chart.Soft, Width: 0.3},
		chart.Points{Name: "test points", XY: chart.Join(r.X, r.Y), Glyph: '●', Color: chart.Run(0),
			Radius: 0.8},
	}
	return c
}

func (r Residuals) Render(style canvas.Style, w, h int) []string {
	return r.chart().Render(style, w, h)
}

func (r Residuals) Figure(o figure.Options) (*figure.Figure, error) { return r.chart().Figure(o) }

func (r Residuals) CSV(w io.Writer) error {
	t := figure.NewTable(w, "x", "residual", "sd")
	for k := range r.X {
		t.Row(figure.Exact(r.X[k]), figure.Exact(r.Y[k]), figure.Exact(r.SD[k]))
	}
	return t.Close()
}

func Example() {
	var p viz.Picture = Residuals{
		X: []float64{0, 1, 2, 3, 4}, Y: []float64{0.4, -0.6, 0.2, 1.8, -1.2},
		SD: []float64{0.5, 0.5, 1, 1.5, 1.5},
	}
	for _, line := range p.Render(canvas.Style{}, 34, 12) {
		fmt.Println(strings.TrimRight(line, " "))
	}
	// Output:
	// residual
	//   │                       ●
	//   │                   ░░░░░░░░░░░░
	//  1┤           ░░░░░░░░░░░░░░░░░░░░
	//   │●░░░░░░░░░░░░░░●░░░░░░░░░░░░░░░
	//  0┤───────────────────────────────
	//   │░░░░░░░░●░░░░░░░░░░░░░░░░░░░░░░
	// -1┤              ░░░░░░░░░░░░░░░░●
	//   │                      ░░░░░░░░░
	//   └┬──────────────┬──────────────┬
	//    0              2              4
	//                 input
}
