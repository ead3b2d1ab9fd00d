package models

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
	"dgplab/models/view"
)

// The terms of a sum of kernels must add up to the functions of the first layer, their shares of the prior
// variance must add up to 1, and the functions of a model with one layer must be its predictions.
func TestPartsOfSums(t *testing.T) {
	data := familytest.Wave(20, 2)
	for _, s := range []familytest.Setting{
		familytest.NewSetting("svgp"),
		familytest.NewSetting("svgp", "whiten", "off"),
		familytest.NewSetting("mean-field", "layers", "2", "width", "2"),
		familytest.NewSetting("fully-coupled", "layers", "2", "width", "2"),
		familytest.NewSetting("fc-sampled", "layers", "2", "width", "2"),
		familytest.NewSetting("sghmc", "layers", "1", "burn_in", "2", "kept", "4", "thinning", "1"),
		familytest.NewSetting("sghmc", "layers", "2", "width", "2", "burn_in", "2", "kept", "4",
			"thinning", "1"),
		familytest.NewSetting("solve-gp"),
		familytest.NewSetting("ppgpr", "trend", "none"),
		familytest.NewSetting("dsdgp", "layers", "2", "width", "2"),
		familytest.NewSetting("dgp-iw", "layers", "2", "width", "2"),
	} {
		t.Run(s.String(), func(t *testing.T) {
			spec, err := Lookup(s.Family)
			if err != nil {
				t.Fatal(err)
			}
			set := map[string]string{"kernel": "rbf(0) + matern12(1)*rq + linear", "inducing": "6"}
			m := familytest.New(t, spec, data, familytest.Applicable(spec, set, s.Set), 0)
			familytest.Steps(t, m, 8)
			v, err := m.(family.Viewer).Views(1)
			if err != nil {
				t.Fatal(err)
			}
			if v.Functions == nil || len(v.Functions.Lines()) != 2 || len(v.Functions.Items) != 8 {
				t.Fatalf("functions are %+v", v.Functions)
			}
			for _, line := range v.Functions.Lines() {
				checkParts(t, line.Items)
			}
			if s.Set["layers"] == "2" {
				return
			}
			line := data.Over(v.Functions.Input, len(v.Functions.Grid), 0.1)
			out, err := m.Predict(mat.NewDense(len(line.Grid), 2, line.Points), 4, 1)
			if err != nil {
				t.Fatal(err)
			}
			real := out.(*predictive.Gaussians)
			clear(real.Noise)
			mean := make([]float64, 2*len(line.Grid))
			variance := make([]float64, 2*len(line.Grid))
			real.Moments(mean, variance)
			for i := range line.Grid {
				for p := range 2 {
					f := v.Functions.Items[p]
					oracletest.Close(t, "moments", []float64{f.Mean[i], f.SD[i]},
						[]float64{mean[2*i+p], math.Sqrt(variance[2*i+p])}, 1e-6)
				}
			}
		})
	}
}

// With a kernel per GP, each GP shows the terms of its own kernel.
func TestPartsOfDifferentKernels(t *testing.T) {
	for _, s := range []familytest.Setting{
		familytest.NewSetting("ppgpr", "trend", "none", "kernel", "rbf(0) + linear & matern12"),
		familytest.NewSetting("dsdgp", "layers", "2", "width", "2", "kernel", "rbf(0) + linear & rq | rbf"),
	} {
		spec, err := Lookup(s.Family)
		if err != nil {
			t.Fatal(err)
		}
		m := familytest.New(t, spec, familytest.Wave(20, 2), familytest.Applicable(spec,
			map[string]string{"inducing": "6"}, s.Set), 0)
		familytest.Steps(t, m, 8)
		v, err := m.(family.Viewer).Views(1)
		if err != nil {
			t.Fatal(err)
		}
		items := v.Functions.Items
		if len(items) != 4 || items[0].Share != 0 || items[2].Name == items[3].Name {
			t.Fatalf("%s: functions are %+v", s.Family, items)
		}
		for i, whole := range items[0].Mean {
			sum := items[2].Mean[i] + items[3].Mean[i]
			oracletest.Close(t, s.Family, []float64{sum}, []float64{whole}, 1e-6)
		}
		share := float64(items[2].Share + items[3].Share)
		oracletest.Close(t, s.Family+", shares", []float64{share}, []float64{1}, 1e-12)
	}
}

// checkParts checks two functions, which are followed by the same term of both, and so on.
func checkParts(t *testing.T, items []view.Function) {
	t.Helper()
	for p, want := range items[:2] {
		sum := make([]float64, len(want.Mean))
		var shares float64
		for k := 2 + p; k < len(items); k += 2 {
			shares += float64(items[k].Share)
			for i, v := range items[k].Mean {
				sum[i] += v
				if !(items[k].SD[i] >= 0) {
					t.Fatalf("%s has the standard deviation %v", items[k].Name, items[k].SD[i])
				}
			}
		}
		oracletest.Close(t, "sum of the terms", sum, want.Mean, 1e-9)
		if math.Abs(shares-1) > 1e-12 {
			t.Errorf("shares add up to %v", shares)
		}
	}
}
