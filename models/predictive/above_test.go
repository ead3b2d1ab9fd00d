package predictive

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The probability above a limit of a single Gaussian is the closed form erfc(z/sqrt 2)/2, also far out in the
// tail, and those of all limits of a line are certain.
func TestAboveOfGaussian(t *testing.T) {
	m := &Gaussians{S: 1, N: 1, P: 1, Weights: []float64{1}, Mean: []float64{2}, Var: []float64{5},
		Noise: []float64{4}}
	for limit, want := range map[float64]float64{
		2: 0.5, 5: 0.15865525393145707, -1: 0.8413447460685429, 32: 0.5 * math.Erfc(10/math.Sqrt2),
		math.Inf(1): 0, math.Inf(-1): 1,
	} {
		got := make([]float64, 1)
		m.Above(got, []float64{limit})
		if math.Abs(got[0]-want) > 1e-13*want { // z = 10 is rounded to 1e-15, and its square matters
			t.Errorf("the probability above %v is %v, want %v", limit, got[0], want)
		}
	}
}

// The probabilities above a limit of a mixture agree with a simulation of it, and with 1 - PIT.
func TestAboveOfMixture(t *testing.T) {
	m, limits := random(4, 3, 2)
	got := make([]float64, 6)
	pit := make([]float64, 6)
	m.Above(got, limits)
	m.PIT(pit, limits)
	const draws = 200000
	r := rand.New(rand.NewPCG(5, 6))
	for k, limit := range limits {
		above := 0.0
		for range draws {
			s, u := 0, r.Float64()
			for s < m.S-1 && u > m.Weights[s] {
				u -= m.Weights[s]
				s++
			}
			mean, vr := m.component(s, k)
			if mean+math.Sqrt(vr)*r.NormFloat64() > limit {
				above++
			}
		}
		share := above / draws
		if off := math.Abs(share - got[k]); off > 4*math.Sqrt(got[k]*(1-got[k])/draws)+1e-12 {
			t.Errorf("target %d: %v, %v of %d draws", k, got[k], share, draws)
		}
		if math.Abs(got[k]-(1-pit[k])) > 1e-12 {
			t.Errorf("target %d: %v, but 1 - PIT is %v", k, got[k], 1-pit[k])
		}
	}
}

// Limits in original units lead to the same probabilities as standardised ones. A target with a logarithm is
// above every limit that is not positive.
func TestLimitsInUnits(t *testing.T) {
	for _, u := range []Units{{}, {Mean: []float64{3, 1}, SD: []float64{2, 5}},
		{Mean: []float64{3, 1}, SD: []float64{2, 5}, Log: true}} {
		for k := range 4 {
			for _, y := range []float64{-1.5, 0, 0.7} {
				if got := u.Standard(k, u.Target(k, y)); math.Abs(got-y) > 1e-14 {
					t.Errorf("%+v: %v comes back as %v", u, y, got)
				}
			}
		}
	}
	u := Units{Log: true}
	if got := u.Standard(0, -3); !math.IsInf(got, -1) {
		t.Errorf("the logarithm of a negative limit is %v", got)
	}
}
