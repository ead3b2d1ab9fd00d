package viz_test

import (
	"fmt"
	"maps"
	"math"

	"dgplab/viz"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
	"dgplab/viz/heatmap"
	"dgplab/viz/plots"
)

// unusual holds pictures with missing or extreme values and with unusual numbers of parts.
var unusual = map[string]func() (viz.Picture, figure.Options){
	"bars beyond the axis": func() (viz.Picture, figure.Options) {
		b := plots.ErrorBars{YName: "error", XName: "inducing", OffName: "linear", Best: chart.Lowest,
			Series: []plots.ErrorSeries{{Label: "star"}, {Label: "linear", Run: 1}}}
		for i := range 14 {
			x := float64(i)
			b.Series[0].Points = append(b.Series[0].Points,
				plots.ErrorPoint{X: x, Mean: 2 - x/10, SE: 0.1, N: 3})
			b.Series[1].Points = append(b.Series[1].Points,
				plots.ErrorPoint{X: x, Mean: 90 * math.Pow(-1, x), SE: 1, N: 3, Off: true})
		}
		return b, figure.Options{Title: "Error against inducing points"}
	},
	"best category": func() (viz.Picture, figure.Options) {
		b := plots.ErrorBars{YName: "log-likelihood", Categories: []string{"rbf", "matern32", "linear"},
			Best: chart.Highest}
		for run := range 2 {
			s := plots.ErrorSeries{Label: fmt.Sprintf("run %d", run+1), Run: run}
			for i := range b.Categories {
				s.Points = append(s.Points, plots.ErrorPoint{X: float64(i), Mean: float64(i*(3-i) - run),
					SE: 0.4, N: 1 + 3*run})
			}
			b.Series = append(b.Series, s)
		}
		return b, figure.Options{Title: "Kernels"}
	},
	"plane with a gap": func() (viz.Picture, figure.Options) {
		m := heatmap.PlaneMap{X: []float64{0, 1, 2}, Y: []float64{0, 3},
			Values: []float64{0, math.NaN(), 1, 0.2, 0.8, 1}, XName: "x", YName: "y", Level: 0.5}
		return m, figure.Options{Title: "Plane"}
	},
	"named parts": func() (viz.Picture, figure.Options) {
		b := heatmap.BlockMap{Parts: []heatmap.Part{{Name: "f 1", Size: 3, Cells: 3},
			{Name: "f 2", Size: 3, Cells: 3}, {Name: "noise", Size: 3, Cells: 3}}}
		for i := range 81 {
			b.Log10 = append(b.Log10, -float64(i%9+i/9)/3)
		}
		b.Log10[7] = math.NaN()
		b.Cursor = b.Start(2)
		return b, figure.Options{Title: "Covariance of the functions"}
	},
	"missing value": func() (viz.Picture, figure.Options) {
		b := heatmap.BlockMap{Parts: parts([]int{1, 1}, 2, 1),
			Log10: []float64{20_000, math.NaN(), math.NaN(), -3}}
		b.Cursor = b.Start(9)
		b.Cursor.Column = heatmap.Place{Group: 1}
		return b, figure.Options{}
	},
	"odd layer": func() (viz.Picture, figure.Options) {
		p := demoLayer(5)
		p.Lengthscales = []float64{2, 2}
		for i, share := range []float64{0, 0.004, 0.01, math.NaN(), 0.999} {
			p.GPs[i].Share = share
		}
		p.Selected = 4
		return p, figure.Options{Title: "Layer"}
	},
	"layer without a grid": func() (viz.Picture, figure.Options) {
		p := demoLayer(2)
		p.Grid, p.Lengthscales = []float64{}, []float64{0.5, math.NaN()}
		return p, figure.Options{Title: "Layer"}
	},
	"five histograms": func() (viz.Picture, figure.Options) {
		var list plots.Histograms
		for i := range 5 {
			b := plots.NewHistogram([]float64{1, math.NaN(), 2, 2, 3, float64(i), math.Inf(1)}, 4, 2, 1.5)
			b.Label = fmt.Sprintf("chain %d", i+1)
			list = append(list, b)
		}
		return list, figure.Options{Title: "Chains"}
	},
	"gaps in predictions": func() (viz.Picture, figure.Options) {
		a := demoAgainsts(2)
		a.List[0].Ranges[0].Hi[1] = math.NaN()
		a.List[1].Ranges[1].Lo[0] = 1.6 // above Hi
		return a, figure.Options{Title: "Predicted"}
	},
	"fit off its grid": func() (viz.Picture, figure.Options) {
		f := demoFits(2)
		f.List[1].X = []float64{2, 1}
		return f, figure.Options{Title: "Fit"}
	},
	"long names": func() (viz.Picture, figure.Options) {
		r := demoRelevance()
		r.Inputs = []string{"height above the sea in metres", "mass of the whole body in kilograms"}
		for range 4 {
			r.Inputs = append(r.Inputs, "another input with a long name")
			r.List[0].Values = append(r.List[0].Values, 3)
		}
		return r, figure.Options{Title: "Relevance"}
	},
}

// init adds the unusual figures, and those with known positions, to the figures that all tests draw.
func init() {
	maps.Copy(figures, unusual)
	for name, f := range placed {
		figures[name] = f.draw
	}
}
