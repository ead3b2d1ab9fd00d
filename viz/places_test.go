package viz_test

import (
	"bytes"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"dgplab/viz"
	"dgplab/viz/chart"
	"dgplab/viz/curves"
	"dgplab/viz/figure"
	"dgplab/viz/heatmap"
	"dgplab/viz/plots"
)

// placed holds figures with few numbers: the names of the axes, the first line of the table and some of its
// rows, and, for each chart, the points that must be drawn.
var placed = map[string]struct {
	draw   func() (viz.Picture, figure.Options)
	x, y   string
	table  []string
	charts []plotter.XYs
}{
	"curves": {
		draw: func() (viz.Picture, figure.Options) {
			s := curves.Series{Label: "a", X: []float64{0, 10, 30, 40}, Y: []float64{1, 3, 2, 2.5}}
			return curves.Curve{Series: []curves.Series{s}, Best: chart.Highest},
				figure.Options{Y: "ELBO"}
		},
		x: "step", y: "ELBO",
		table:  []string{"name,x,y", "a,10,3"},
		charts: []plotter.XYs{{{X: 0, Y: 1}, {X: 10, Y: 3}, {X: 30, Y: 2}, {X: 40, Y: 2.5}}},
	},
	"groups": {
		draw: func() (viz.Picture, figure.Options) {
			g := curves.Group{Label: "a", Members: []curves.Series{
				{X: []float64{0, 10, 20}, Y: []float64{1, 2, 3}},
				{X: []float64{0, 10, 20}, Y: []float64{3, 4, 7}}}}
			return curves.Curve{Groups: []curves.Group{g}}, figure.Options{Y: "error"}
		},
		x: "step", y: "error",
		table: []string{"name,x,y", "a,20,7"},
		charts: []plotter.XYs{{ // mean and standard error of two
			{X: 0, Y: 2}, {X: 0, Y: 1}, {X: 0, Y: 3}, {X: 20, Y: 5}, {X: 20, Y: 3}, {X: 20, Y: 7}}},
	},
	"bands": {
		draw: func() (viz.Picture, figure.Options) {
			b := plots.Bands{X: []float64{-1, 0, 2}, XName: "input 1", YName: "f", Bands: []plots.Band{
				{Label: "f 1", Mean: []float64{0, 1, 0.5}, SD: []float64{0.5, 0.25, 1}},
				{Label: "f 2", Run: 1, Mean: []float64{3, math.NaN(), 4}, SD: []float64{0.25, 1, 0.5}},
			}}
			b.Dots, b.DotsName = []chart.XY{{X: 0.5, Y: 2}, {X: 7, Y: 1}, {X: 0, Y: math.NaN()}}, "data"
			b.Marks, b.MarksName = []float64{1.5, 9}, "inducing"
			return b, figure.Options{}
		},
		x: "input 1", y: "f",
		table: []string{"function,name,x,mean,sd", "2,f 2,0,NaN,1"},
		charts: []plotter.XYs{{
			{X: -1, Y: 0}, {X: 0, Y: 1}, {X: 2, Y: 0.5}, {X: -1, Y: -1}, {X: -1, Y: 1}, {X: 0, Y: 0.5},
			{X: 0, Y: 1.5}, {X: 2, Y: -1.5}, {X: 2, Y: 2.5}, {X: 0.5, Y: 2}, {X: 1.5, Y: math.Inf(-1)},
			{X: -1, Y: 3}, {X: 2, Y: 4}, {X: -1, Y: 3.5}, {X: 2, Y: 3}, {X: 2, Y: 5},
		}},
	},
	"bars": {
		draw: func() (viz.Picture, figure.Options) {
			b := plots.Histogram{Values: []float64{2, 0, 4}, Lo: 1, Hi: 7, XName: "residual",
				YName:   "count",
				Density: []float64{1, 3, 0}}
			return b, figure.Options{}
		},
		x: "residual", y: "count",
		table: []string{"name,from,to,value", ",1,3,2"},
		charts: []plotter.XYs{{
			{X: 1.2, Y: 0}, {X: 1.2, Y: 2}, {X: 2.8, Y: 2}, {X: 5.2, Y: 4}, {X: 6.8, Y: 4}, {X: 6.8, Y: 0},
			{X: 1, Y: 1}, {X: 4, Y: 3}, {X: 7, Y: 0}}},
	},
	"expected bars": {
		draw: func() (viz.Picture, figure.Options) {
			b := plots.Histogram{Values: []float64{1, 2}, Lo: 0, Hi: 1, Expected: 1.5,
				Band:  [2]float64{0.5, 2.5},
				XName: "PIT", YName: "density"}
			return plots.Histograms{b, b}, figure.Options{}
		},
		x: "PIT", y: "density",
		table: []string{"name,from,to,value", ",0.5,1,2"},
		charts: []plotter.XYs{
			{{X: 0, Y: 1.5}, {X: 1, Y: 1.5}, {X: 0, Y: 0.5}, {X: 1, Y: 0.5}, {X: 0, Y: 2.5},
				{X: 1, Y: 2.5}, {X: 0.05, Y: 1}},
			{{X: 0, Y: 1.5}, {X: 1, Y: 1.5}, {X: 0, Y: 0.5}, {X: 1, Y: 0.5}, {X: 0, Y: 2.5},
				{X: 1, Y: 2.5}, {X: 0.95, Y: 2}},
		},
	},
	"error bars": {
		draw: func() (viz.Picture, figure.Options) {
			b := plots.ErrorBars{XName: "GP", YName: "mean ± sd", Categories: []string{"one", "two"}}
			b.Series = []plots.ErrorSeries{
				{Label: "a", Points: []plots.ErrorPoint{
					{X: 0, Mean: 1, SE: 0.5, N: 2},
					{X: 1, Mean: 0.5, SE: math.NaN()}, {X: 1, Mean: math.NaN()},
				}},
				{Label: "b", Run: 1, Points: []plots.ErrorPoint{
					{X: 0, Mean: 2, SE: 0.4, N: 2}, {X: 1, Mean: -1, SE: 0.1, N: 2},
				}},
			}
			return b, figure.Options{}
		},
		x: "GP", y: "mean ± sd",
		table: []string{"name,x,mean,se,n", "b,one,2,0.4,2"},
		charts: []plotter.XYs{{
			{X: -0.07, Y: 1}, {X: -0.07, Y: 0.5}, {X: -0.07, Y: 1.5}, {X: 0.07, Y: 2}, {X: 0.07, Y: 1.6},
			{X: 0.07, Y: 2.4}, {X: 1.07, Y: -1}, {X: 1.07, Y: -1.1}, {X: 1.07, Y: -0.9},
			{X: 0.93, Y: 0.5},
		}},
	},
	"plane": {
		draw: func() (viz.Picture, figure.Options) {
			m := heatmap.PlaneMap{X: []float64{0, 1, 2}, Y: []float64{0, 3},
				Values: []float64{0, 1, 2, 0, 1, 2}, XName: "height", YName: "mass",
				Name: "mean", Level: 1.5,
				Points: []heatmap.Points{{Label: "a", X: []float64{1.5, 7}, Y: []float64{2, 2}},
					{Label: "b", X: []float64{0.25}, Y: []float64{1}}},
				Marks: heatmap.Points{Label: "inducing", X: []float64{1}, Y: []float64{1}}}
			return m, figure.Options{}
		},
		x: "height", y: "mass",
		table: []string{"height,mass,mean", "1,3,1"},
		charts: []plotter.XYs{{{X: 1.5, Y: 2}, {X: 0.25, Y: 1}, {X: 1, Y: 1},
			{X: 1.5, Y: 0}, {X: 1.5, Y: 3}}},
	},
	"inducing": {
		draw: func() (viz.Picture, figure.Options) {
			p := plots.Inducing{XName: "x", YName: "y",
				Seen: []chart.XY{{X: -1, Y: 0}, {X: math.NaN()}, {X: 2, Y: 1}},
				Inputs: []plots.InducingInput{
					{At: chart.XY{X: -1, Y: 0.5}, Z: []chart.XY{{X: -0.5, Y: 0.5}, {X: 0, Y: math.Inf(1)}}},
					{At: chart.XY{X: 2, Y: 1}, Z: []chart.XY{{X: 1, Y: 2}}}}}
			return p, figure.Options{}
		},
		x: "x", y: "y",
		table: []string{"layer,input,inducing,x,y", "1,,,2,1", "1,2,,2,1", "1,2,1,1,2"},
		charts: []plotter.XYs{{{X: -1, Y: 0}, {X: 2, Y: 1}, {X: -1, Y: 0.5}, {X: -0.5, Y: 0.5},
			{X: 1, Y: 2}}},
	},
	"stems": {
		draw: func() (viz.Picture, figure.Options) {
			s := plots.Stems{Weights: []float64{0.25, 0.5, 0.25}, Rows: [][]float64{{-1, 0.25, 4}},
				XName: "standard deviations"}
			return s, figure.Options{}
		},
		x: "standard deviations", y: "weight, 1 = equal",
		table: []string{"layer,gp,sample,point,weight", "1,1,2,0.25,0.5"},
		charts: []plotter.XYs{{
			{X: -1, Y: 0.75}, {X: -1, Y: 0}, {X: 0.25, Y: 1.5}, {X: 4, Y: 0.75}, {X: 4, Y: 0},
			{X: 0.5, Y: 0.9 * 1.5 * math.Exp(-0.125)}}},
	},
	"coverage": {
		draw: func() (viz.Picture, figure.Options) {
			l := plots.CoverageLine{Label: "a", N: 40, Nominal: []float64{0, 0.5, 1},
				Observed: []float64{0, 0.25, 1}}
			return plots.Coverage{Lines: []plots.CoverageLine{l}},
				figure.Options{}
		},
		x: "nominal coverage", y: "observed coverage",
		table:  []string{"run,label,n,nominal,observed,chance_low,chance_high", "1,a,40,0.5,0.25,0.35,0.65"},
		charts: []plotter.XYs{{{X: 0, Y: 0}, {X: 0.5, Y: 0.25}, {X: 1, Y: 1}}},
	},
	"reliability": {
		draw: func() (viz.Picture, figure.Options) {
			l := plots.ReliabilityLine{Label: "a",
				Bins: []plots.ReliabilityBin{{N: 4, Confidence: 0.6, Right: 0.5},
					{N: 5, Confidence: 0.9, Right: 1}}}
			return plots.Reliability{Lines: []plots.ReliabilityLine{l}},
				figure.Options{}
		},
		x: "probability of the most probable class, 9 test points", y: "accuracy",
		table:  []string{"run,label,bin,n,probability,right,chance_low,chance_high", "1,a,2,5,0.9,1,0.6,1"},
		charts: []plotter.XYs{{{X: 0, Y: 0}, {X: 1, Y: 1}, {X: 0.6, Y: 0.5}, {X: 0.9, Y: 1}}},
	},
	"scatter": {
		draw: func() (viz.Picture, figure.Options) {
			c := plots.Cloud{Label: "a", X: []float64{1, 10, 1000}, Y: []float64{0.5, 1, 0.25}}
			return plots.Scatter{XName: "variance", YName: "error", LogX: true,
				Clouds: []plots.Cloud{c}, Diagonal: true}, figure.Options{}
		},
		x: "log10 of variance", y: "error",
		table:  []string{"name,variance,error", "a,1000,0.25"},
		charts: []plotter.XYs{{{X: 0, Y: 0.5}, {X: 1, Y: 1}, {X: 3, Y: 0.25}}},
	},
	"layer": {
		draw: func() (viz.Picture, figure.Options) {
			p := plots.Layer{Layers: 1, XName: "first input", Grid: []float64{-1, 0, 2}, GPs: []plots.LayerGP{
				{SD: 1, Curves: [][]float64{{0, 1, 0.5}}},
				{SD: 1, Curves: [][]float64{{2, 1, 3}, {1, 1, 0}}}}}
			return p, figure.Options{}
		},
		x: "first input", y: "",
		table: []string{"layer,gp,sample,x,value", "1,2,1,-1,2"},
		charts: []plotter.XYs{
			{{X: -1, Y: 0}, {X: 0, Y: 1}, {X: 2, Y: 0.5}},
			{{X: -1, Y: 2}, {X: 0, Y: 1}, {X: 2, Y: 3}, {X: -1, Y: 1}, {X: 2, Y: 0}}},
	},
	"depths": {
		draw: func() (viz.Picture, figure.Options) {
			p := plots.Depths{Grid: []float64{-1, 0, 2}, Along: "first direction",
				Kinds: []plots.DepthsKind{
					{Name: "plain", Depths: [][][]float64{{{0, 1, 0.5}}, {{2, 1, 3}}}}}}
			return p, figure.Options{}
		},
		x: "first direction", y: "",
		table: []string{"prior,layers,curve,x,value", "plain,2,1,-1,2"},
		charts: []plotter.XYs{{{X: -1, Y: 0}, {X: 0, Y: 1}, {X: 2, Y: 0.5}},
			{{X: -1, Y: 2}, {X: 0, Y: 1}, {X: 2, Y: 3}}},
	},
	"fits": {
		draw: func() (viz.Picture, figure.Options) {
			fit := func(run int, up float64) plots.Fit {
				return plots.Fit{Label: "a", Run: run, X: []float64{0, 1, 2},
					Mean: []float64{up, up + 1, up}, MeanName: "mean",
					Ranges: []chart.Range{{Name: "95 %", Lo: []float64{up - 1, up, up - 1},
						Hi: []float64{up + 1, up + 2, up + 1.5}}},
					Draws: [][]float64{{up + 0.25, up + 0.5, up - 0.25}}, DrawsName: "draws",
					Marks: []float64{0.5}, MarksName: "inducing",
					Observations: []plots.Observations{{Name: "training", X: []float64{0.25},
						Y: []float64{1}},
						{Name: "test", X: []float64{1.75}, Y: []float64{0.5}}}}
			}
			return plots.Fits{XName: "time", YName: "level",
				List: []plots.Fit{fit(0, 0), fit(1, 1)}}, figure.Options{}
		},
		x: "time", y: "level",
		table: []string{"run,label,what,time,level", "1,a,95 % from,0,-1"},
		charts: []plotter.XYs{
			{{X: 0, Y: 0}, {X: 1, Y: 1}, {X: 2, Y: 0}, {X: 0, Y: -1}, {X: 2, Y: -1}, {X: 1, Y: 2},
				{X: 2, Y: 1.5}, {X: 0, Y: 0.25},
				{X: 2, Y: -0.25}, {X: 0.25, Y: 1}, {X: 1.75, Y: 0.5}, {X: 0.5, Y: math.Inf(-1)}},
			{{X: 0, Y: 1}, {X: 1, Y: 2}, {X: 2, Y: 1}, {X: 0, Y: 0}, {X: 2, Y: 0}, {X: 1, Y: 3},
				{X: 2, Y: 2.5}, {X: 0, Y: 1.25},
				{X: 2, Y: 0.75}, {X: 0.25, Y: 1}, {X: 1.75, Y: 0.5}, {X: 0.5, Y: math.Inf(-1)}},
		},
	},
	"against": {
		draw: func() (viz.Picture, figure.Options) {
			a := plots.Prediction{Label: "a", Observed: []float64{1, 2, 3}, Mean: []float64{1.25, 2, 2.5},
				Ranges: []chart.Range{
					{Name: "95 %", Lo: []float64{0, 1, 2}, Hi: []float64{2, 3, 2.75}}}}
			return plots.Predictions{XName: "observed", YName: "predicted",
				List: []plots.Prediction{a}}, figure.Options{}
		},
		x: "observed", y: "predicted",
		table: []string{"run,label,observed,mean,95 % from,95 % to", "1,a,3,2.5,2,2.75"},
		charts: []plotter.XYs{{
			{X: 1, Y: 1.25}, {X: 2, Y: 2}, {X: 3, Y: 2.5}, {X: 1, Y: 0}, {X: 1, Y: 2}, {X: 2, Y: 1},
			{X: 2, Y: 3}, {X: 3, Y: 2}, {X: 3, Y: 2.75},
			{X: 1, Y: 1}, {X: 3, Y: 3}}},
	},
}

