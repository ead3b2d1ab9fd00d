package familytest

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// Agree checks that the mean of batch means equals want within 4 standard errors, which it
// estimates from the spread of the batch means.
func Agree(t testing.TB, what string, means []float64, want float64) {
	t.Helper()
	mean, sd := stat.MeanStdDev(means, nil)
	standardError := sd / math.Sqrt(float64(len(means)))
	if off := math.Abs(mean - want); !(off < 4*standardError) {
		t.Errorf("%s %v, want %v within %v", what, mean, want, 4*standardError)
	}
	if standardError > 0.05*math.Max(1, math.Abs(want)) {
		t.Errorf("%s: the standard error %v is too large", what, standardError)
	}
}

// UniformRanks checks that the ranks of a quantity in simulation-based calibration are uniform. counts
// holds the numbers of ranks in four bins of equal probability, one rank for each simulation.
func UniformRanks(t testing.TB, what string, counts []int, simulations int) {
	t.Helper()
	want := float64(simulations) / float64(len(counts))
	var chi2 float64
	for _, count := range counts {
		chi2 += (float64(count) - want) * (float64(count) - want) / want
	}
	// The limit is the 99.9 % quantile of the chi-squared distribution with three degrees of freedom.
	if len(counts) != 4 || chi2 > 16.3 {
		t.Errorf("%s: ranks %v, chi-squared %.1f", what, counts, chi2)
	}
}
