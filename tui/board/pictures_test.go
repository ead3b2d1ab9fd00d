package board

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/chart"
	"dgplab/viz/plots"
)

// checkEqual fails unless got is deeply equal to want.
func checkEqual(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s is\n%+v, want\n%+v", what, got, want)
	}
}

func TestLayerAndPriorPictures(t *testing.T) {
	samples := []view.Units{{}, {
		Lengthscales: view.Rounded{1, 2}, Variance: 3, Input: 2, Grid: view.Rounded{-1, 1},
		Correlation: []view.Rounded{{1, 0.5}, {0.5, 1}},
		Units: []view.Unit{
			{Mean: 1, SD: 2, Min: 3, Max: 4, Histogram: []int{5}, Share: 0.25,
				Curves: []view.Rounded{{6, 7}}},
			{Collapsed: true},
		},
	}, {}}
	checkEqual(t, "the layer", layerPicture(samples, 1, 1), plots.Layer{
		Index: 1, Layers: 3, Selected: 1, Lengthscales: []float64{1, 2}, Variance: 3,
		Grid: []float64{-1, 1}, XName: "input 3",
		Correlation: [][]float64{{1, 0.5}, {0.5, 1}},
		GPs: []plots.LayerGP{
			{Mean: 1, SD: 2, Min: 3, Max: 4, Histogram: []int{5}, Share: 0.25, Curves: [][]float64{{6, 7}}},
			{Collapsed: true, Curves: [][]float64{}},
		},
	})
	p := &view.Prior{Direction: "up", Grid: view.Rounded{0, 1}, Kinds: []view.PriorKind{
		{Name: "a", Depths: [][]view.Rounded{{{1, 2}}, {{3, 4}, {5, 6}}}}}}
	checkEqual(t, "the prior", priorPicture(p, 1),
		plots.Depths{Grid: []float64{0, 1}, Along: "up", Selected: 1,
			Kinds: []plots.DepthsKind{
				{Name: "a", Depths: [][][]float64{{{1, 2}}, {{3, 4}, {5, 6}}}}}})
}

// The picture shows one function or all functions, each in the colour of its index.
func TestFunctionsPicture(t *testing.T) {
	f := &view.Functions{Input: 1, Grid: view.Rounded{0, 1}, Items: []view.Function{
		{Name: "f", Mean: view.Rounded{1, 2}, SD: view.Rounded{3, 4}},
		{Name: "g", Mean: view.Rounded{5, 6}, SD: view.Rounded{7, 8}}}}
	first := plots.Band{Label: "f", Mean: []float64{1, 2}, SD: []float64{3, 4}}
	second := plots.Band{Label: "g", Run: 1, Mean: []float64{5, 6}, SD: []float64{7, 8}}
	for chosen, want := range map[int][]plots.Band{2: {first, second}, 0: {first}, 1: {second}} {
		b := functionsPicture(f, chosen).(plots.Bands)
		checkEqual(t, fmt.Sprintf("function %d", chosen), b.Bands, want)
		if b.XName != "input 2, standardised" || b.YName != "f, standardised" ||
			!slices.Equal(b.X, []float64{0, 1}) {
			t.Errorf("functions over %q %v", b.XName, b.X)
		}
	}
	f.Name = "mass"
	if b := functionsPicture(f, 2).(plots.Bands); b.XName != "mass, standardised" {
		t.Errorf("functions over %q", b.XName)
	}
	f.Category = &view.Category{Names: []string{"blue", "red"}, Counts: []int{4, 5}, More: 3}
	checkEqual(t, "the functions of a category", functionsPicture(f, 1), viz.Picture(plots.Levels{
		Names: []string{"blue", "red"}, Counts: []int{4, 5}, More: 3,
		Fits: plots.Fits{XName: "mass", YName: "f, standardised", List: []plots.Fit{
			{Label: "g", Run: 1, X: []float64{0, 1}, Mean: []float64{5, 6}, MeanName: "mean",
				Ranges: []chart.Range{{Name: "2 sd", Lo: []float64{-9, -10}, Hi: []float64{19, 22}}}},
		}},
	}))
}