// Numbers are drawn at their positions on the axes. A y of -Inf is the lower edge.
func TestFiguresShowNumbersAtTheirPlaces(t *testing.T) {
	for name, f := range placed {
		p, o := f.draw()
		charts := draw(t, p, o).charts(t)
		if len(charts) != len(f.charts) {
			t.Errorf("%s has %d charts, want %d", name, len(charts), len(f.charts))
			continue
		}
		for i, list := range f.charts {
			c := charts[i]
			for _, p := range list {
				if math.IsInf(p.Y, -1) {
					p.Y = c.y.valueAt(c.y.from)
				}
				if !c.shows(p.X, p.Y) {
					t.Errorf("%s, chart %d: nothing is drawn at %v, %v", name, i, p.X, p.Y)
				}
			}
		}
	}
}

// Lines of raw and smooth values that come from far below the axis start at its edge and do not run along it.
func TestLinesAreCutAtTheEdgeOfTheAxis(t *testing.T) {
	s := curves.Series{Label: "a"}
	for i := range 200 {
		s.Y = append(s.Y, -1000/float64(1+i))
	}
	c := curves.Curve{Series: []curves.Series{s}, Smoothing: 0.9, Range: curves.Recent}
	d := draw(t, c, figure.Options{})
	if !slices.ContainsFunc(d.texts, func(w written) bool {
		return strings.Contains(w.text, "raw below") && !strings.Contains(w.text, "above")
	}) {
		t.Errorf("the axis does not count raw values below: %v", d.texts)
	}
	y := d.charts(t)[0].y
	lines := 0
	for _, s := range d.shapes {
		if len(s.points) < 100 {
			continue
		}
		lines++
		for k, p := range s.points {
			if edge := p.Y <= y.from+0.001; p.Y < y.from-0.001 || edge != (k == 0) {
				t.Errorf("point %d of line %d lies %v above the edge", k, lines, p.Y-y.from)
			}
		}
	}
	if lines != 2 {
		t.Errorf("%d lines", lines)
	}
}

