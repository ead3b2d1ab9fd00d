package predictive

import (
	"math"
	"testing"

	"dgplab/models/oracletest"
)

// TestScoresOfCalibration compares the scores of two points in separate bins with values computed
// by hand.
func TestScoresOfCalibration(t *testing.T) {
	c := table{{0.2, 0.5, 0.3}, {0.1, 0.1, 0.8}}
	s := Score(c, []float64{1, 0}, nil)
	brier := (0.04 + 0.25 + 0.09 + 0.81 + 0.01 + 0.64) / 2
	if ece := (0.5 + 0.8) / 2; math.Abs(s.Brier-brier) > 1e-15 || math.Abs(s.ECE-ece) > 1e-15 || s.N != 2 {
		t.Errorf("Brier score %v, want %v; calibration error %v, want %v", s.Brier, brier, s.ECE, ece)
	}
	two := Score(&Probit{S: 1, N: 1, Weights: []float64{1}, Mean: []float64{0}, Var: []float64{0}},
		[]float64{1}, nil)
	if two.Brier != 0.5 || two.ECE != 0.5 {
		t.Errorf("of two classes: %v, %v", two.Brier, two.ECE)
	}
	aboveOne := math.Nextafter(1, 2) // a rounding error
	for p, want := range map[float64]int{0: 0, 0.1: 0, 0.11: 1, 0.5: 4, 1: 9, aboveOne: 9} {
		if got := Bin(p, 10); got != want {
			t.Errorf("%v is in bin %d, not %d", p, got, want)
		}
	}
}

// Scores accumulated over parts of a test set must equal the scores of the whole set.
func TestTallyOfClassesInParts(t *testing.T) {
	c := table{{0.2, 0.5, 0.3}, {0.1, 0.1, 0.8}, {0.4, 0.35, 0.25}, {0.1, 0.2, 0.7}}
	y := []float64{1, 0, 0, 2}
	var tally Tally
	tally.Add(c[:1], y[:1], nil, Units{})
	tally.Add(c[1:], y[1:], nil, Units{})
	got := tally.Scores()
	want := Score(c, y, nil)
	oracletest.Close(t, "scores", []float64{got.LogLik, got.ErrorRate, got.Brier, got.ECE},
		[]float64{want.LogLik, want.ErrorRate, want.Brier, want.ECE}, oracletest.ValueTolerance)
}
