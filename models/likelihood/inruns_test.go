package likelihood

import (
	"slices"
	"testing"
)

// Rows that share one noise variance and one derivative must share one call. All other rows need
// separate calls, even if there are only two.
func TestInRuns(t *testing.T) {
	for _, c := range []struct {
		noise, dNoise []float64
		calls         []float64 // first, last and noise of each call
		derivatives   []float64
	}{
		{[]float64{3}, make([]float64, 1), []float64{0, 2, 3}, []float64{1}},
		{nil, nil, []float64{0, 2, 0}, nil},
		{[]float64{3, 4}, make([]float64, 2), []float64{0, 1, 3, 1, 2, 4}, []float64{1, 2}},
		{[]float64{3, 4}, make([]float64, 1), []float64{0, 1, 3, 1, 2, 4}, []float64{3}},
		{[]float64{3}, make([]float64, 2), []float64{0, 1, 3, 1, 2, 3}, []float64{1, 2}},
	} {
		var calls []float64
		inRuns(2, c.dNoise, c.noise, func(first, last int, noise float64) float64 {
			calls = append(calls, float64(first), float64(last), noise)
			return float64(len(calls) / 3)
		})
		if !slices.Equal(calls, c.calls) || !slices.Equal(c.dNoise, c.derivatives) {
			t.Errorf("noise %v: calls %v, derivatives %v; want %v, %v",
				c.noise, calls, c.dNoise, c.calls, c.derivatives)
		}
	}
}