// Axes have names, which charts side by side share: the name of x below the charts, and the name of y on the
// left, rotated.
func TestFiguresNameTheirAxes(t *testing.T) {
	for name, f := range placed {
		p, o := f.draw()
		d := draw(t, p, o)
		var x, y axis // the axes of all charts together
		for i, c := range d.charts(t) {
			if i == 0 {
				x, y = c.x, c.y
			}
			x.at, y.at = min(x.at, c.x.at), min(y.at, c.y.at)
			x.from, x.to = min(x.from, c.x.from), max(x.to, c.x.to)
			y.from, y.to = min(y.from, c.y.from), max(y.to, c.y.to)
		}
		across, up := 0, 0
		for _, w := range d.texts {
			if w.text == f.x && w.upright && w.y < x.at-10 && w.middle() > x.from && w.middle() < x.to {
				across++
			}
			if w.text == f.y && !w.upright && w.x < y.at-10 && w.y > y.from && w.y < y.to {
				up++
			}
		}
		if across != 1 || up != 1 && f.y != "" {
			t.Errorf("%s: the axes are named %q %d times and %q %d times", name, f.x, across, f.y, up)
		}
	}
}

// The relevance of an input is a bar over its name.
func TestRelevanceHasBarsAtTheirPlaces(t *testing.T) {
	r := plots.Relevance{Inputs: []string{"a", "b"}, List: []plots.Lengths{{Values: []float64{4, 0.5}}}}
	d := draw(t, r, figure.Options{})
	heights := map[string]float64{}
	for _, s := range d.shapes {
		if len(s.points) < 4 {
			continue
		}
		a, b := s.points[0], s.points[2] // opposite corners
		for _, w := range d.texts {
			if math.Abs(w.middle()-(a.X+b.X)/2) < 0.5 {
				heights[w.text] = math.Abs(a.Y - b.Y)
			}
		}
	}
	if ratio := heights["b"] / heights["a"]; math.Abs(ratio-8) > 0.1 {
		t.Errorf("the bars are %v high", heights)
	}
}

