package viz_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dgplab/viz"
	"dgplab/viz/chart"
	"dgplab/viz/curves"
	"dgplab/viz/figure"
	"dgplab/viz/golden"
	"dgplab/viz/heatmap"
	"dgplab/viz/plots"
	"dgplab/viz/tables"
)

// export writes a picture in a format.
func export(w io.Writer, f figure.Format, p viz.Picture, o figure.Options) error {
	drawn, err := p.Figure(o)
	if err != nil {
		return err
	}
	return drawn.Write(w, f)
}

var keep = flag.String("keep", "", "write the figures into this folder for inspection")

func demoCurve() curves.Curve {
	r := rand.New(rand.NewPCG(1, 2))
	elbo := curves.Series{Label: "ELBO"}
	for i := range 3000 {
		elbo.X = append(elbo.X, float64(i*10))
		elbo.Y = append(elbo.Y, -900-9000*math.Exp(-float64(i)/200)+120*r.NormFloat64())
	}
	elbo.Y[2000] = math.NaN()
	return curves.Curve{Series: []curves.Series{elbo}, Smoothing: 0.95}
}

func demoValidation() curves.Curve {
	r := rand.New(rand.NewPCG(3, 4))
	c := curves.Curve{Best: chart.Highest, X: chart.Seconds}
	for run, name := range []string{"stripes-and-arrow", "mean-field"} {
		s := curves.Series{Label: name, Run: run}
		for i := range 40 {
			s.X = append(s.X, float64(i*30))
			s.Y = append(s.Y, -2.4-0.15*float64(run)-math.Exp(-float64(i)/5)+0.01*r.NormFloat64())
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// parts returns the parts of layers with the given numbers of GPs, all of one size.
func parts(gps []int, size, cells int) (list []heatmap.Part) {
	for layer, n := range gps {
		for range n {
			list = append(list, heatmap.Part{Group: layer, Size: size, Cells: cells})
		}
	}
	return list
}

func demoMap() heatmap.BlockMap {
	const cells = 12
	b := heatmap.BlockMap{Parts: parts([]int{2, 2, 1}, 64, cells)}
	side := b.Side()
	for i := range side {
		for j := range side {
			bi, bj := i/cells, j/cells
			v := -0.3*math.Abs(float64(i%cells-j%cells)) - math.Abs(float64(bi-bj))
			if (bi-bj)%2 != 0 && bi != 4 && bj != 4 {
				v = math.Inf(-1)
			}
			b.Log10 = append(b.Log10, v)
		}
	}
	return b
}

func demoLayer(n int) plots.Layer {
	r := rand.New(rand.NewPCG(5, 6))
	p := plots.Layer{Layers: 3, XName: "first input"}
	for i := range 60 {
		p.Grid = append(p.Grid, -3+6*float64(i)/59)
	}
	for k := range n {
		g := plots.LayerGP{Mean: 0.1, SD: 1.2, Min: -2, Max: 2.5, Share: 0.5, Collapsed: k == 1}
		for range 5 {
			a := r.NormFloat64()
			b := r.NormFloat64()
			var curve []float64
			for _, x := range p.Grid {
				curve = append(curve, math.Tanh(2*x)+0.3*(a*math.Sin(x)+b*math.Cos(1.3*x)))
			}
			g.Curves = append(g.Curves, curve)
		}
		p.GPs = append(p.GPs, g)
	}
	return p
}

func demoGroups() curves.Curve {
	r := rand.New(rand.NewPCG(7, 8))
	c := curves.Curve{X: chart.Epochs}
	for run, name := range []string{"stripes-and-arrow", "mean-field"} {
		g := curves.Group{Label: name, Run: run}
		for seed := range 5 {
			s := curves.Series{Label: fmt.Sprint(seed)}
			level := -2.4 - 0.15*float64(run) + 0.05*r.NormFloat64()
			for i := range 40 - 10*(seed/4)*run {
				s.X = append(s.X, float64(i*3))
				s.Y = append(s.Y, level-math.Exp(-float64(i)/5)+0.01*r.NormFloat64())
			}
			g.Members = append(g.Members, s)
		}
		c.Groups = append(c.Groups, g)
	}
	return c
}

// figures holds pictures of all kinds.
var figures = map[string]func() (viz.Picture, figure.Options){
	"elbo": func() (viz.Picture, figure.Options) {
		return demoCurve(), figure.Options{Title: "boston, star <3 layers> & more", Y: "ELBO"}
	},
	"validation": func() (viz.Picture, figure.Options) {
		return demoValidation(), figure.Options{Title: "Validation", Y: "mean log-likelihood"}
	},
	"gap": func() (viz.Picture, figure.Options) {
		c := demoCurve()
		c.Scale = chart.Gap
		return c, figure.Options{Y: "gap to the best ELBO"}
	},
	"single": func() (viz.Picture, figure.Options) {
		return curves.Curve{
			Series: []curves.Series{{Label: "one", Y: []float64{3}}},
			Best:   chart.Highest,
		}, figure.Options{}
	},
	"map": func() (viz.Picture, figure.Options) {
		return demoMap(), figure.Options{
			Title: "boston, star: covariance of the inducing outputs",
		}
	},
	"blank": func() (viz.Picture, figure.Options) {
		return heatmap.BlockMap{Parts: parts([]int{1}, 1, 1), Log10: []float64{math.Inf(-1)}},
			figure.Options{}
	},
	"clipped": func() (viz.Picture, figure.Options) {
		b := demoMap()
		b.Log10[1] = -300
		return b, figure.Options{}
	},
	"parts": func() (viz.Picture, figure.Options) {
		b := heatmap.BlockMap{
			Parts: []heatmap.Part{{Size: 4, Cells: 2}, {Size: 9, Cells: 3}, {Group: 2, Size: 1, Cells: 1}},
			Log10: make([]float64, 36),
		}
		return b, figure.Options{}
	},
	"layer": func() (viz.Picture, figure.Options) {
		return demoLayer(3), figure.Options{Title: "Layer 1 of 3"}
	},
	"groups": func() (viz.Picture, figure.Options) {
		return demoGroups(), figure.Options{
			Title: "Validation of five seeds",
			Y:     "mean log-likelihood",
		}
	},
	"zoom": func() (viz.Picture, figure.Options) {
		c := demoCurve()
		c.Zoom = [2]float64{12_003, 12_057}
		return c, figure.Options{Y: "ELBO"}
	},
	"bands": func() (viz.Picture, figure.Options) {
		b := plots.Bands{X: []float64{-1, 0, 1}, XName: "input 1", YName: "f", Bands: []plots.Band{
			{Label: "f <1>", Mean: []float64{0, 1, 0.5}, SD: []float64{0.3, 0.1, 0.4}},
			{Label: "f 2", Run: 1, Mean: []float64{1, math.NaN(), 2}, SD: []float64{1, 1, 1}}}}
		return b, figure.Options{Title: "Functions"}
	},
	"bands with points": func() (viz.Picture, figure.Options) {
		b := plots.Bands{X: []float64{-1, 0, 1}, XName: "unit 1", YName: "f",
			Bands: []plots.Band{{Label: "f", Mean: []float64{0, 1, 0.5}, SD: []float64{0.3, 0.1, 0.4}}},
			Dots:  []chart.XY{{X: 0.5, Y: 2}, {X: 7, Y: 1}, {X: 0, Y: math.NaN()}}, DotsName: "data",
			Marks: []float64{-0.5, 3}, MarksName: "inducing"}
		return b, figure.Options{}
	},
	"bars": func() (viz.Picture, figure.Options) {
		return plots.Histogram{
			Values: []float64{0.2, math.NaN(), 0, 0.9},
			Lo:     0.5,
			Hi:     4.5,
			XName:  "inducing point",
			YName:  "share",
		}, figure.Options{Title: "Factor"}
	},
	"error bars": func() (viz.Picture, figure.Options) {
		b := plots.ErrorBars{YName: "mean ± sd", Categories: []string{"GP 1", "GP 2"},
			Series: []plots.ErrorSeries{
				{Label: "matched",
					Points: []plots.ErrorPoint{{X: 0, Mean: 1, SE: 0.5, N: 2}, {X: 1, Mean: math.NaN()}}},
				{Label: "sampled", Run: 1,
					Points: []plots.ErrorPoint{{X: 0, Mean: 1.1, SE: 0.4, N: 2},
						{X: 1, Mean: -1, SE: 0.1, N: 2}}}}}
		return b, figure.Options{Title: "Moments"}
	},
	"plane": func() (viz.Picture, figure.Options) {
		m := heatmap.PlaneMap{X: []float64{0, 1, 2}, Y: []float64{0, 3},
			Values: []float64{0, 0.4, 1, 0.2, 0.8, 1}, XName: "x", YName: "y", Lo: 0, Hi: 1, Level: 0.5,
			Points: []heatmap.Points{{Label: "+1", X: []float64{1.5, 7}, Y: []float64{2, 2}},
				{Label: "-1", X: []float64{0.1}, Y: []float64{0.1}}},
			Marks: heatmap.Points{Label: "inducing", X: []float64{1}, Y: []float64{1}}}
		return m, figure.Options{Title: "P(inside=+1)"}
	},
	"flat plane": func() (viz.Picture, figure.Options) {
		m := heatmap.PlaneMap{X: []float64{0, 1}, Y: []float64{0, 3}, Values: []float64{7, 7, 7, 7},
			XName: "x", YName: "y", Name: "mean"}
		return m, figure.Options{}
	},
	"reliability": func() (viz.Picture, figure.Options) {
		l := plots.NewReliabilityLine([]float64{0.55, 0.95, 0.92, 0.9}, []bool{false, true, true, false}, 15)
		return plots.Reliability{Lines: []plots.ReliabilityLine{l}}, figure.Options{}
	},
	"histograms": func() (viz.Picture, figure.Options) {
		b := plots.NewHistogram([]float64{1, 2, 2, 3, 5}, 4, 2.6, 1.5)
		return plots.Histograms{b, b, b}, figure.Options{}
	},
	"inducing": func() (viz.Picture, figure.Options) {
		p := plots.Inducing{XName: "x", YName: "y",
			Seen: []chart.XY{{X: -1, Y: 0}, {X: math.NaN()}, {X: 2, Y: 1}}, Inputs: []plots.InducingInput{
				{At: chart.XY{X: -1}, Z: []chart.XY{{X: -0.5, Y: 0.5}, {X: 0, Y: math.Inf(1)}}},
				{At: chart.XY{X: 2, Y: 1},
					Z: []chart.XY{{X: 1, Y: 0.5}, {X: 1.5, Y: 2}}}}}
		return p, figure.Options{Title: "Inducing points of layer 1"}
	},
	"stems": func() (viz.Picture, figure.Options) {
		s := plots.Stems{
			Weights: []float64{0.2, 0.5, 0.3},
			Rows:    [][]float64{{-1, 0.1, 4}},
			RowName: "GP",
			XName:   "standard deviations",
		}
		return s, figure.Options{Title: "Quadrature points"}
	},
	"matrices": func() (viz.Picture, figure.Options) {
		return demoMatrices(), figure.Options{Title: "Network"}
	},
	"depths": func() (viz.Picture, figure.Options) {
		curve := []float64{0, 1, 0.5}
		p := plots.Depths{Grid: []float64{-1, 0, 1}, Along: "first direction", Kinds: []plots.DepthsKind{
			{Name: "conventional", Depths: [][][]float64{{curve, curve}, {curve}}},
			{Name: "amortized", Depths: [][][]float64{{curve}}}}}
		return p, figure.Options{Title: "Prior"}
	},
	"coverage": func() (viz.Picture, figure.Options) {
		return demoCoverage(), figure.Options{Title: "Coverage"}
	},
	"errors": func() (viz.Picture, figure.Options) {
		return demoErrors(), figure.Options{Title: "Errors against variance"}
	},
	"fit": func() (viz.Picture, figure.Options) {
		return demoFits(1), figure.Options{Title: "Fit along x"}
	},
	"fits": func() (viz.Picture, figure.Options) {
		return demoFits(3), figure.Options{Title: "Fit along x"}
	},
	"against": func() (viz.Picture, figure.Options) {
		return demoAgainsts(1), figure.Options{Title: "Predicted"}
	},
	"againsts": func() (viz.Picture, figure.Options) {
		return demoAgainsts(2), figure.Options{Title: "Predicted"}
	},
	"relevance": func() (viz.Picture, figure.Options) {
		return demoRelevance(), figure.Options{Title: "Relevance"}
	},
	"many": func() (viz.Picture, figure.Options) { return demoLayer(7), figure.Options{} },
	"dots": func() (viz.Picture, figure.Options) {
		d := plots.Dots{Columns: []string{"row", "method", "mean"}, Words: 1, XName: "score",
			DotName: "each run", RangeName: "2 sd", TickName: "reference"}
		for i := range 6 {
			x := float64(i*i) / 4
			d.Rows = append(d.Rows, plots.DotRow{Label: fmt.Sprintf("row %d", i), Run: i % 3,
				Texts: []string{"star", fmt.Sprint(x)}, Values: []float64{x, x + 0.5}, Lo: x - 1, Hi: x + 1,
				Tick: 2})
		}
		d.Rows[1].Values[0] = math.NaN()
		d.Rows[2].Lo = math.NaN()
		d.Rows[3].Tick = math.NaN()
		return d, figure.Options{Title: "Dots"}
	},
	"levels": func() (viz.Picture, figure.Options) {
		l := plots.Levels{Names: []string{"high", "low", "none"}, Counts: []int{3, 20, 7}, More: 2}
		l.XName, l.YName = "fuel", "price"
		for run := range 2 {
			y := float64(run)
			l.List = append(l.List, plots.Fit{Label: fmt.Sprintf("run %d", run+1), Run: run,
				X: []float64{0, 1, 2}, Mean: []float64{y, y + 2, 1 - y}, MeanName: "mean", DrawsName: "draws",
				Draws: [][]float64{{y + 0.5, y + 1, 1}},
				Ranges: []chart.Range{{Name: "95 %", Lo: []float64{y - 1, y, -1},
					Hi: []float64{y + 1, y + 3, 2}}},
				Observations: []plots.Observations{{Name: "training points", X: []float64{0, 1, 1, 2},
					Y: []float64{0.5, 1, 2.5, math.NaN()}}}})
		}
		return l, figure.Options{Title: "Levels"}
	},
	"curve with a cursor": func() (viz.Picture, figure.Options) {
		c := demoValidation()
		at := 610.0
		c.Cursor, c.Best, c.Range = &at, chart.Lowest, curves.Recent
		return c, figure.Options{Y: "error"}
	},
	"means": func() (viz.Picture, figure.Options) {
		c := demoCurve()
		c.Smoothing, c.Means, c.Scale, c.X = 0, true, chart.Log, chart.Epochs.Log()
		for i := range c.Series[0].X {
			c.Series[0].X[i] = math.Log10(1 + c.Series[0].X[i])
		}
		return c, figure.Options{Y: "ELBO"}
	},
	"smooth groups": func() (viz.Picture, figure.Options) {
		c := demoGroups()
		c.Groups[1].Members = c.Groups[1].Members[:2]
		at := 60.0
		c.Smoothing, c.Cursor = 0.9, &at
		c.Series = []curves.Series{{Label: "alone", Run: 2, X: []float64{0, 50, 100},
			Y: []float64{-3, -2, -2.5}, Exact: true}}
		return c, figure.Options{Y: "mean log-likelihood"}
	},
	"chosen part": func() (viz.Picture, figure.Options) {
		b := demoMap()
		b.Chosen, b.Free, b.Lo, b.Hi = 2, [][2]int{{2, 1}, {3, 0}}, -4, -1
		b.Title, b.Step, b.Mark, b.Cursor = "Covariance", "at step 290", "A", b.Start(3)
		return b, figure.Options{Title: "Covariance"}
	},
	"classes": func() (viz.Picture, figure.Options) {
		m := heatmap.PlaneMap{X: []float64{0, 1, 2}, Y: []float64{0, 1},
			Values: []float64{0, 1, 2, 1, math.NaN(), 0},
			XName:  "x", YName: "y", Name: "most probable kind", Classes: []string{"cat", "dog", "bird"},
			Points: []heatmap.Points{{Label: "cat", X: []float64{0.2}, Y: []float64{0.1}},
				{Label: "bird", X: []float64{1.3, 1.8}, Y: []float64{0.8, 0.2}}}}
		return m, figure.Options{Title: "Kinds"}
	},
	"expected bars": func() (viz.Picture, figure.Options) {
		b := plots.Histogram{Label: "star", Step: "at step 290", Values: []float64{4, 9, 6, 5, 12, 6}, Hi: 1,
			XName: "value", XShort: "v", YName: "points", Run: 1, Expected: 7, Band: [2]float64{3, 11.5},
			Chance: 0.3, Density: []float64{5, 7, 8, 7, 5}, At: []float64{0.25, 0.6}, Left: 2}
		return b, figure.Options{Title: "Values"}
	},
	"many stems": func() (viz.Picture, figure.Options) {
		s := plots.Stems{Weights: []float64{0.1, 0.2, 0.4, 0.2, 0.1}, RowName: "GP", XName: "points"}
		for i := range 5 {
			row := []float64{-2, -0.9, 0.1 * float64(i), 1.1, 2}
			row[i] += 0.3
			s.Rows = append(s.Rows, row)
		}
		s.Rows[3][2] = math.NaN()
		return s, figure.Options{Title: "Quadrature points"}
	},
	"much relevance": func() (viz.Picture, figure.Options) {
		r := plots.Relevance{}
		for i := range 9 {
			r.Inputs = append(r.Inputs, fmt.Sprintf("input %d", i+1))
		}
		for run := range 3 {
			l := plots.Lengths{Label: fmt.Sprintf("run %d", run+1), Run: run}
			for i := range r.Inputs {
				l.Values = append(l.Values, 0.2+float64((i*i+run)%7))
			}
			r.List = append(r.List, l)
		}
		r.List[1].Values[3] = math.Inf(1)
		return r, figure.Options{Title: "Relevance"}
	},
	"scatter": func() (viz.Picture, figure.Options) {
		s := plots.Scatter{XName: "distance", YName: "variance", Trend: plots.RunningMean}
		for run := range 2 {
			c := plots.Cloud{Label: fmt.Sprintf("run %d", run+1), Run: run}
			for i := range 40 {
				c.X = append(c.X, float64(i)/10)
				c.Y = append(c.Y, float64(run)+math.Sin(float64(3*i)))
			}
			c.X[5] = math.NaN()
			s.Clouds = append(s.Clouds, c)
		}
		return s, figure.Options{Title: "Variance against distance"}
	},
	"two lines of coverage": func() (viz.Picture, figure.Options) {
		c := demoCoverage()
		l := plots.NewCoverageLine([]float64{0.1, 0.3, 0.5, 0.6, 0.62, 0.9}, 3)
		l.Label, l.Run = "careful", 1
		c.Lines = append(c.Lines, l)
		return c, figure.Options{Title: "Coverage"}
	},
	"ranks": func() (viz.Picture, figure.Options) {
		return demoRanks(), figure.Options{Title: "Average ranks by test log-likelihood"}
	},
	"two ranks": func() (viz.Picture, figure.Options) {
		c := tables.RankDiagram{
			Labels: []string{"a", "b"},
			Ranks:  []float64{1.5, 1.5},
			CD:     3,
			Groups: [][]int{{0, 1, 7}, {9}},
		}
		return c, figure.Options{}
	},
}

// demoCoverage returns twenty targets of an overconfident model.
func demoCoverage() plots.Coverage {
	var pit []float64
	for i := range 20 {
		pit = append(pit, 0.5+0.5*math.Sin(float64(3*i)))
	}
	l := plots.NewCoverageLine(pit, 3)
	l.Label = "too sure"
	return plots.Coverage{Lines: []plots.CoverageLine{l}}
}

// demoErrors returns errors on logarithmic axes. One error is 0.
func demoErrors() plots.Scatter {
	c := plots.Cloud{Label: "star"}
	for i := range 60 {
		c.X = append(c.X, math.Exp(float64(i)/20))
		c.Y = append(c.Y, math.Exp(float64(i)/20+math.Sin(float64(5*i))))
	}
	c.Y[7] = 0
	return plots.Scatter{
		XName:    "predicted variance",
		YName:    "squared error",
		LogX:     true,
		LogY:     true,
		Diagonal: true,
		Trend:    plots.RunningMean,
		Clouds:   []plots.Cloud{c},
	}
}

// demoFits returns waves of n runs, with a gap.
func demoFits(n int) (f plots.Fits) {
	f.XName, f.YName = "x", "y"
	for run := range n {
		one := plots.Fit{Label: fmt.Sprintf("run %d", run+1), Run: run, MeanName: "predictive mean",
			DrawsName: "draws of f", Marks: []float64{0.1, 9}, MarksName: "inducing inputs",
			Observations: []plots.Observations{{Name: "training points", X: []float64{0.2, 0.5, 3},
				Y: []float64{1, math.NaN(), 2}}, {Name: "test points", X: []float64{0.7}, Y: []float64{0}}}}
		r := chart.Range{Name: "95 %"}
		one.Draws = make([][]float64, 1)
		for i := range 20 {
			x := float64(i) / 10
			y := math.Sin(3*x) + float64(run)
			one.X = append(one.X, x)
			one.Mean = append(one.Mean, y)
			one.Draws[0] = append(one.Draws[0], y+0.3*x)
			r.Lo = append(r.Lo, y-1)
			r.Hi = append(r.Hi, y+1)
		}
		one.Mean[3] = math.NaN()
		r.Hi[5] = math.Inf(1)
		one.Ranges = []chart.Range{r}
		f.List = append(f.List, one)
	}
	return f
}

func demoAgainsts(n int) (a plots.Predictions) {
	a.XName, a.YName = "observed y", "predicted"
	for run := range n {
		a.List = append(a.List, plots.Prediction{Label: fmt.Sprintf("run %d", run+1), Run: run,
			Observed: []float64{1, 2, 3, math.NaN()}, Mean: []float64{1.1, 2, 2.5, 1},
			Ranges: []chart.Range{{Name: "95 %", Lo: []float64{0, 1, 2, 0}, Hi: []float64{2, 3, 2.9, 1}},
				{Name: "50 %",
					Lo: []float64{0.5, 1.5, 2.3, 0}, Hi: []float64{1.5, 2.5, 2.7, 1}}}})
	}
	return a
}

func demoRelevance() plots.Relevance {
	return plots.Relevance{
		Inputs: []string{"height", "mass"},
		List: []plots.Lengths{{Label: "a", Values: []float64{2, 0.5}},
			{Label: "b", Run: 1, Values: []float64{1}}},
	}
}

// demoMatrices returns two bands. One has coordinates.
func demoMatrices() heatmap.Matrices {
	w := heatmap.Matrix{Name: "|W|", Columns: []string{"f_1"}, Values: [][]float64{{0.5}, {1.25}}, Most: 2}
	c := heatmap.Matrix{
		Name:    "correlation",
		Columns: []string{"Cd", "Ni"},
		Values:  [][]float64{{1, -0.5}, {math.NaN(), 1}},
		Most:    1,
	}
	return heatmap.Matrices{Rows: []string{"Cd", "Ni"}, Axes: []string{"x", "y"}, Bands: []heatmap.MatrixBand{
		{Name: "point 1", At: []float64{3, 0.1}, Matrices: []heatmap.Matrix{w, c}},
		{Name: "average", Matrices: []heatmap.Matrix{w}}}}
}

func drawn(t *testing.T, name string, f figure.Format) []byte {
	t.Helper()
	p, o := figures[name]()
	var b bytes.Buffer
	if err := export(&b, f, p, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFiguresAreWellFormedAndRepeatable(t *testing.T) {
	for name := range figures {
		t.Run(name, func(t *testing.T) {
			picture := drawn(t, name, figure.PNG)
			drawing := drawn(t, name, figure.SVG)
			page := drawn(t, name, figure.PDF)
			if *keep != "" {
				for ext, data := range map[string][]byte{"png": picture, "svg": drawing, "pdf": page} {
					if err := os.WriteFile(filepath.Join(*keep, name+"."+ext), data, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			if !bytes.Equal(picture, drawn(t, name, figure.PNG)) ||
				!bytes.Equal(drawing, drawn(t, name, figure.SVG)) ||
				!bytes.Equal(page, drawn(t, name, figure.PDF)) {
				t.Error("drawn twice, the files differ")
			}
			img, err := png.Decode(bytes.NewReader(picture))
			if err != nil {
				t.Fatal(err)
			}
			if s := img.Bounds().Size(); s.X < 1000 || s.Y < 400 {
				t.Errorf("the picture has only %v pixels", s)
			}
			checkSVG(t, drawing)
			if !bytes.HasPrefix(page, []byte("%PDF-1.")) {
				t.Errorf("the page begins with %.20q", page)
			}
			if len(drawing) > 1<<20 {
				t.Errorf("the drawing has %d bytes", len(drawing))
			}
		})
	}
}

// Every picture fills its box exactly in all styles, at sizes at which it loses parts.
func TestPicturesFillTheirBox(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		picture, _ := figures[name]()
		for _, style := range golden.Styles {
			for _, size := range [][2]int{{1, 10}, {9, 3}, {11, 4}, {24, 7}, {41, 12}, {70, 2}, {100, 30}} {
				golden.CheckBox(t, picture.Render(style, size[0], size[1]), style, size[0], size[1])
			}
		}
	}
}

// encodedImage matches an image within an SVG file.
var encodedImage = regexp.MustCompile(`base64,[^"]*`)

// Images in PDF files are stored from bottom to top: the vertical axis of their page is mirrored.
func TestImagesInPDFStandUpright(t *testing.T) {
	page := drawn(t, "plane", figure.PDF)
	images := encodedImage.FindAll(drawn(t, "plane", figure.SVG), -1)
	if len(images) == 0 {
		t.Fatal("the drawing has no images")
	}
	for _, encoded := range images {
		data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(string(encoded), "base64,"))
		if err != nil {
			t.Fatal(err)
		}
		upright, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		size := upright.Bounds()
		mirrored := image.NewNRGBA(size)
		for y := range size.Dy() {
			for x := range size.Dx() {
				mirrored.Set(x, y, upright.At(x, size.Dy()-1-y))
			}
		}
		var file bytes.Buffer
		if err := png.Encode(&file, mirrored); err != nil {
			t.Fatal(err)
		}
		if pixels := pngPixels(file.Bytes()); !bytes.Contains(page, pixels) ||
			bytes.Contains(page, pngPixels(data)) {
			t.Errorf("an image of %v pixels is not stored from bottom to top", size.Size())
		}
	}
}

// pngPixels returns the first IDAT chunk of a PNG file.
func pngPixels(file []byte) []byte {
	at := bytes.Index(file, []byte("IDAT"))
	length := binary.BigEndian.Uint32(file[at-4:])
	return file[at+4:][:length]
}

// checkSVG parses an SVG file as XML and looks for NaN and Inf.
func checkSVG(t *testing.T, data []byte) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text := encodedImage.ReplaceAll(data, nil) // The encoded letters are arbitrary.
	if bytes.Contains(text, []byte("NaN")) || bytes.Contains(text, []byte("Inf")) {
		t.Error("the drawing has coordinates that are no numbers")
	}
}

func TestFigureTexts(t *testing.T) {
	for name, words := range map[string][]string{
		"elbo":       {"smoothed 0.95", "1 not finite", "step", "&lt;3 layers&gt; &amp; more"},
		"validation": {"stripes-and-arrow", "mean-field", "best -2.3", "training time", "10m"},
		"gap":        {"gap to best, log"},
		"map":        {"layer 3", "M = 64", "max-pooled to 12", "log10 |S_M|"},
		"matrices":   {"correlation, point 1", "f_1", "-0.50", "Network"},
		"clipped":    {"≤-8", ">-6<"},
		"flat plane": {">7.0<", ">6.6<", ">7.4<"},
		"groups": {"stripes-and-arrow, mean ± s.e., n = 5", "mean-field, mean ± s.e., n = 4–5",
			"epoch"},
		"zoom":  {"12.01k", "12.05k"},
		"layer": {"Layer 1 of 3", "GP 2, sd 1.2, collapsed", "first input"},
	} {
		drawing := string(drawn(t, name, figure.SVG))
		for _, w := range words {
			if !strings.Contains(drawing, w) {
				t.Errorf("%s does not contain %q", name, w)
			}
		}
	}
}

func TestNothingToDraw(t *testing.T) {
	nan := math.NaN()
	for name, err := range map[string]error{
		"curve": export(io.Discard, figure.PNG, curves.Curve{Series: []curves.Series{{Y: []float64{nan}}}},
			figure.Options{}),
		"no curve": export(io.Discard, figure.SVG, curves.Curve{}, figure.Options{}),
		"map":      export(io.Discard, figure.PNG, heatmap.BlockMap{}, figure.Options{}),
		"bad map": export(io.Discard, figure.PNG,
			heatmap.BlockMap{Parts: parts([]int{2}, 0, 3), Log10: make([]float64, 7)}, figure.Options{}),
		"bands": export(io.Discard, figure.SVG,
			plots.Bands{X: []float64{1}, Bands: []plots.Band{{Mean: []float64{nan}}}}, figure.Options{}),
		"bars": export(io.Discard, figure.SVG,
			plots.Histogram{Values: []float64{nan}, Hi: 1}, figure.Options{}),
		"means":    export(io.Discard, figure.SVG, plots.ErrorBars{}, figure.Options{}),
		"layer":    export(io.Discard, figure.SVG, plots.Layer{}, figure.Options{}),
		"coverage": export(io.Discard, figure.SVG, plots.Coverage{}, figure.Options{}),
		"scatter":  export(io.Discard, figure.SVG, plots.Scatter{}, figure.Options{}),
		"fit":      export(io.Discard, figure.SVG, plots.Fits{List: make([]plots.Fit, 1)}, figure.Options{}),
		"against":  export(io.Discard, figure.SVG, plots.Predictions{}, figure.Options{}),
		"lengths":  export(io.Discard, figure.SVG, plots.Relevance{Inputs: []string{"a"}}, figure.Options{}),
		"histograms": export(io.Discard, figure.SVG,
			plots.Histograms{{}, {Values: []float64{nan}, Hi: 1}}, figure.Options{}),
		"stems": export(io.Discard, figure.SVG, plots.Stems{}, figure.Options{}),
		"inducing": export(io.Discard, figure.SVG,
			plots.Inducing{Seen: []chart.XY{{X: nan}}}, figure.Options{}),
		"depths": export(io.Discard, figure.SVG,
			plots.Depths{Kinds: make([]plots.DepthsKind, 2)}, figure.Options{}),
		"plane":     export(io.Discard, figure.SVG, heatmap.PlaneMap{}, figure.Options{}),
		"plane csv": heatmap.PlaneMap{}.CSV(io.Discard),
		"no matrix": export(io.Discard, figure.SVG, heatmap.Matrices{}, figure.Options{}),
		"no row": export(io.Discard, figure.SVG,
			heatmap.Matrices{Bands: demoMatrices().Bands}, figure.Options{}),
		"no column": export(io.Discard, figure.SVG, heatmap.Matrices{Rows: []string{"a"},
			Bands: []heatmap.MatrixBand{{Matrices: make([]heatmap.Matrix, 1)}}}, figure.Options{}),
		"map csv": heatmap.BlockMap{Parts: parts([]int{2}, 0, 3)}.CSV(io.Discard),
	} {
		if !errors.Is(err, figure.ErrNothing) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line that wraps ErrNothing", name, err)
		}
	}
	far := []float64{-math.MaxFloat64, 0, math.MaxFloat64}
	if err := export(io.Discard, figure.SVG, curves.Curve{Series: []curves.Series{{Y: far}}},
		figure.Options{}); err == nil {
		t.Error("a range that overflows was drawn")
	}
	if err := export(io.Discard, "gif", demoCurve(), figure.Options{}); err == nil ||
		!strings.Contains(err.Error(), "gif") {
		t.Errorf("an unknown format gave %v", err)
	}
}

// brokenWriter fails after some bytes.
type brokenWriter struct{ left int }

func (b *brokenWriter) Write(p []byte) (int, error) {
	b.left -= len(p)
	if b.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// Errors of the writer of a figure or a table are returned, even if they occur at the end.
func TestWriteErrorsAreReported(t *testing.T) {
	for name, of := range figures {
		p, o := of()
		if err := export(&brokenWriter{}, figure.SVG, p, o); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: writing the drawing: %v", name, err)
		}
		if err := p.CSV(&brokenWriter{}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: writing the table: %v", name, err)
		}
	}
	if err := export(&brokenWriter{left: 100}, figure.PNG, demoCurve(), figure.Options{}); !errors.Is(err,
		io.ErrShortWrite) {
		t.Errorf("writing the picture: %v", err)
	}
	if err := demoMap().CSV(&brokenWriter{left: 100}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("writing a long table: %v", err)
	}
}

// Every figure shows its title once.
func TestFiguresShowTheirTitle(t *testing.T) {
	for name, of := range figures {
		p, o := of()
		o.Title = "a title"
		n := 0
		for _, w := range draw(t, p, o).texts {
			if w.text == o.Title && w.upright && w.size == figure.TitleSize {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s shows its title %d times", name, n)
		}
	}
}

// Formulas are escaped, numbers are not, and the fields of the caller do not change.
func TestCSVRunsNoFormulas(t *testing.T) {
	fields := []string{"=1+1", "+cmd", "-x", "@SUM(A1)", "\tx", "-1|x", "-0.5", "+1e3", "-Inf", "a=b", ""}
	kept := slices.Clone(fields)
	var b bytes.Buffer
	table := figure.NewTable(&b, "=head")
	table.Row(fields...)
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	if want := "'=head\n'=1+1,'+cmd,'-x,'@SUM(A1),'\tx,'-1|x,-0.5,+1e3,-Inf,a=b,\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	if !slices.Equal(fields, kept) {
		t.Errorf("the fields are %q now", fields)
	}
}

func TestCSVGolden(t *testing.T) {
	layer := demoLayer(2)
	layer.Grid = layer.Grid[:2]
	short := demoFits(1)
	short.List[0].X = short.List[0].X[:2]
	small := heatmap.BlockMap{
		Parts: parts([]int{1, 1}, 4, 1),
		Log10: []float64{0.5, math.Inf(-1), math.Inf(-1), -3.25},
	}
	named := heatmap.BlockMap{
		Parts: []heatmap.Part{{Size: 4, Cells: 1, Name: "f_1"},
			{Group: 1, Size: 4, Cells: 1, Name: "w_1,10"}},
		Log10: small.Log10,
	}
	tables := map[string]func(io.Writer) error{
		"map":      func(w io.Writer) error { return small.CSV(w) },
		"coverage": func(w io.Writer) error { return demoCoverage().CSV(w) },
		"series": func(w io.Writer) error {
			return curves.Curve{
				Series: []curves.Series{{Label: "a", Y: []float64{1, math.NaN()}},
					{Label: "b", X: []float64{0.5}, Y: []float64{2}}},
			}.CSV(w)
		},
		"fits":         func(w io.Writer) error { return short.CSV(w) },
		"against":      func(w io.Writer) error { return demoAgainsts(1).CSV(w) },
		"relevance":    func(w io.Writer) error { return demoRelevance().CSV(w) },
		"matrices":     func(w io.Writer) error { return demoMatrices().CSV(w) },
		"map_named":    func(w io.Writer) error { return named.CSV(w) },
		"layers":       func(w io.Writer) error { return plots.LayerGPsCSV(w, []plots.Layer{layer}) },
		"layer_curves": func(w io.Writer) error { return plots.LayerCurvesCSV(w, []plots.Layer{layer}) },
	}
	for name, of := range placed {
		p, _ := of.draw()
		tables["placed_"+strings.ReplaceAll(name, " ", "_")] = p.CSV
	}
	for name, write := range tables {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, name+".csv", b.String())
	}
}
