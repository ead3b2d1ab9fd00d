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
