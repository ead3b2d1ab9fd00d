package likelihood

import (
	"math"

	"dgplab/models/normal"
)

// Bernoulli is p(y | f) = Phi(y f) for y in {-1, +1}: two classes with a probit
// link and no noise. The expected logarithm is that of Quadrature.
type Bernoulli struct{ *Quadrature }

// NewBernoulli returns the likelihood with DefaultPoints quadrature points.
func NewBernoulli() Bernoulli { return Bernoulli{NewQuadrature(probit, DefaultPoints)} }

// probit is the log density of Bernoulli.
func probit(y, f, _ float64) (value, first, second, dNoise float64) {
	z := y * f
	value, grad := normal.LogCDFGrad(z)
	return value, y * grad, -grad * (z + grad), 0
}

// LogExpectation implements Likelihood in closed form: log Phi(z) at
// z = y mean / sqrt(1 + vr).
func (Bernoulli) LogExpectation(terms, dMean, dVar, dNoise, y, mean, vr, _ []float64) {
	clear(dNoise)
	for i := range terms {
		if missing(i, terms, dMean, dVar, y) {
			continue
		}
		sd := math.Sqrt(1 + vr[i])
		z := y[i] * mean[i] / sd
		var grad float64
		terms[i], grad = normal.LogCDFGrad(z)
		dMean[i] = y[i] * grad / sd
		dVar[i] = -0.5 * grad * z / (1 + vr[i])
	}
}
