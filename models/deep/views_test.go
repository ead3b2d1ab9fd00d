package deep

import (
	"math"
	"slices"
	"testing"

	"dgplab/models/familytest"
	"dgplab/models/kernel"
	"dgplab/models/train"
	"dgplab/models/view"
)

// Views are consistent and finite, depend only on the seed, and do not change the model.
func TestViews(t *testing.T) {
	for name, c := range rules {
		m := small(t, c)
		familytest.Steps(t, m, 20)
		before := numbers(m)
		v, err := m.Views(3)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if (v.Quadrature != nil) != c.Quadrature {
			t.Errorf("%s: quadrature %v", name, v.Quadrature)
		}
		if len(v.Units) != 3 || len(v.Matrices.Matrices) != 3 || len(v.Amortization.Layers) != 3 {
			t.Fatalf("%s: %d layers of units, %d matrices", name, len(v.Units), len(v.Matrices.Matrices))
		}
		for l, units := range v.Units {
			e := v.Matrices.Matrices[l]
			if !(e.Condition >= 1) || !(e.SmallestPivot > 0) || !(v.Matrices.KLByLayer[l] > 0) {
				t.Errorf("%s: %+v, KL %v", name, e, v.Matrices.KLByLayer[l])
			}
			for _, u := range units.Units {
				if !(u.SD > 0) || u.Collapsed || len(u.Curves) == 0 || len(u.Curves[0]) != len(units.Grid) {
					t.Errorf("%s: unit %+v of layer %d", name, u, l)
				}
			}
			a := v.Amortization.Layers[l]
			if !(a.Rank > 0) || math.IsNaN(float64(a.Distances[2])) || !(a.SDs[0] > 0) ||
				len(a.Inputs) != shownInputs {
				t.Errorf("%s: layer %d of %+v", name, l, a)
			}
		}
		again, err := m.Views(3)
		if err != nil || again.Units[2].Units[0].SD != v.Units[2].Units[0].SD ||
			!slices.Equal(numbers(m), before) {
			t.Errorf("%s: repeated views differ or change the model: %v", name, err)
		}
	}
}

// The maps of the inference functions start at the identity, with an offset for each inducing
// point. Inducing points on a line have rank one.
func TestAmortization(t *testing.T) {
	m := small(t, rules["AR2P"])
	look := func() view.AmortizedLayer {
		t.Helper()
		v, err := m.Views(1)
		if err != nil {
			t.Fatal(err)
		}
		return v.Amortization.Layers[0]
	}
	a := look()
	x := train.Spread(m.problem.data.X, samplePoints)
	b := m.problem.Set.Lookup("layer.0.affine.b").Value
	n, _ := x.Dims()
	for i, in := range a.Inputs {
		row := x.RawRowView(i * n / len(a.Inputs))
		for k := range in.ZX {
			if dx, dy := in.ZX[k]-row[0]-b[2*k],
				in.ZY[k]-row[1]-b[2*k+1]; float64(in.X) != row[0] || math.Abs(dx)+math.Abs(dy) > 1e-12 {
				t.Fatalf("inducing point %d of input %d is at %g, %g", k, i, in.ZX[k], in.ZY[k])
			}
		}
	}
	if math.Abs(float64(a.Rank-a.SeenRank)) > 1e-9 || a.Collapsed ||
		a.Axes != [2]string{"input 1", "input 2"} {
		t.Errorf("identity map: rank %g of %g, axes %q", a.Rank, a.SeenRank, a.Axes)
	}
	w := m.problem.Set.Lookup("layer.0.affine.W")
	for k := range 3 {
		copy(w.Value[4*k:], []float64{1, 0.5, 2, 1})
		if got := look(); got.Collapsed != (k == 2) {
			t.Errorf("with %d of 4 on a line: collapsed %v, rank %g", k+1, got.Collapsed, got.Rank)
		}
	}
}

// The covariance map shows the first input.
func TestBlocksShowFirstInput(t *testing.T) {
	v, err := small(t, rules["AR2"]).Views(1)
	if err != nil {
		t.Fatal(err)
	}
	sd := v.Amortization.Layers[0].Inputs[0].SD[0][0]
	if got := v.Blocks.At(0, 0); len(v.Blocks.Parts) != 7 || math.Abs(got-2*math.Log10(sd)) > 1e-12 {
		t.Errorf("%d parts, first cell %g for a standard deviation of %g", len(v.Blocks.Parts), got, sd)
	}
}

func TestPriors(t *testing.T) {
	v, err := small(t, rules["AR1"]).Views(1)
	if err != nil {
		t.Fatal(err)
	}
	p := v.Prior
	if len(p.Kinds) != 3 || p.Kinds[0].Name != kernel.ConventionalPrior ||
		p.Kinds[1].Name != amortizedAtMeans || len(p.Kinds[2].Depths) != 3 {
		t.Errorf("%+v", p)
	}
	again, err := small(t, rules["AR1"]).Views(1)
	if err != nil || p.Kinds[1].Depths[2][0][5] != again.Prior.Kinds[1].Depths[2][0][5] {
		t.Errorf("repeated draws differ: %v", err)
	}
}

// Projections to the principal directions are centred, with the direction of largest variance
// first.
func TestPlane(t *testing.T) {
	m := paperModel(t)
	v, err := m.Views(1)
	if err != nil {
		t.Fatal(err)
	}
	a := v.Amortization.Layers[0]
	var x, y, xx, yy float64
	for i := range a.SeenX {
		x, y = x+a.SeenX[i], y+a.SeenY[i]
		xx, yy = xx+a.SeenX[i]*a.SeenX[i], yy+a.SeenY[i]*a.SeenY[i]
	}
	if n := float64(len(a.SeenX)); math.Abs(x)/n > 1e-9 || math.Abs(y)/n > 1e-9 || !(xx >= yy) {
		t.Errorf("sums %v and %v, squares %v and %v", x, y, xx, yy)
	}
}