// Every number of a matrix is written in its square, on the colour of the number. Rows and columns have
// names.
func TestMatricesHaveNumbersInTheirSquares(t *testing.T) {
	g := demoMatrices()
	d := draw(t, g, figure.Options{})
	list := slices.Concat(g.Bands[0].Matrices, g.Bands[1].Matrices)
	if len(d.pictures) != len(list) {
		t.Fatalf("%d matrices are drawn, want %d", len(d.pictures), len(list))
	}
	for k, p := range d.pictures {
		m := list[k]
		says := func(text string, x, y float64) bool {
			return slices.ContainsFunc(d.texts, func(w written) bool {
				return w.text == text && math.Abs(w.middle()-x) < 1 && math.Abs(w.y+3-y) < 2
			})
		}
		side := p.w / float64(len(m.Columns))
		h := p.h / float64(len(g.Rows))
		for i, row := range g.Rows {
			y := p.y + p.h - (float64(i)+0.5)*h
			if !slices.ContainsFunc(d.texts, func(w written) bool {
				return w.text == row && w.x < p.x && w.x > p.x-30 && math.Abs(w.y+3-y) < 2
			}) {
				t.Errorf("%s: row %d is not named %s", m.Name, i, row)
			}
			for j, column := range m.Columns {
				x := p.x + (float64(j)+0.5)*side
				v := m.At(i, j)
				if !slices.ContainsFunc(d.texts, func(w written) bool {
					return w.text == column && w.y < p.y && math.Abs(w.middle()-x) < 1
				}) {
					t.Errorf("%s: column %d is not named %s", m.Name, j, column)
				}
				want := heatmap.HeatColor(v, 0, 1) // for NaN
				if !math.IsNaN(v) {
					want = heatmap.HeatColor(m.Unit(v), 0, 1)
					if !says(m.Text(v), x, y) {
						t.Errorf("%s: %s is not in row %s of column %s", m.Name, m.Text(v), row,
							column)
					}
				}
				if got := p.At(j*48+1, i*48+1); got != want {
					t.Errorf("%s: the square of row %s and column %s is %v, want %v", m.Name, row,
						column, got, want)
				}
			}
		}
	}
}

