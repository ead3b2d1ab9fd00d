package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dgplab/session"
)

func TestPITHistogram(t *testing.T) {
	counts, bad := PITHistogram([]float64{0, 0.1, 0.25, 0.99, 1, math.NaN(), -1e-17, 1 + 1e-15}, 4)
	if !slices.Equal(counts, []int{3, 1, 0, 3}) || bad != 1 {
		t.Errorf("counts %v, %d not numbers", counts, bad)
	}
	if counts, _ := PITHistogram(nil, 0); !slices.Equal(counts, []int{0}) {
		t.Errorf("nothing: %v", counts)
	}
}

// Uniform values cover as much as they should, those that crowd in the middle more.
func TestCoverageCurve(t *testing.T) {
	if got := Levels(3); !slices.Equal(got, []float64{0.25, 0.5, 0.75}) {
		t.Errorf("levels %v", got)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	uniform, crowded := make([]float64, 50000), make([]float64, 50000)
	for i := range uniform {
		uniform[i] = rng.Float64()
		crowded[i] = (rng.Float64() + rng.Float64()) / 2
	}
	for i, share := range CoverageCurve(uniform, Levels(9)) {
		near(t, "coverage", share, Levels(9)[i], 0.01)
	}
	// The mean of two has |u-1/2| below l/2 with probability 1-(1-l)^2.
	for i, share := range CoverageCurve(crowded, Levels(9)) {
		l := Levels(9)[i]
		near(t, "coverage", share, 1-(1-l)*(1-l), 0.01)
	}
	if got := CoverageCurve([]float64{math.NaN()}, []float64{0.5}); !math.IsNaN(got[0]) {
		t.Errorf("no values: %v", got)
	}
}

func TestErrorsAndVariances(t *testing.T) {
	p := &session.Predictions{N: 2, P: 2, Distance: []float64{5, 6}, Target: []float64{1, 2, 3, 4}, Mean: []float64{1, 4, 0, 4.5}, Variance: []float64{7, 8, 9, 10}}
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