// Probabilities in a plane have the range 0 to 1 and a line at one half.
func TestPlanePicture(t *testing.T) {
	p := &view.Plane{
		Inputs: [2]string{"when", "mass"}, Units: [2]string{"days since 1970", "kg"},
		X: view.Rounded{0, 1}, Y: view.Rounded{2, 3}, Total: 9,
		Fields: []view.Field{{Name: "mean", Values: view.Rounded{1, 2, 3, 4}},
			{Name: "P", Probability: true, Classes: []string{"a", "b"}}},
		Points: []view.PlanePoints{{Name: "data", X: view.Rounded{5}, Y: view.Rounded{6}}},
	}
	m := report.Plane(p, 0)
	if m.Lo != 0 || m.Hi != 0 || !math.IsNaN(m.Level) || m.Name != "mean" || m.Of != 9 ||
		m.XName != "when (days since 1970)" || m.YName != "mass (kg)" {
		t.Errorf("%+v", m)
	}
	if !m.XDates.Known() || !slices.Equal(m.Values, []float64{1, 2, 3, 4}) || m.X[1] != 1 ||
		m.Y[0] != 2 || m.Points[0].X[0] != 5 || m.Points[0].Y[0] != 6 {
		t.Errorf("%+v", m)
	}
	if m := report.Plane(p, 1); m.Lo != 0 || m.Hi != 1 || m.Level != 0.5 || m.Name != "P" ||
		!slices.Equal(m.Classes, []string{"a", "b"}) {
		t.Errorf("%+v", m)
	}
}

// TestMapPictures checks the mean and the standard deviation, and the order of factors by inducing inputs
// with one coordinate.
func TestMapPictures(t *testing.T) {
	g := &view.Map{
		Layer: 1, GP: 2, Names: []string{"a", "b"}, X: view.Rounded{0, 1}, Y: view.Rounded{2, 3},
		Mean: view.Rounded{4}, SD: view.Rounded{5},
		Data: []view.Rounded{{6, 7}, {8, 9}}, Inducing: []view.Rounded{{3, 1, 2}, {1, 2, 3}},
		Strength: view.Rounded{30, 10, 20}, Out: view.Rounded{10, 11},
	}
	for sd, want := range map[bool]float64{false: 4, true: 5} {
		m := mapPlane(g, 20, sd)
		if m.Values[0] != want || m.Of != 23 || m.XName != "a" || m.YName != "b" ||
			m.Name != map[bool]string{false: "mean of f", true: "sd of f"}[sd] {
			t.Errorf("%+v", m)
		}
		if data, z := m.Points[0], m.Points[1]; data.X[0] != 6 || data.Y[0] != 8 || z.X[0] != 3 ||
			z.Y[0] != 1 || m.X[1] != 1 || m.Y[1] != 3 || !math.IsNaN(m.Level) {
			t.Errorf("%+v", m)
		}
	}
	checkEqual(t, "the factor", factorPicture(g).Values, []float64{30, 10, 20})
	g.Names = g.Names[:1]
	g.Y = nil
	g.Inducing = g.Inducing[:1]
	g.Data = g.Data[:1]
	b := factorPicture(g)
	checkEqual(t, "the factor over one input", b.Values, []float64{10, 20, 30})
	if b.Lo != 0.5 || b.Hi != 3.5 || b.Label != "layer 2, GP 3" {
		t.Errorf("%+v", b)
	}
	c := mapCurve(g)
	checkEqual(t, "the data", c.Dots, []chart.XY{{X: 6, Y: 10}, {X: 7, Y: 11}})
	checkEqual(t, "the curve", c.Bands, []plots.Band{{Label: "layer 2, GP 3", Mean: []float64{4},
		SD: []float64{5}}})
	checkEqual(t, "the marks", c.Marks, []float64{3, 1, 2})
}