// The cells and the layers of a covariance map start at the upper left.
func TestMapHasCellsInTheirSquares(t *testing.T) {
	const cells = 3
	b := heatmap.BlockMap{Parts: parts([]int{2, 1}, 8, cells), Free: [][2]int{{1, 0}}}
	side := b.Side()
	for i := range side * side {
		b.Log10 = append(b.Log10, -float64(i)/10)
	}
	b.Log10[5] = math.Inf(-1)
	b.Log10[6] = math.Inf(-1)
	d := draw(t, b, figure.Options{})
	p := d.pictures[0]
	pixels := p.Bounds().Dx() / side
	for i, v := range b.Log10 {
		got := p.At(i%side*pixels+pixels/2, i/side*pixels+pixels/2)
		want := heatmap.HeatColor(v, -float64(side*side-1)/10, 0)
		switch i {
		case 5:
			want = color.RGBA{0xe8, 0xe8, 0xe8, 0xff} // not zero by construction
		case 6:
			want = color.RGBA{0xff, 0xff, 0xff, 0xff}
		}
		if got != want {
			t.Errorf("cell %d of row %d is %v, want %v", i%side, i/side, got, want)
		}
	}
	for name, share := range map[string]float64{"layer 1": 1. / 3, "layer 2": 5. / 6} {
		below := slices.ContainsFunc(d.texts, func(w written) bool {
			return w.text == name && w.upright && w.y < p.y && math.Abs(w.middle()-p.x-share*p.w) < 1
		})
		half := figure.TextStyle(figure.TickSize, figure.Ink).Width(name).Points() / 2
		beside := slices.ContainsFunc(d.texts, func(w written) bool {
			return w.text == name && !w.upright && w.x < p.x && math.Abs(w.y+half-p.y-(1-share)*p.h) < 3
		})
		if !below || !beside {
			t.Errorf("%s is named at its columns: %t, at its rows: %t", name, below, beside)
		}
	}
	borders := 0 // thick lines around layers
	for _, s := range d.shapes {
		if !strings.Contains(s.style, "stroke:#606060;stroke-width:1.1339") {
			continue
		}
		borders++
		a, z := s.points[0], s.points[len(s.points)-1]
		for _, share := range []float64{0, 2. / 3, 1} {
			if math.Abs(a.X-p.x-share*p.w)+math.Abs(z.X-p.x-share*p.w) < 1 ||
				math.Abs(a.Y-p.y-(1-share)*p.h)+math.Abs(z.Y-p.y-(1-share)*p.h) < 1 {
				borders += 10
				break
			}
		}
	}
	if borders != 6*11 {
		t.Errorf("of %d lines around layers, %d are between them", borders%10, borders/10)
	}
}

