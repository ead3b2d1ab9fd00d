package predictive

// Mixture is implemented by predictions that average over components, such as posterior draws.
type Mixture interface {
	Predictive
	// ComponentLogDensity sets dst [S][N] to the log density under each component; see LogDensity.
	ComponentLogDensity(dst, y []float64)
	// Reweighted returns the prediction of point n with the given weights of the components, [S]. It
	// shares memory with the mixture.
	Reweighted(n int, weights []float64) Predictive
}

// eachComponent sets dst [S][N] to the log density of the points with targets in y [N][P].
func eachComponent(dst, y []float64, n int, component func(s, n int) float64) {
	p := len(y) / max(1, n)
	for k := range dst {
		dst[k] = 0
		if i := k % n; observed(y[i*p : (i+1)*p]) {
			dst[k] = component(k/n, i)
		}
	}
}

// ofPoint returns the values of point n of [S][N][width].
func ofPoint(values []float64, s, n, point, width int) []float64 {
	if values == nil {
		return nil
	}
	out := make([]float64, 0, s*width)
	for k := range s {
		at := (k*n + point) * width
		out = append(out, values[at:at+width]...)
	}
	return out
}

// ComponentLogDensity implements Mixture.
func (m *Gaussians) ComponentLogDensity(dst, y []float64) {
	check(m, y)
	eachComponent(dst, y, m.N, m.components(y))
}

// Reweighted implements Mixture.
func (m *Gaussians) Reweighted(n int, weights []float64) Predictive {
	return &Gaussians{
		S: m.S, N: 1, P: m.P, Weights: weights, Noise: m.Noise,
		Mean:       ofPoint(m.Mean, m.S, m.N, n, m.P),
		Var:        ofPoint(m.Var, m.S, m.N, n, m.P),
		Covariance: ofPoint(m.Covariance, m.S, m.N, n, m.P*m.P),
	}
}

// ComponentLogDensity implements Mixture.
func (m *Probit) ComponentLogDensity(dst, y []float64) {
	check(m, y)
	eachComponent(dst, y, m.N, m.components(y))
}

// Reweighted implements Mixture.
func (m *Probit) Reweighted(n int, weights []float64) Predictive {
	return &Probit{
		S: m.S, N: 1, Weights: weights,
		Mean: ofPoint(m.Mean, m.S, m.N, n, 1),
		Var:  ofPoint(m.Var, m.S, m.N, n, 1),
	}
}

// ComponentLogDensity implements Mixture.
func (m *Classes) ComponentLogDensity(dst, y []float64) {
	check(m, y)
	eachComponent(dst, y, m.N, m.components(y))
}

// Reweighted implements Mixture.
func (m *Classes) Reweighted(n int, weights []float64) Predictive {
	return &Classes{
		S: m.S, N: 1, K: m.K, L: m.L, Weights: weights, Link: m.Link,
		Mean: ofPoint(m.Mean, m.S, m.N, n, m.L),
		Var:  ofPoint(m.Var, m.S, m.N, n, m.L),
		logs: ofPoint(m.logs, m.S, m.N, n, m.K),
	}
}

// ComponentLogDensity implements Mixture.
func (m *Compound) ComponentLogDensity(dst, y []float64) {
	check(m, y)
	eachComponent(dst, y, m.N, m.components(y))
}

// Reweighted implements Mixture.
func (m *Compound) Reweighted(n int, weights []float64) Predictive {
	width := m.P * m.Observation.Latents()
	return &Compound{
		S: m.S, N: 1, P: m.P, Weights: weights, Params: m.Params, Observation: m.Observation,
		Mean: ofPoint(m.Mean, m.S, m.N, n, width),
		Var:  ofPoint(m.Var, m.S, m.N, n, width),
	}
}
