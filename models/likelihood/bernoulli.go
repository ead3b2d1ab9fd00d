package likelihood

import (
	"math"

	"dgplab/models/linalg/vec"
	"dgplab/models/stats"
)

// Bernoulli is p(y | f) = Phi(y f) for y in {-1, +1}: two classes with a probit link and no noise.
// The expected logarithm is computed as in Quadrature, but for many rows at a time; see
// vec.ProbitSums.
type Bernoulli struct{ *Quadrature }

// NewBernoulli returns the likelihood with DefaultPoints quadrature points.
func NewBernoulli() Bernoulli { return Bernoulli{NewQuadrature(probit, DefaultPoints)} }

// VariationalExpectations implements Likelihood. The class only changes the sign of the mean, so
// the results for y, f and -y, -f are bit-identical.
func (l Bernoulli) VariationalExpectations(terms, dMean, dVar, dNoise, y, mean, vr, _ []float64) {
	clear(dNoise)
	n := len(terms)
	dMean, dVar = dMean[:n], dVar[:n]
	for i := range dMean {
		dMean[i], dVar[i] = y[i]*mean[i], math.Sqrt(2*vr[i])
	}
	half := len(l.nodes) / 2 // each point also stands for its mirror image
	vec.ProbitSums(terms, dMean, dVar, dMean, dVar, l.nodes[half:], l.weights[half:])
	for i := range dMean {
		switch {
		case missing(i, terms, dMean, dVar, y):
		case math.Abs(vr[i]) < flat:
			terms[i], dMean[i], dVar[i], _ = l.expectation(y[i], mean[i], vr[i], 0)
		default:
			dMean[i] *= y[i]
			dVar[i] /= math.Sqrt(2 * vr[i])
		}
	}
}

// probit computes the log density of Bernoulli and its derivatives.
func probit(y, f, _ float64) (value, first, second, dNoise float64) {
	z := y * f
	value, grad := stats.LogCDFGrad(z)
	return value, y * grad, -grad * (z + grad), 0
}

// LogExpectation implements Likelihood in closed form: log Phi(z) at z = y mean / sqrt(1 + vr).
func (Bernoulli) LogExpectation(terms, dMean, dVar, dNoise, y, mean, vr, _ []float64) {
	clear(dNoise)
	n := len(terms)
	dMean, dVar = dMean[:n], dVar[:n]
	for i := range dMean {
		dMean[i] = y[i] * mean[i] / math.Sqrt(1+vr[i])
	}
	clear(dVar)
	vec.ProbitSums(terms, dMean, dVar, dMean, dVar, atMean[:], halves[:])
	for i, grad := range dMean {
		if missing(i, terms, dMean, dVar, y) {
			continue
		}
		sd := math.Sqrt(1 + vr[i])
		dMean[i] = y[i] * grad / sd
		dVar[i] = -0.5 * dMean[i] * mean[i] / (1 + vr[i])
	}
}

// atMean and halves form a quadrature rule with a single point, the mean: half the weight on either
// side at distance 0.
var atMean, halves = [1]float64{0}, [1]float64{0.5}
