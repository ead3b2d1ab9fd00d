package models

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
)

// TestInducingInputs checks that families return a copy of the inducing inputs of the first layer,
// and checks their number.
func TestInducingInputs(t *testing.T) {
	x := mat.NewDense(12, 2, nil)
	y := mat.NewDense(12, 1, nil)
	for i := range 12 {
		x.SetRow(i, []float64{float64(i*i%7) - 3, float64(i)/6 - 1})
		y.Set(i, 0, x.At(i, 0)/3)
	}
	for name, want := range map[string]int{
		"star": 4, "sghmc": 4, "svgp": 4, "sgpr": 4, "gp": 0, "avdgp": 0, "dsdgp": 4, "dgp-iw": 4,
		"aep": 8,
	} {
		spec, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		set := familytest.Applicable(spec, map[string]string{"inducing": "4"})
		data := Data{X: mat.DenseCopyOf(x), Y: mat.DenseCopyOf(y)}
		m, err := spec.New(familytest.Values(t, spec, set), data, 1)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		z := m.(family.InducingModel).InducingInputs()
		if z == nil {
			if want != 0 {
				t.Errorf("%s has no inducing inputs", name)
			}
			continue
		}
		if n, d := z.Dims(); n != want || d != 2 {
			t.Errorf("%s has %d inducing inputs of %d coordinates, want %d", name, n, d, want)
		}
		z.Set(0, 0, 99)
		if m.(family.InducingModel).InducingInputs().At(0, 0) == 99 {
			t.Errorf("%s does not copy its inducing inputs", name)
		}
	}
}
