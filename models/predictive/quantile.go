package predictive

import (
	"math"

	"dgplab/models/stats"
)

// quantileSteps limits the number of steps to a quantile. Bisection alone would need about 60.
const quantileSteps = 200

// Quantile implements Regression. The quantile of a mixture lies between the quantiles of its
// components. It is found by Newton's method, with a bisection instead of each step that would
// leave the interval.
func (m *Gaussians) Quantile(dst []float64, level float64) {
	z := stats.Quantile(level)
	inPieces(m.N*m.P, func(from, to int) {
		for k := from; k < to; k++ {
			dst[k] = m.quantile(k, level, z)
		}
	})
}

// quantile returns the quantile of target k in [N][P] at a level. z is the quantile of the standard
// normal distribution at this level.
func (m *Gaussians) quantile(k int, level, z float64) float64 {
	lo := math.Inf(1)
	hi := math.Inf(-1)
	x := 0.0
	for s, w := range m.Weights {
		mean, vr := m.component(s, k)
		at := mean + z*math.Sqrt(vr)
		lo = min(lo, at)
		hi = max(hi, at)
		x += w * at
	}
	x = min(max(x, lo), hi)
	for step := 0; step < quantileSteps && hi-lo > 1e-14*max(math.Abs(lo), math.Abs(hi)); step++ {
		excess, density := m.excess(k, x, level)
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

// excess returns the probability that target k is below x, minus level, and the density at x.
func (m *Gaussians) excess(k int, x, level float64) (excess, density float64) {
	excess = -level
	for s, w := range m.Weights {
		mean, vr := m.component(s, k)
		sd := math.Sqrt(vr)
		excess += w * stats.CDF((x-mean)/sd)
		density += w * stats.PDF((x-mean)/sd) / sd
	}
	return excess, density
}
