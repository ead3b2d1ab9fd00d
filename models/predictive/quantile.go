package predictive

import (
	"math"
	"slices"

	"dgplab/models/stats"
)

const (
	// quantileSteps limits the number of steps to a quantile. Bisection alone would need about 60.
	quantileSteps = 200
	// smallStep is the length of a step, in the smallest standard deviation of a component, after which the
	// error of Halley's method is below rounding.
	smallStep = 1e-6
)

// Quantiles implements Regression.
func (m *Gaussians) Quantiles(dst, levels []float64) {
	size := m.N * m.P
	z := make([]float64, len(levels))
	for l, level := range levels {
		z[l] = stats.Quantile(level)
	}
	inPieces(size, m.S, func(from, to int) {
		target := newNormals(m.Weights)
		at := make([]float64, len(levels))
		for k := from; k < to; k++ {
			target.load(m, k)
			target.quantiles(at, levels, z)
			for l, x := range at {
				dst[l*size+k] = x
			}
		}
	})
}

// PIT implements Regression.
func (m *Gaussians) PIT(dst, y []float64) {
	inPieces(check(m, y), m.S, func(from, to int) {
		target := newNormals(m.Weights)
		for k := from; k < to; k++ {
			dst[k] = math.NaN()
			if !math.IsNaN(y[k]) {
				target.load(m, k)
				dst[k] = min(target.below(y[k]), 1) // the weights sum to 1 only up to rounding
			}
		}
	})
}

// Above implements Regression. It is accurate in the upper tail, where 1 - PIT is rounded to 0.
func (m *Gaussians) Above(dst, y []float64) {
	inPieces(check(m, y), m.S, func(from, to int) {
		for k := from; k < to; k++ {
			dst[k] = 0
			for s, w := range m.Weights {
				mean, vr := m.component(s, k)
				dst[k] += w * stats.CDF((mean-y[k])/math.Sqrt(vr))
			}
			dst[k] = min(dst[k], 1) // the weights sum to 1 only up to rounding
		}
	})
}

// quantiles sets dst to the quantiles at ascending levels. z holds the quantiles of the standard normal
// distribution at these levels. The quantile of a mixture lies between the quantiles of its components. It is
// found by Halley's method, with a bisection instead of each step that would leave the interval. The first
// guess is the quantile of a Gaussian: for the first level the one with the same moments, for the next ones
// the one that has the density of the mixture at the quantile before.
func (t *normals) quantiles(dst, levels, z []float64) {
	mean, sd := t.moments()
	least := slices.Min(t.sd)
	var density float64
	for l, level := range levels {
		x := mean + z[l]*sd
		if l > 0 && density > 0 {
			x = dst[l-1] + stats.PDF(z[l-1])/density*(z[l]-z[l-1])
		}
		lo, hi := t.bracket(z[l])
		if l > 0 {
			lo = max(lo, dst[l-1])
		}
		dst[l], density = t.quantile(level, x, lo, max(lo, hi), least)
	}
}

// bracket returns the smallest and the largest quantile of the components, given the quantile z of the
// standard normal distribution.
func (t *normals) bracket(z float64) (lo, hi float64) {
	lo = math.Inf(1)
	hi = math.Inf(-1)
	for s, mean := range t.mean {
		at := mean + z*t.sd[s]
		lo = min(lo, at)
		hi = max(hi, at)
	}
	return lo, hi
}

// quantile returns the quantile at a level, which lies between lo and hi, and the density near it. x is the
// first guess, and least is the smallest standard deviation of a component.
func (t *normals) quantile(level, x, lo, hi, least float64) (at, density float64) {
	x = min(max(x, lo), hi)
	for step := 0; step < quantileSteps && hi-lo > 1e-14*max(math.Abs(lo), math.Abs(hi)); step++ {
		var below, slope float64
		below, density, slope = t.expand(x)
		excess := below - level
		switch {
		case excess == 0:
			return x, density
		case excess < 0:
			lo = x
		default:
			hi = x
		}
		move := -excess / density
		bend := 1 + move*slope/(2*density)
		if bend > 0.5 && bend < 2 { // Farther from the quantile, Halley's steps are too short.
			move /= bend
		}
		if math.Abs(move) <= max(smallStep*least, 1e-14*math.Abs(x)) {
			return min(max(x+move, lo), hi), density
		}
		x += move
		if !(x > lo && x < hi) {
			x = lo + (hi-lo)/2
		}
	}
	return x, density
}
