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

// ExpCRPS implements Regression, using the mean absolute differences of log-normal variables. It
// takes O(S^2) time per target.
func (m *Gaussians) ExpCRPS(u Units, dst, y []float64) {
	inPieces(check(m, y), func(from, to int) {
		a := make([]float64, m.S)
		b := make([]float64, m.S)
		center := make([]float64, m.S)
		for k := from; k < to; k++ {
			if math.IsNaN(y[k]) {
				dst[k] = math.NaN()
				continue
			}
			for s := range a {
				a[s], b[s], center[s] = m.logNormal(u, s, k)
			}
			target := u.Target(k, y[k])
			var score float64
			for s, w := range m.Weights {
				score += w * logNormalDistance(a[s], b[s], center[s], math.Log(target), 0, target)
				for t, v := range m.Weights[:s] {
					score -= w * v * logNormalDistance(a[s], b[s], center[s], a[t], b[t], center[t])
				}
				score -= 0.5 * w * w * logNormalDistance(a[s], b[s], center[s], a[s], b[s], center[s])
			}
			dst[k] = score
		}
	})
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