// The colours of a plane are drawn at their positions. The colour bar has the same colours.
func TestPlaneHasColoursAtTheirPlaces(t *testing.T) {
	m := heatmap.PlaneMap{X: []float64{0, 1, 2}, Y: []float64{0, 1}, Values: []float64{0, 1, 2, 3, 4, 5},
		XName: "x", YName: "y", Name: "mean"}
	d := draw(t, m, figure.Options{})
	c, p := d.charts(t)[0], d.pictures[0]
	far := math.Hypot(c.x.place(0)-p.x, c.y.place(0)-p.y)
	far += math.Hypot(c.x.place(2)-p.x-p.w, c.y.place(1)-p.y-p.h)
	if far > 0.5 {
		t.Errorf("the picture is at %v, %v, %v wide and %v high", p.x, p.y, p.w, p.h)
	}
	w, h := p.Bounds().Dx()-1, p.Bounds().Dy()-1
	for _, at := range []struct{ x, y, v float64 }{{0, 0, 0}, {1, 0, 1}, {2, 0, 2}, {0, 1, 3},
		{1, 1, 4}, {2, 1, 5}} {
		got := p.At(int(at.x/2*float64(w)), int((1-at.y)*float64(h)))
		if want := heatmap.HeatColor(at.v, 0, 5); !alike(got, want) {
			t.Errorf("%v, %v is %v, want %v", at.x, at.y, got, want)
		}
	}
	bar := d.pictures[1]
	top := bar.At(0, 0)
	bottom := bar.At(0, bar.Bounds().Dy()-1)
	if !alike(top, heatmap.HeatColor(5, 0, 5)) ||
		!alike(bottom, heatmap.HeatColor(0, 0, 5)) {
		t.Errorf("the bar goes from %v to %v", bottom, top)
	}
}

