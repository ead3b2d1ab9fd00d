package predictive

// Moments implements Regression, using the law of total variance.
func (m *Gaussians) Moments(mean, vr []float64) {
	size := m.N * m.P
	for k := range size {
		var first float64
		for s, w := range m.Weights {
			first += w * m.Mean[s*size+k]
		}
		var second float64
		for s, w := range m.Weights {
			d := m.Mean[s*size+k] - first
			second += w * (m.Var[s*size+k] + d*d)
		}
		mean[k], vr[k] = first, second+m.meanNoise(k%m.P)
	}
}

// meanNoise returns the mean noise variance of output p over the components. If all are equal, the
// result is exact.
func (m *Gaussians) meanNoise(p int) float64 {
	noise := m.Noise[p]
	for s, w := range m.Weights {
		noise += w * (m.Noise[s*m.P+p] - m.Noise[p])
	}
	return noise
}