// The picture of the moments has matched and sampled moments of each GP.
func TestMomentsPicture(t *testing.T) {
	p := &view.MomentMatching{GPs: []view.MatchedGP{{}, {Layer: 1, GP: 2}},
		Points: []view.MatchedPoint{{}, {Moments: []view.MatchedMoments{
			{Mean: 1, SD: 2, SampleMean: 3, SampleSD: 4}, {Mean: 5, SD: 6, SampleMean: 7, SampleSD: 8}}}}}
	b := momentsPicture(p, 1)
	checkEqual(t, "the GPs", b.Categories, []string{"layer 1, GP 1", "layer 2, GP 3"})
	checkEqual(t, "the series", b.Series, []plots.ErrorSeries{
		{Label: "matched", Points: []plots.ErrorPoint{{Mean: 1, SE: 2, N: 2},
			{X: 1, Mean: 5, SE: 6, N: 2}}},
		{Label: "sampled", Run: 1, Points: []plots.ErrorPoint{{Mean: 3, SE: 4, N: 2},
			{X: 1, Mean: 7, SE: 8, N: 2}}},
	})
}

// Each kept draw is drawn at its step.
func TestChainPictures(t *testing.T) {
	q := &view.ChainQuantity{Name: "a", Mean: 2, SD: 1, Kept: &view.ChainDraws{
		Every: 5, Draws: []view.Rounded{{1, 2}, {3, 4}},
		Autocorrelation: []view.Rounded{{1, 0.5}, {1, 0.25}}, Ranks: [][]int{{3, 1}, {1, 3}}}}
	trace := tracePicture(q)
	if s := trace.Series[1]; trace.X != chart.Draws || len(trace.Series) != 2 || s.Label != "chain 2" ||
		s.Run != 1 || !slices.Equal(s.X, []float64{5, 10}) || !slices.Equal(s.Y, []float64{3, 4}) ||
		!s.Exact {
		t.Errorf("%+v", trace)
	}
	lags := autocorrelationPicture(q)
	if s := lags.Series[1]; lags.X != chart.Lags || s.Label != "chain 2" || s.Run != 1 ||
		!slices.Equal(s.Y, []float64{1, 0.25}) || !s.Exact {
		t.Errorf("%+v", lags)
	}
	if b := ranksPicture(q)[1]; b.Label != "chain 2" || b.Run != 1 || len(b.Values) != 2 ||
		!(b.Values[0] < b.Values[1]) {
		t.Errorf("%+v", b)
	}
	if b := marginalPicture(q); b.XName != "a" || len(b.Values) != 4 || len(b.Density) == 0 {
		t.Errorf("%+v", b)
	}
	other := &view.ChainQuantity{Name: "b", Kept: &view.ChainDraws{Draws: []view.Rounded{{5, 6}, {7, 8}}}}
	checkEqual(t, "the pair", pairPicture(q, other),
		plots.Scatter{XName: "a", YName: "b", Clouds: []plots.Cloud{
			{Label: "chain 1", X: []float64{1, 2}, Y: []float64{5, 6}},
			{Label: "chain 2", Run: 1, X: []float64{3, 4}, Y: []float64{7, 8}}}})
	c := &view.Chains{}
	for _, p := range []view.Float{0.5, 0.04, 1e-30, view.Float(math.NaN()), 0.01} {
		c.Quantities = append(c.Quantities, view.ChainQuantity{Normal: p})
	}
	checkEqual(t, "the tests", normalityPicture(c).Clouds, []plots.Cloud{
		{Label: "not below 0.05", X: []float64{1, 2}, Y: []float64{1, 0.16}},
		{Label: "rejected", Run: 1, X: []float64{3, 5}, Y: []float64{leastP, 0.04}}})
}