// alike reports whether colours are nearly equal.
func alike(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	x, y, z, _ := b.RGBA()
	const most = 8 << 8
	near := func(p, q uint32) bool { return max(p, q)-min(p, q) <= most }
	return near(r, x) && near(g, y) && near(bl, z)
}

// Ranges that overflow are an error, and nothing is written.
func TestFiguresRefuseRangesThatOverflow(t *testing.T) {
	const far = math.MaxFloat64
	line := []float64{-far, far}
	bars := plots.Histogram{Values: []float64{1, far}, Hi: 1}
	for name, p := range map[string]viz.Picture{
		"curves": curves.Curve{Series: []curves.Series{{Y: line}}},
		"bands": plots.Bands{X: []float64{0, 1},
			Bands: []plots.Band{{Mean: line, SD: []float64{0, 0}}}},
		"bars":       bars,
		"histograms": plots.Histograms{bars},
		"error bars": plots.ErrorBars{Categories: []string{"a", "b"}, Series: []plots.ErrorSeries{
			{Points: []plots.ErrorPoint{{Mean: far}, {X: 1, Mean: -far}}}}},
		"plane": heatmap.PlaneMap{X: []float64{0, far / 2}, Y: []float64{0, 1},
			Values: []float64{0, 1, 2, 3}},
		"inducing": plots.Inducing{
			Inputs: []plots.InducingInput{{At: chart.XY{X: far}}, {At: chart.XY{X: -far}}}},
		"stems":   plots.Stems{Weights: []float64{0.5, 0.5}, Rows: [][]float64{line}},
		"scatter": plots.Scatter{Clouds: []plots.Cloud{{X: line, Y: line}}},
		"layer":   plots.Layer{Grid: []float64{0, 1}, GPs: []plots.LayerGP{{Curves: [][]float64{line}}}},
		"depths": plots.Depths{Grid: []float64{0, 1},
			Kinds: []plots.DepthsKind{{Depths: [][][]float64{{line}}}}},
		"fits":    plots.Fits{List: []plots.Fit{{X: []float64{0, 1}, Mean: line}}},
		"against": plots.Predictions{List: []plots.Prediction{{Observed: []float64{0, 1}, Mean: line}}},
		"relevance": plots.Relevance{Inputs: []string{"a"},
			List: []plots.Lengths{{Values: []float64{4 / far}}}},
	} {
		checkRefused(t, name, p, "too far apart to draw")
	}
}

