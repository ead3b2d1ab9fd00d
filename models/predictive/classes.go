package predictive

import (
	"math"

	"dgplab/models/likelihood"
)

// Observed returns the prediction of targets with likelihood l, given latent, the mixture over
// noiseless latent functions. noise is the variance of Gaussian noise.
func Observed(latent *Gaussians, l likelihood.Likelihood, noise float64) Predictive {
	switch l := l.(type) {
	case likelihood.Bernoulli:
		return &Probit{S: latent.S, N: latent.N, Weights: latent.Weights, Mean: latent.Mean, Var: latent.Var}
	case likelihood.Classes:
		return NewClasses(latent, l)
	}
	latent.Noise = SharedNoise(noise, latent.S, latent.P)
	return latent
}

// Classes is a mixture of S Gaussians over the latent functions of K classes at each of N points.
type Classes struct {
	S, N, K int
	// Weights sum to 1, [S].
	Weights []float64
	// Mean and Var are the moments of the latent functions, [S][N][K].
	Mean, Var []float64
	Link      likelihood.Classes

	logs []float64 // of the probabilities, [S][N][K]; nil until first used
}

// NewClasses returns the class prediction for the latent functions m, which have no noise.
func NewClasses(m *Gaussians, link likelihood.Classes) *Classes {
	return &Classes{S: m.S, N: m.N, K: m.P, Weights: m.Weights, Mean: m.Mean, Var: m.Var, Link: link}
}

// Dims implements Predictive.
func (m *Classes) Dims() (n, p int) { return m.N, 1 }

// Classes implements Classification.
func (m *Classes) Classes() int { return m.K }

// logProbabilities returns the log probabilities of all classes under every component, [S][N][K].
func (m *Classes) logProbabilities() []float64 {
	if m.logs == nil {
		m.logs = make([]float64, len(m.Mean))
		for at := 0; at < len(m.logs); at += m.K {
			end := at + m.K
			m.Link.LogProbabilities(m.logs[at:end], m.Mean[at:end], m.Var[at:end])
		}
	}
	return m.logs
}

// LogDensity implements Predictive: log sum_s w_s p_s(y), without underflow in the far tail.
func (m *Classes) LogDensity(dst, y []float64) {
	check(m, y)
	mix(dst[:m.N], y, m.Weights, m.components(y))
}

// components returns a function that computes the log density of point n under component s.
func (m *Classes) components(y []float64) func(s, n int) float64 {
	logs := m.logProbabilities()
	return func(s, n int) float64 { return logs[(s*m.N+n)*m.K+int(y[n])] }
}

// Probabilities implements Classification.
func (m *Classes) Probabilities(dst []float64) {
	size := m.N * m.K
	clear(dst[:size])
	for at, log := range m.logProbabilities() {
		dst[at%size] += m.Weights[at/size] * math.Exp(log)
	}
}
