package ep

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/familytest"
	"dgplab/models/predictive"
	"dgplab/models/view"
)

// Views are consistent, and the outputs along an input equal the predictions.
func TestViews(t *testing.T) {
	for _, s := range forms {
		data := familytest.Wave(60, 2)
		m := newTestModel(t, s, data)
		familytest.Steps(t, m, 3)
		v, err := m.Views(1)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Check(); err != nil {
			t.Errorf("%v: %v", s, err)
		}
		gps := 0
		m.problem.eachGP(func(_, _ int, _ *gp) { gps++ })
		if len(v.Functions.Items) != gps || len(v.Functions.Lines()) != 2 ||
			len(v.Matrices.Matrices) < 3*gps || len(v.Blocks.Parts) != gps {
			t.Errorf("%v: %d functions, %d lines, %d matrices",
				s, len(v.Functions.Items), len(v.Functions.Lines()), len(v.Matrices.Matrices))
		}
		checkMaps(t, s, m, v.Maps)
		for l, e := range v.Matrices.Effective {
			hidden := l < len(v.Matrices.Effective)-1
			if hidden && m.problem.contracted {
				if !math.IsNaN(float64(e)) {
					t.Errorf("%v: %v well-determined parameters in a contracted layer", s, e)
				}
			} else if !(e >= 0 && e <= 8) {
				t.Errorf("%v: %v well-determined parameters", s, e)
			}
		}
		line := m.lines()[0]
		p, err := m.Predict(mat.NewDense(len(line.Grid), 2, line.Points), 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		g := p.(*predictive.Gaussians)
		for i := range line.Grid {
			if f := v.Functions.Items[0]; math.Abs(f.Mean[i]-g.Mean[2*i]) > 1e-12 ||
				math.Abs(f.SD[i]-math.Sqrt(g.Var[2*i])) > 1e-12 {
				t.Fatalf("%v: f is %v +- %v at point %d, predicted %v +- %v",
					s, f.Mean[i], f.SD[i], i, g.Mean[2*i], math.Sqrt(g.Var[2*i]))
			}
		}
	}
}

// The items are the outputs, named f and numbered if there are several, followed by the units of
// the layers below.
func TestFunctionNames(t *testing.T) {
	for outputs, want := range map[int][]string{
		1: {"f", "unit 1 of layer 2", "unit 2 of layer 2", "unit 1 of layer 1", "unit 2 of layer 1"},
		2: {"f 1", "f 2", "unit 1 of layer 2", "unit 2 of layer 2", "unit 1 of layer 1", "unit 2 of layer 1"},
	} {
		s := familytest.NewSetting("aep", "layers", "3", "width", "2")
		m := newTestModel(t, s, familytest.Wave(30, outputs))
		v, err := m.Views(1)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range v.Functions.Items {
			names = append(names, f.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%d outputs: %q, want %q", outputs, names, want)
		}
	}
}

// checkMaps checks that every GP has a map, and that a corner of the first map equals the posterior
// at that input.
func checkMaps(t *testing.T, s familytest.Setting, m *Model, maps *view.Maps) {
	t.Helper()
	gps := 0
	m.problem.eachGP(func(l, k int, g *gp) {
		e := maps.GPs[gps]
		if e.Layer != l || e.GP != k || len(e.Strength) != g.inducing ||
			len(e.Mean) != mapAcross*mapUp || len(e.Out) != 60 {
			t.Errorf("%v: map %d shows GP %d of layer %d, with %d strengths",
				s, gps, e.GP, e.Layer, len(e.Strength))
		}
		for _, v := range e.Strength {
			if !(v >= -1e-12 && v <= 15) {
				t.Errorf("%v: strength %v", s, v)
			}
		}
		gps++
	})
	if gps != len(maps.GPs) || maps.More != 0 || maps.Total != 60 {
		t.Errorf("%v: %d maps of %d GPs", s, len(maps.GPs), gps)
	}
	// Compare a corner of the map of the first GP.
	first := maps.GPs[0]
	tape := autodiff.NewTape()
	at := tape.Constant(1, 2, 1)
	at.Value[0], at.Value[1] = first.X[mapAcross-1], first.Y[mapUp-1]
	mean, vr := m.problem.layers[0].gps[0].posterior.atPoints(tape, at)
	if err := tape.Forward(); err != nil {
		t.Fatal(err)
	}
	last := len(first.Mean) - 1
	if math.Abs(mean.Value[0]-first.Mean[last]) > 1e-12 ||
		math.Abs(math.Sqrt(vr.Value[0])-first.SD[last]) > 1e-9 {
		t.Errorf("%v: the corner is %v +- %v, want %v +- %v",
			s, first.Mean[last], first.SD[last], mean.Value[0], math.Sqrt(vr.Value[0]))
	}
}

// A layer with one input has curves, and the last layer shows the targets.
func TestMapsOverOneInput(t *testing.T) {
	data := familytest.Wave(30, 1)
	m := newTestModel(t, familytest.NewSetting("sep", "width", "1"), data)
	familytest.Steps(t, m, 3)
	v, err := m.Views(1)
	if err != nil {
		t.Fatal(err)
	}
	last := v.Maps.GPs[1]
	if len(last.Axes) != 1 || len(last.Y) != 0 || len(last.Mean) != view.GridPoints ||
		len(last.Inducing[0]) != 8 || last.Names[0] != "unit 1 of the layer below" {
		t.Errorf("the last map has the axes %q, %d means and %d inducing inputs",
			last.Names, len(last.Mean), len(last.Inducing[0]))
	}
	for i, y := range last.Out {
		if y != data.Y.At(i, 0) {
			t.Fatalf("target %d is %v, want %v", i, y, data.Y.At(i, 0))
		}
	}
}

// With one layer, moment matching is exact, so the moments equal sample moments. With two layers,
// they equal the moments of predictions.
func TestMomentMatching(t *testing.T) {
	data := familytest.Wave(60, 1)
	for _, layers := range []string{"1", "2"} {
		m := newTestModel(t, familytest.NewSetting("aep", "layers", layers), data)
		familytest.Steps(t, m, 20)
		v, err := m.Views(3)
		if err != nil {
			t.Fatal(err)
		}
		if len(v.MomentMatching.Points) != matchedPoints {
			t.Fatalf("%d points", len(v.MomentMatching.Points))
		}
		p, err := m.Predict(data.X, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, point := range v.MomentMatching.Points {
			last := point.Moments[len(point.Moments)-1]
			g := p.(*predictive.Gaussians)
			if math.Abs(float64(last.Mean)-g.Mean[point.Row]) > 1e-12 ||
				math.Abs(float64(last.SD)-math.Sqrt(g.Var[point.Row])) > 1e-12 {
				t.Errorf("row %d: %v +- %v, predicted %v",
					point.Row, last.Mean, last.SD, g.Mean[point.Row])
			}
			// The first layer is Gaussian, so five standard errors of 256 samples are allowed.
			first := point.Moments[0]
			if ratio := first.Ratio(); math.Abs(ratio-1) > 5/math.Sqrt(2*matchedSamples) {
				t.Errorf("row %d: ratio %v in the first layer", point.Row, ratio)
			}
		}
		for _, g := range v.MomentMatching.GPs {
			if !(g.Strength[0] >= -1e-12 && g.Strength[4] <= 1 && g.Widest >= 1) {
				t.Errorf("GP %+v", g)
			}
		}
	}
}