// The fit shows the points nearest to the slice in the other inputs.
func TestFitPictures(t *testing.T) {
	const n = 60
	f := &view.Fit{
		Targets: []string{"y", "z"}, Units: []string{"m"}, Levels: []float64{0.1, 0.5},
		At: []view.Rounded{{0, 0}, {0, 30}}, Rows: 7,
		Lines: []view.FitLine{
			{Name: "a", Grid: view.Rounded{0, 1}, Inducing: view.Rounded{0.5},
				Draws: [][]view.Rounded{{{1, 2}}, {{3, 4}}}},
			{Name: "b", Unit: "kg", Grid: view.Rounded{0, 60}},
		},
		Train: view.FitPoints{Name: "training points", X: make([]view.Rounded, 2),
			Y: make([]view.Rounded, 2), Total: 100},
		Held: view.FitPoints{Name: "test points", X: []view.Rounded{{1}, {2}},
			Y: []view.Rounded{{3}, {4}}, Total: 1},
	}
	for i := range n {
		f.Train.X[0] = append(f.Train.X[0], float64(i)/n)
		f.Train.X[1] = append(f.Train.X[1], float64(i))
		f.Train.Y[0] = append(f.Train.Y[0], float64(100+i))
		f.Train.Y[1] = append(f.Train.Y[1], float64(200+i))
	}
	quantiles := []view.Rounded{{10, 10}, {20, 20}, {30, 30}, {40, 40}}
	for level := range f.Levels {
		fitted := view.Fitted{Mean: view.Rounded{float64(level), 9}, Quantiles: quantiles}
		f.Lines[0].Slices = append(f.Lines[0].Slices, []view.Fitted{{}, fitted})
	}
	got := fitPicture(f, 0, 1, 1)
	if got.DrawsName != "1 draws of f" || got.MeanName != "predictive mean" || got.Mean[0] != 1 ||
		got.Draws[0][0] != 3 || got.Marks[0] != 0.5 {
		t.Errorf("%+v", got)
	}
	checkEqual(t, "the ranges", got.Ranges, []chart.Range{{Name: "95 %", Lo: []float64{10, 10},
		Hi: []float64{40, 40}}, {Name: "50 %", Lo: []float64{20, 20}, Hi: []float64{30, 30}}})
	if fitPicture(f, 0, 0, 1).Draws != nil {
		t.Error("there are draws at another level than the median")
	}
	train, held := got.Observations[0], got.Observations[1]
	if train.Name != "15 nearest of 60 of 100 training points" || train.Short != "training" ||
		len(train.X) != 15 || held.Name != "test points" {
		t.Errorf("%q, %q, %d points, %q", train.Name, train.Short, len(train.X), held.Name)
	}
	for k, y := range train.Y { // b is held at 30, the value of row 30.
		if row := y - 200; math.Abs(row-30) > 7.5 || math.Abs(train.X[k]-row/n) > 1e-12 {
			t.Errorf("the point %v, %v is not near", train.X[k], y)
		}
	}
	checkEqual(t, "test points", [2][]float64{held.X, held.Y}, [2][]float64{{1}, {4}})
	for target, want := range []string{"y (m)", "z"} {
		if x, y, dates := (fittedRun{nil, f, 1, target}).axes(); x != "b (kg)" || y != want || dates.Known() {
			t.Errorf("axes %q and %q", x, y)
		}
	}
	checkEqual(t, "no dependence", dependencePicture(f, 0, 1), plots.Fit{})
	f.Lines[0].Coarse = view.Rounded{0, 1}
	f.Lines[0].Dependence = []view.Dependence{{},
		{Mean: view.Rounded{1, 2}, Lo: view.Rounded{0, 1}, Hi: view.Rounded{2, 3}}}
	checkEqual(t, "the dependence", dependencePicture(f, 0, 1),
		plots.Fit{X: []float64{0, 1}, Mean: []float64{1, 2}, MeanName: "mean over 7 rows",
			Ranges: []chart.Range{{Name: "9 in 10 rows", Lo: []float64{0, 1}, Hi: []float64{2, 3}}}})
	f.Predicted = []view.Fitted{{}, {Mean: view.Rounded{5}}}
	checkEqual(t, "predictions", againstPicture(f, 1), plots.Prediction{
		Observed: []float64{4},
		Mean:     []float64{5},
	})
	f.Classes = true
	if got := fitPicture(f, 0, 1, 1); got.MeanName != "probability" {
		t.Errorf("%q of classes", got.MeanName)
	}
}
