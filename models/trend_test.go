package models

import (
	"math"
	"slices"
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/predictive"
)

// TestFamiliesStartAtLinear checks that families with a linear trend by default initially predict
// the means of the linear family and the variances of its residuals.
func TestFamiliesStartAtLinear(t *testing.T) {
	data := familytest.Wave(60, 2)
	predict := func(spec Spec) (mean, vr []float64) {
		set := familytest.Applicable(spec, map[string]string{"inducing": "8"})
		m, err := spec.New(familytest.Values(t, spec, set), data, 1)
		if err != nil {
			t.Fatal(err)
		}
		if spec.Name == "linear" {
			familytest.Steps(t, m, 30)
		}
		p, err := m.Predict(data.X, 4, 1)
		if err != nil {
			t.Fatal(err)
		}
		mean = make([]float64, 120)
		vr = make([]float64, 120)
		p.(predictive.Regression).Moments(mean, vr)
		return mean, vr
	}
	spec, err := Lookup("linear")
	if err != nil {
		t.Fatal(err)
	}
	mean, vr := predict(spec)
	count := 0
	for _, spec := range Families() {
		i := slices.Index(family.Names(spec.Hyperparameters), "trend")
		if i < 0 || spec.Hyperparameters[i].Default != "linear" {
			continue
		}
		count++
		ownMean, ownVar := predict(spec)
		for i := range mean {
			if !(math.Abs(ownMean[i]-mean[i]) < 0.01) || !(math.Abs(math.Log(ownVar[i]/vr[i])) < 0.5) {
				t.Fatalf("%s: mean %v and variance %v at number %d, want %v and %v",
					spec.Name, ownMean[i], ownVar[i], i, mean[i], vr[i])
			}
		}
	}
	if count < 4 {
		t.Errorf("only %d families start at linear", count)
	}
}
