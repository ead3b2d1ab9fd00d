package compare

import (
	"slices"
	"testing"

	"dgplab/session/rundir"
)

func TestErrorsAndVariances(t *testing.T) {
	p := &rundir.Predictions{
		N:        2,
		P:        2,
		Distance: []float64{5, 6},
		Target:   []float64{1, 2, 3, 4},
		Mean:     []float64{1, 4, 0, 4.5},
		Variance: []float64{7, 8, 9, 10},
	}
	variance, squared := ErrorAgainstVariance(p, 1)
	if !slices.Equal(variance, []float64{8, 10}) || !slices.Equal(squared, []float64{4, 0.25}) {
		t.Errorf("variances %v, squared errors %v", variance, squared)
	}
	distance, variance := VarianceAgainstDistance(p, 0)
	if !slices.Equal(distance, []float64{5, 6}) || !slices.Equal(variance, []float64{7, 9}) {
		t.Errorf("distances %v, variances %v", distance, variance)
	}
	p.Probability = []float64{0.5, 0.5}
	if v, _ := ErrorAgainstVariance(p, 0); v != nil {
		t.Error("classes have variances")
	}
	if d, _ := VarianceAgainstDistance(p, 0); d != nil {
		t.Error("classes have variances")
	}
}