// Numbers that are not finite are an error if the figure cannot leave them out. Nothing is written.
func TestFiguresRefuseNaN(t *testing.T) {
	nan := math.NaN()
	checkRefused(t, "a band without ends", plots.Histogram{Label: "star", Values: []float64{1}, Hi: 1,
		Expected: 1, Band: [2]float64{nan, nan}}, `band "star"`)
	for name, bin := range map[string]plots.ReliabilityBin{
		"a bin without confidence": {N: 4, Confidence: nan, Right: 0.5},
		"a bin without accuracy":   {N: 4, Confidence: 0.5, Right: nan},
	} {
		l := plots.ReliabilityLine{Label: "star", Bins: []plots.ReliabilityBin{bin}}
		checkRefused(t, name, plots.Reliability{Lines: []plots.ReliabilityLine{l}}, `reliability "star"`)
	}
}

// checkRefused checks that a figure is not drawn, that the error has the reason, and that nothing is written.
func checkRefused(t *testing.T, name string, p viz.Picture, reason string) {
	t.Helper()
	var b bytes.Buffer
	err := export(&b, figure.SVG, p, figure.Options{})
	if err == nil || !strings.Contains(err.Error(), reason) || b.Len() > 0 {
		t.Errorf("%s: the error is %v, want one with %s; %d bytes are written", name, err, reason, b.Len())
	}
}
