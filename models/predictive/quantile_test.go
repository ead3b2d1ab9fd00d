package predictive

import (
	"dgplab/models/oracletest"
	"math"
	"testing"
)

// The probability below a quantile of a mixture must be its level.
func TestQuantile(t *testing.T) {
	for _, c := range []struct{ s, n, p int }{{1, 3, 1}, {2, 9, 2}, {100, 20, 2}} {
		m, _ := random(c.s, c.n, c.p)
		for k := range m.Mean {
			m.Mean[k] *= []float64{1, 30, 0}[k%3] // far apart, and equal
		}
		at := make([]float64, c.n*c.p)
		share := make([]float64, c.n*c.p)
		for _, level := range []float64{0.001, 0.05, 0.5, 0.8, 0.999} {
			m.Quantile(at, level)
			m.PIT(share, at)
			for k, f := range share {
				if math.Abs(f-level) > 1e-12 {
					t.Errorf("%d components, level %v: below the quantile of target %d is %v",
						c.s, level, k, f)
				}
			}
		}
	}
}

// TestQuantileOfOneGaussian compares quantiles with values from Python's statistics.NormalDist.
func TestQuantileOfOneGaussian(t *testing.T) {
	m := &Gaussians{
		S:       1,
		N:       1,
		P:       1,
		Weights: []float64{1},
		Mean:    []float64{3},
		Var:     []float64{3},
		Noise:   []float64{1},
	}
	got := make([]float64, 1)
	m.Quantile(got, 0.975)
	oracletest.Close(t, "quantile", got, []float64{3 + 2*1.959963984540054}, oracletest.ValueTolerance)
}
