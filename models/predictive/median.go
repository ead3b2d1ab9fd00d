package predictive

import (
	"math"

	"dgplab/models/normal"
)

// medianSteps bounds the steps to a median: halving alone would need about 60.
const medianSteps = 200

// Median implements Regression. The median of a mixture lies between those of its
// components; Newton's method finds it, and halving where that would leave the interval.
func (m *Gaussians) Median(dst []float64) {
	inPieces(m.N*m.P, func(from, to int) {
		for k := from; k < to; k++ {
			dst[k] = m.median(k)
		}
	})
}

// median returns that of target k of [N][P].
func (m *Gaussians) median(k int) float64 {
	lo, hi, x := math.Inf(1), math.Inf(-1), 0.0
	for s, w := range m.Weights {
		mean, _ := m.component(s, k)
		lo, hi = min(lo, mean), max(hi, mean)
		x += w * mean
	}
	x = min(max(x, lo), hi)
	for step := 0; step < medianSteps && hi-lo > 1e-14*max(math.Abs(lo), math.Abs(hi)); step++ {
		excess, density := m.halfway(k, x)
		switch {
		case excess == 0:
			return x
		case excess < 0:
			lo = x
		default:
			hi = x
		}
		next := x - excess/density
		if !(next > lo && next < hi) {
			next = lo + (hi-lo)/2
		}
		if math.Abs(next-x) <= 1e-14*math.Abs(x) {
			return next
		}
		x = next
	}
	return x
}

// halfway returns by how much the probability of target k below x exceeds 1/2, and the
// density at x.
func (m *Gaussians) halfway(k int, x float64) (excess, density float64) {
	excess = -0.5
	for s, w := range m.Weights {
		mean, vr := m.component(s, k)
		sd := math.Sqrt(vr)
		excess += w * normal.CDF((x-mean)/sd)
		density += w * normal.PDF((x-mean)/sd) / sd
	}
	return excess, density
}
