package predictive

import "math"

// ExpMoments implements Regression, using the moments of log-normal distributions and the law of
// total variance.
func (m *Gaussians) ExpMoments(u Units, mean, vr []float64) {
	for k := range m.N * m.P {
		var first, second float64
		for s, w := range m.Weights {
			_, _, center := m.logNormal(u, s, k)
			first += w * center
		}
		for s, w := range m.Weights {
			_, b, center := m.logNormal(u, s, k)
			d := center - first
			second += w * (center*center*math.Expm1(b) + d*d)
		}
		mean[k], vr[k] = first, second
	}
}

// logNormal returns the mean a and the variance b of the logarithm of target k of [N][P] under
// component s, including noise, and the mean exp(a + b/2) of the target.
func (m *Gaussians) logNormal(u Units, s, k int) (a, b, center float64) {
	shift, sd := u.affine(k)
	mean, vr := m.component(s, k)
	a, b = shift+sd*mean, sd*sd*vr
	return a, b, math.Exp(a + b/2)
}

// ExpCRPS implements Regression, using the mean absolute differences of log-normal variables, in the same way
// as CRPS.
func (m *Gaussians) ExpCRPS(u Units, dst, y []float64) {
	inPieces(check(m, y), m.S, func(from, to int) {
		logs := newNormals(m.Weights)
		center := make([]float64, m.S)
		nodes := lattice{raised: true}
		for k := from; k < to; k++ {
			dst[k] = math.NaN()
			if math.IsNaN(y[k]) {
				continue
			}
			for s := range center {
				logs.mean[s], logs.vr[s], center[s] = m.logNormal(u, s, k)
			}
			logs.standardise()
			target := u.Target(k, y[k])
			var score float64
			for s, w := range m.Weights {
				a, b := logs.mean[s], logs.vr[s]
				score += w * logNormalDistance(a, b, center[s], math.Log(target), 0, target)
			}
			spread, ok := nodes.spread(logs)
			if !ok {
				spread = logNormalPairs(logs.mean, logs.vr, center, m.Weights)
			}
			dst[k] = score - spread
		}
	})
}

// logNormalPairs returns half the mean absolute difference of two independent values, as a sum over all pairs
// of components with the means center, given the means a and the variances b of their logarithms.
func logNormalPairs(a, b, center, weights []float64) (sum float64) {
	for s, w := range weights {
		for t, v := range weights[:s] {
			sum += w * v * logNormalDistance(a[s], b[s], center[s], a[t], b[t], center[t])
		}
		sum += 0.5 * w * w * logNormalDistance(a[s], b[s], center[s], a[s], b[s], center[s])
	}
	return sum
}

// logNormalDistance returns E|x - x'| of two independent log-normal variables with means center and
// other. Their logarithms have means a and c and variances b and d. The result is
//
//	center erf((a-c+b)/sqrt(2(b+d))) + other erf((c-a+d)/sqrt(2(b+d)))
//
// It follows from |x - x'| = 2 max(x, x') - x - x', because a log-normal density times x is
// proportional to a log-normal density whose logarithm is shifted by its variance.
func logNormalDistance(a, b, center, c, d, other float64) float64 {
	if b+d == 0 {
		return math.Abs(center - other)
	}
	root := math.Sqrt(2 * (b + d))
	return center*math.Erf((a-c+b)/root) + other*math.Erf((c-a+d)/root)
}
