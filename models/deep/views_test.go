package deep

import (
	"math"
	"slices"
	"testing"
)

// Everything that a model shows fits together, is finite, depends on the seed alone and
// disturbs nothing.
func TestViews(t *testing.T) {
	for name, c := range rules {
		m := small(t, c)
		steps(t, m, 20)
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
			if !(a.Rank > 0) || math.IsNaN(float64(a.Distances[2])) || !(a.SDs[0] > 0) || len(a.Inputs) != shownInputs {
				t.Errorf("%s: layer %d of %+v", name, l, a)
			}
		}
		again, err := m.Views(3)
		if err != nil || again.Units[2].Units[0].SD != v.Units[2].Units[0].SD || !slices.Equal(numbers(m), before) {
			t.Errorf("%s: looking twice differs, or disturbs: %v", name, err)
		}
	}
}

// What is projected keeps its distances where there are two dimensions, and is centred
// along the directions of most variance where there are more.
func TestPlane(t *testing.T) {
	m := wide(t)
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
