package stats

import "testing"

func TestOf(t *testing.T) {
	sorted := []float64{1, 3, 5, 9}
	for p, want := range map[float64]float64{0: 1, 1: 9, 0.5: 4, 1.0 / 3: 3, 0.75: 6} {
		if got := SampleQuantile(sorted, p); got != want {
			t.Errorf("quantile %g is %g, want %g", p, got, want)
		}
	}
	if got := SampleQuantile([]float64{2}, 0.3); got != 2 {
		t.Errorf("of one value it is %g", got)
	}
}
