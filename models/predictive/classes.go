package predictive

import "math"

// Link maps latent functions to the probabilities of classes.
type Link interface {
	// LogProbabilities sets dst [K] to the logarithm of the probability of each class under latent
	// functions with means mean [L] and variances vr [L].
	LogProbabilities(dst, mean, vr []float64)
}

// Classes is a mixture of S Gaussians over the L latent functions of K classes at each of N points: one
// function for two classes, or else one per class.
type Classes struct {
	S, N, K, L int
	// Weights sum to 1, [S].
	Weights []float64
	// Mean and Var are the moments of the latent functions, [S][N][L].
	Mean, Var []float64
	Link      Link

	logs []float64 // of the probabilities, [S][N][K]; nil until first used
}

// NewClasses returns the class prediction for the latent functions m, which have no noise.
func NewClasses(m *Gaussians, link Link) *Classes {
	return &Classes{S: m.S, N: m.N, K: max(2, m.P), L: m.P, Weights: m.Weights, Mean: m.Mean,
		Var: m.Var, Link: link}
}

// Dims implements Predictive.
func (m *Classes) Dims() (n, p int) { return m.N, 1 }

// Classes implements Classification.
func (m *Classes) Classes() int { return m.K }

// logProbabilities returns the log probabilities of all classes under every component, [S][N][K].
func (m *Classes) logProbabilities() []float64 {
	if m.logs == nil {
		m.logs = make([]float64, m.S*m.N*m.K)
		for point := range m.S * m.N {
			at, end := point*m.L, (point+1)*m.L
			m.Link.LogProbabilities(m.logs[point*m.K:(point+1)*m.K], m.Mean[at:end], m.Var[at:end])
		}
	}
	return m.logs
}

// LogDensity implements Predictive: log sum_s w_s p_s(y), without underflow in the far tail.
func (m *Classes) LogDensity(dst, y []float64) {
	check(m, y)
	component := m.components(y)
	mix(dst[:m.N], y, m.Weights, func() func(s, n int) float64 { return component })
}

// components returns a function that computes the log density of point n under component s.
func (m *Classes) components(y []float64) func(s, n int) float64 {
	logs := m.logProbabilities()
	return func(s, n int) float64 { return logs[(s*m.N+n)*m.K+classOf(y[n], m.K)] }
}

// Probabilities implements Classification.
func (m *Classes) Probabilities(dst []float64) {
	size := m.N * m.K
	clear(dst[:size])
	for at, log := range m.logProbabilities() {
		dst[at%size] += m.Weights[at/size] * math.Exp(log)
	}
}
