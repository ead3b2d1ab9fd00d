package predictive

import (
	"math"

	"dgplab/models/linalg/vec"
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
		target := newNormals(m.Weights)
		for k := from; k < to; k++ {
			target.load(m, k)
			dst[k] = target.quantile(level, z)
		}
	})
}

// PIT implements Regression.
func (m *Gaussians) PIT(dst, y []float64) {
	inPieces(check(m, y), func(from, to int) {
		target := newNormals(m.Weights)
		for k := from; k < to; k++ {
			target.load(m, k)
			below, _ := target.below(y[k])
			dst[k] = min(below, 1) // the weights sum to 1 only up to rounding
		}
	})
}

// normals is a mixture of S Gaussians in one dimension, the distribution of one target.
type normals struct {
	// weights sum to 1, and mean, sd and inverse (1/sd) describe the components, [S].
	weights, mean, sd, inverse []float64
	// z, cdf and pdf are room for the evaluation, [S].
	z, cdf, pdf []float64
}

// newNormals returns room for mixtures with the given weights.
func newNormals(weights []float64) *normals {
	room := make([]float64, 6*len(weights))
	next := func() (row []float64) {
		row, room = room[:len(weights)], room[len(weights):]
		return row
	}
	return &normals{weights: weights, mean: next(), sd: next(), inverse: next(), z: next(), cdf: next(),
		pdf: next()}
}

// load sets the components to those of target k of [N][P].
func (t *normals) load(m *Gaussians, k int) {
	for s := range t.mean {
		t.mean[s], t.sd[s] = m.component(s, k)
	}
	for s, vr := range t.sd {
		t.sd[s] = math.Sqrt(vr)
		t.inverse[s] = 1 / t.sd[s]
	}
}

// below returns the probability of a value below x, and the density at x.
func (t *normals) below(x float64) (probability, density float64) {
	for s, mean := range t.mean {
		t.z[s] = (x - mean) * t.inverse[s]
	}
	vec.Normal(t.cdf, t.pdf, t.z)
	for s, w := range t.weights {
		probability += w * t.cdf[s]
		density += w * t.pdf[s] * t.inverse[s]
	}
	return probability, density
}

// quantile returns the quantile at a level. z is the quantile of the standard normal distribution at this
// level.
func (t *normals) quantile(level, z float64) float64 {
	lo := math.Inf(1)
	hi := math.Inf(-1)
	x := 0.0
	for s, w := range t.weights {
		at := t.mean[s] + z*t.sd[s]
		lo = min(lo, at)
		hi = max(hi, at)
		x += w * at
	}
	x = min(max(x, lo), hi)
	for step := 0; step < quantileSteps && hi-lo > 1e-14*max(math.Abs(lo), math.Abs(hi)); step++ {
		below, density := t.below(x)
		excess := below - level
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
