package predictive

import (
	"math"

	"dgplab/models/linalg"
	"dgplab/models/stats"
)

// Gaussians is a mixture of S Gaussians over P outputs at each of N points. A target is f plus
// independent noise.
type Gaussians struct {
	S, N, P int
	// Weights sum to 1, [S].
	Weights []float64
	// Mean and Var are the moments of f, without noise, [S][N][P].
	Mean, Var []float64
	// Noise is the noise variance of the outputs of each component, [S][P].
	Noise []float64
	// Covariance is the covariance of the outputs of f within a component, [S][N][P][P]. Only
	// entries below the diagonal are read; the diagonal is Var. The covariance may be singular. If
	// it is nil, the outputs are independent within a component.
	Covariance []float64
}

// SharedNoise returns a Noise for s components and p outputs whose entries all equal variance.
func SharedNoise(variance float64, s, p int) []float64 {
	noise := make([]float64, s*p)
	for k := range noise {
		noise[k] = variance
	}
	return noise
}

// AddNoise adds the known noise variance of each point, [N], to those of its targets. The variances of f then
// contain it.
func (m *Gaussians) AddNoise(known []float64) {
	for k := range m.Var {
		m.Var[k] += known[k/m.P%m.N]
	}
}

// Dims implements Predictive.
func (m *Gaussians) Dims() (n, p int) { return m.N, m.P }

// LogDensity implements Predictive: the logarithm of the joint density of the observed outputs,
//
//	log sum_s w_s N(y; mean_s, covariance_s + noise_s),
//
// without underflow in the far tail. It is NaN if the covariance of a component plus its noise is
// not positive definite.
func (m *Gaussians) LogDensity(dst, y []float64) {
	check(m, y)
	mix(dst[:m.N], y, m.Weights, func() func(s, n int) float64 { return m.components(y) })
}

// components returns a function that computes the log density of point n under component s.
func (m *Gaussians) components(y []float64) func(s, n int) float64 {
	if m.Covariance != nil {
		return m.correlated(y)
	}
	return m.independent(y)
}

// independent returns a function that computes the log density of point n under component s without
// covariance.
func (m *Gaussians) independent(y []float64) func(s, n int) float64 {
	return func(s, n int) (sum float64) {
		k := (s*m.N + n) * m.P
		for p, target := range y[n*m.P : (n+1)*m.P] {
			if !math.IsNaN(target) {
				sum += stats.LogPDF(target, m.Mean[k+p], m.Var[k+p]+m.Noise[s*m.P+p])
			}
		}
		return sum
	}
}

// correlated returns a function that computes the log density of the observed outputs of point n
// under component s, using the Cholesky factor L of their covariance C including noise: -1/2 |L^-1
// (y - mean)|^2 - 1/2 log |2 pi C|.
func (m *Gaussians) correlated(y []float64) func(s, n int) float64 {
	c := make([]float64, m.P*m.P)
	l := make([]float64, m.P*m.P)
	residual := make([]float64, m.P)
	outputs := make([]int, 0, m.P)
	return func(s, n int) float64 {
		k := s*m.N + n
		outputs = outputs[:0]
		for p, target := range y[n*m.P : (n+1)*m.P] {
			if !math.IsNaN(target) {
				residual[len(outputs)] = target - m.Mean[k*m.P+p]
				outputs = append(outputs, p)
			}
		}
		size := len(outputs)
		for i, p := range outputs {
			for j, q := range outputs[:i] {
				c[i*size+j] = m.Covariance[(k*m.P+p)*m.P+q]
			}
			c[i*size+i] = m.Var[k*m.P+p] + m.Noise[s*m.P+p]
		}
		if _, err := linalg.Cholesky(l, c, size, "predictive covariance"); err != nil {
			return math.NaN()
		}
		linalg.SolveLower(l, residual, size, 1, 1)
		var squares float64
		for _, r := range residual[:size] {
			squares += r * r
		}
		return -0.5*squares - linalg.LogDiag(l, size) - 0.5*float64(size)*math.Log(2*math.Pi)
	}
}

// LogDensityByOutput implements Regression.
func (m *Gaussians) LogDensityByOutput(dst, y []float64) {
	logWeights := logsOf(m.Weights)
	logs := make([]float64, m.S)
	for k, target := range y[:check(m, y)] {
		for s, w := range logWeights {
			mean, vr := m.component(s, k)
			logs[s] = w + stats.LogPDF(target, mean, vr)
		}
		dst[k] = logSumExp(logs)
	}
}

// component returns the mean and the variance, including noise, of target k in [N][P] under
// component s.
func (m *Gaussians) component(s, k int) (mean, vr float64) {
	i := s*m.N*m.P + k
	return m.Mean[i], m.Var[i] + m.Noise[s*m.P+k%m.P]
}
