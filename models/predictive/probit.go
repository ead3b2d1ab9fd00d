package predictive

import (
	"math"

	"dgplab/models/stats"
)

// Probit is a mixture of S Gaussians over the latent function f of two classes at each of N points,
// with p(y | f) = Phi(y f) for y of -1 and +1.
type Probit struct {
	S, N int
	// Weights sum to 1, [S].
	Weights []float64
	// Mean and Var are the moments of f, [S][N].
	Mean, Var []float64
}

// Dims implements Predictive.
func (m *Probit) Dims() (n, p int) { return m.N, 1 }

// Classes implements Classification.
func (*Probit) Classes() int { return 2 }

// LogDensity implements Predictive: log sum_s w_s Phi(y mean_s/sqrt(1 + var_s)), without underflow
// in the far tail.
func (m *Probit) LogDensity(dst, y []float64) {
	check(m, y)
	mix(dst[:m.N], y, m.Weights, func() func(s, n int) float64 { return m.components(y) })
}

// components returns a function that computes the log density of point n under component s.
func (m *Probit) components(y []float64) func(s, n int) float64 {
	return func(s, n int) float64 {
		return stats.LogCDF(y[n] * m.Mean[s*m.N+n] / math.Sqrt(1+m.Var[s*m.N+n]))
	}
}

// Probabilities implements Classification.
func (m *Probit) Probabilities(dst []float64) {
	for n := range m.N {
		var plus float64
		for s, w := range m.Weights {
			k := s*m.N + n
			plus += w * stats.CDF(m.Mean[k]/math.Sqrt(1+m.Var[k]))
		}
		dst[2*n], dst[2*n+1] = 1-plus, plus
	}
}
