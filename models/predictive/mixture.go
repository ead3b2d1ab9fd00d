// Package predictive is what a model predicts, a mixture of Gaussians per test
// point, and the scores of such predictions: log-likelihood, RMSE, CRPS, the
// probability integral transform, coverage; error rate and log-loss for classes.
//
// Mixtures and targets are in the standardised units of the training targets;
// scores are in original units, where a target is TargetMean + TargetSD times
// its standardised value.
package predictive

import (
	"fmt"
	"math"

	"dgplab/models/normal"
)

// Mixture is, for each of N test points and P outputs, a mixture of S Gaussians
// over the latent function f. Within a component the outputs are independent.
type Mixture struct {
	S, N, P int
	// Mean and Var are [S][N][P], row-major; Var is of f, without noise.
	Mean, Var []float64
	// Weights sum to 1, [S].
	Weights []float64
	// NoiseVar is the Gaussian likelihood's variance; 0 for classifiers.
	NoiseVar float64
	// ProbPlus is [N], the probability of class +1 under the probit link; nil for
	// regression.
	ProbPlus []float64
}

// LogDensity sets dst [N] to the logarithm of the predictive density of the
// targets y [N][P], in standardised units,
//
//	log sum_s w_s prod_p N(y_p; mean_sp, var_sp + noise),
//
// or, for classifiers, to the logarithm of the probability of the class y [N]
// of -1 and +1. Neither underflows in the far tail.
func (m *Mixture) LogDensity(dst, y []float64) {
	m.check("targets", len(y))
	logs := make([]float64, m.S)
	for n := range dst[:m.N] {
		for s := range logs {
			logs[s] = math.Log(m.Weights[s]) + m.componentLogDensity(s, n, y)
		}
		dst[n] = logSumExp(logs)
	}
}

// componentLogDensity returns log p(y_n) under component s.
func (m *Mixture) componentLogDensity(s, n int, y []float64) (sum float64) {
	if m.ProbPlus != nil {
		k := s*m.N + n
		return normal.LogCDF(y[n] * m.Mean[k] / math.Sqrt(1+m.Var[k]))
	}
	k := (s*m.N + n) * m.P
	for p := range m.P {
		sum += normal.LogPDF(y[n*m.P+p], m.Mean[k+p], m.Var[k+p]+m.NoiseVar)
	}
	return sum
}

// logSumExp returns log sum exp(v) without overflow or underflow; -Inf when all
// of v is, and NaN when one of v is.
func logSumExp(v []float64) float64 {
	top := math.Inf(-1)
	for _, x := range v {
		if math.IsNaN(x) {
			return x
		}
		top = math.Max(top, x)
	}
	if math.IsInf(top, 0) {
		return top
	}
	var sum float64
	for _, x := range v {
		sum += math.Exp(x - top)
	}
	return top + math.Log(sum)
}

// Moments sets mean and vr, each [N][P], to the mean and variance of the
// targets, noise included, by the law of total variance.
func (m *Mixture) Moments(mean, vr []float64) {
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
		mean[k], vr[k] = first, second+m.NoiseVar
	}
}

// PIT sets dst [N][P] to the probability integral transform of the targets
// y [N][P]: the predictive distribution function of each output at its target.
func (m *Mixture) PIT(dst, y []float64) {
	size := m.check("targets", len(y))
	for k, target := range y[:size] {
		var sum float64
		for s, w := range m.Weights {
			i := s*size + k
			sum += w * normal.CDF((target-m.Mean[i])/math.Sqrt(m.Var[i]+m.NoiseVar))
		}
		dst[k] = min(sum, 1) // Weights add up to 1 but for rounding.
	}
}

// CRPS sets dst [N][P] to the continuous ranked probability score of the targets
// y [N][P], in standardised units,
//
//	sum_s w_s E|y - x_s| - 1/2 sum_st w_s w_t E|x_s - x_t|,  x_s ~ component s,
//
// by the closed form for Gaussians; O(S^2) for each target (Grimit et al., "The
// continuous ranked probability score for circular variables and its application
// to mesoscale forecast ensemble verification", 2006,
// https://doi.org/10.1256/qj.05.235).
func (m *Mixture) CRPS(dst, y []float64) {
	size := m.check("targets", len(y))
	mean, vr := make([]float64, m.S), make([]float64, m.S)
	for k, target := range y[:size] {
		for s := range mean {
			mean[s], vr[s] = m.Mean[s*size+k], m.Var[s*size+k]+m.NoiseVar
		}
		dst[k] = crps(target, mean, vr, m.Weights)
	}
}

// crps returns the score of one target.
func crps(y float64, mean, vr, weights []float64) float64 {
	var toTarget, within float64
	for s, w := range weights {
		toTarget += w * normal.MeanAbs(y-mean[s], math.Sqrt(vr[s]))
		var others float64
		for t, v := range weights[:s] {
			others += v * normal.MeanAbs(mean[s]-mean[t], math.Sqrt(vr[s]+vr[t]))
		}
		within += w * (others + 0.5*w*normal.MeanAbs(0, math.Sqrt(2*vr[s])))
	}
	return toTarget - within
}

// check panics unless there are n values for the N*P outputs, and returns N*P.
func (m *Mixture) check(what string, n int) int {
	if n != m.N*m.P {
		panic(fmt.Sprintf("predictive: %d %s for %d points of %d outputs", n, what, m.N, m.P))
	}
	return n
}
