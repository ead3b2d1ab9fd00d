package dgp

import (
	"dgplab/models/familytest"
	"math"
	"testing"
)

// TestPriorMatchesKernels compares draws at single points with the standard deviation of the
// kernel, and draws from zero normals with the mean function.
func TestPriorMatchesKernels(t *testing.T) {
	m := build(t, "mean-field", familytest.Wave(40, 1), map[string]string{
		"layers": "3", "variance": "4", "mean_function": "zero", "inducing": "5",
	})
	if err := m.refresh(); err != nil {
		t.Fatal(err)
	}
	v, err := m.drawPrior(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Check(); err != nil {
		t.Error(err)
	}
	if len(v.Kinds) != 1 || len(v.Kinds[0].Depths) != 3 || len(v.Kinds[0].Depths[2]) != 3 {
		t.Fatalf("%+v", v)
	}
	in := []float64{0.3, 100, 0.3, 100} // two points
	gps := m.arch.Layers[0].GPs
	eps := make([]float64, 2*gps)
	for k := range eps {
		eps[k] = float64(k + 1)
	}
	f, err := m.drawLayerPrior(0, in, eps)
	if err != nil {
		t.Fatal(err)
	}
	for k, e := range eps { // the two points are far apart, so they are independent
		if want := 2 * e; math.Abs(f[k]-want) > 1e-5*want {
			t.Errorf("number %d: %g, want %g", k, f[k], want)
		}
	}
	linear := build(t, "mean-field", familytest.Wave(40, 1),
		map[string]string{"layers": "2", "inducing": "5"})
	if err := linear.refresh(); err != nil {
		t.Fatal(err)
	}
	clear(eps)
	f, err = linear.drawLayerPrior(0, in, eps[:2*linear.arch.Layers[0].GPs])
	if err != nil || f[0] != in[0] || f[1] != in[1] {
		t.Errorf("with zero draws the prior is %v, want the mean function %v (%v)", f, in, err)
	}
	single := build(t, "svgp", familytest.Wave(40, 1))
	if v, err := single.drawPrior(1); v != nil || err != nil {
		t.Errorf("prior of a single layer: %v, %v", v, err)
	}
}
