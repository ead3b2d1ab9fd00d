package ep

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/familytest"
	"dgplab/models/predictive"
)

// What is shown fits together, and along an input the outputs are the predictions.
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
		if len(v.Functions.Items) != gps || len(v.Functions.Lines()) != 2 || len(v.Matrices.Matrices) < 3*gps || len(v.Blocks.Parts) != gps {
			t.Errorf("%v: %d functions, %d lines, %d matrices", s, len(v.Functions.Items), len(v.Functions.Lines()), len(v.Matrices.Matrices))
		}
		for _, e := range v.Matrices.Effective {
			if !(e >= 0 && e <= 8) {
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
			if f := v.Functions.Items[0]; math.Abs(f.Mean[i]-g.Mean[2*i]) > 1e-12 || math.Abs(f.SD[i]-math.Sqrt(g.Var[2*i])) > 1e-12 {
				t.Fatalf("%v: f is %v +- %v at point %d, predicted %v +- %v", s, f.Mean[i], f.SD[i], i, g.Mean[2*i], math.Sqrt(g.Var[2*i]))
			}
		}
	}
}

// Of one layer nothing is lost: matched moments are those of samples. The passage through
// two is that of predictions.
func TestPassage(t *testing.T) {
	data := familytest.Wave(60, 1)
	for _, layers := range []string{"1", "2"} {
		m := newTestModel(t, setting{"aep", map[string]string{"layers": layers}}, data)
		familytest.Steps(t, m, 20)
		v, err := m.Views(3)
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Passage.Points) != passagePoints {
			t.Fatalf("%d points", len(v.Passage.Points))
		}
		p, err := m.Predict(data.X, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, point := range v.Passage.Points {
			last := point.Moments[len(point.Moments)-1]
			g := p.(*predictive.Gaussians)
			if math.Abs(float64(last.Mean)-g.Mean[point.Row]) > 1e-12 || math.Abs(float64(last.SD)-math.Sqrt(g.Var[point.Row])) > 1e-12 {
				t.Errorf("row %d has %v +- %v, predicted %v", point.Row, last.Mean, last.SD, g.Mean[point.Row])
			}
			// The first layer is Gaussian: five standard errors of 256 samples.
			first := point.Moments[0]
			if ratio := first.Ratio(); math.Abs(ratio-1) > 5/math.Sqrt(2*passageSamples) {
				t.Errorf("row %d: ratio %v in the first layer", point.Row, ratio)
			}
		}
		for _, g := range v.Passage.GPs {
			if !(g.Strength[0] >= -1e-12 && g.Strength[4] <= 1 && g.Widest >= 1) {
				t.Errorf("GP %+v", g)
			}
		}
	}
}
