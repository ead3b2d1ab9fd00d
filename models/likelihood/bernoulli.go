package likelihood

import (
	"math"

	"dgplab/datasets/task"
	"dgplab/models/linalg/vec"
	"dgplab/models/predictive"
	"dgplab/models/stats"
)

var probit = Declaration{
	Name: "probit", Formula: "Phi(y f), y = -1 or 1", Use: "two classes",
	Tasks: []task.Task{task.Binary},
	New:   func(Setup) Likelihood { return NewBernoulli() },
}

// Bernoulli is p(y | f) = Phi(y f) for y in {-1, +1}: two classes with a probit link and no noise.
// The expected logarithm is computed by Gauss-Hermite quadrature,
//
//	E g(f) = sum_i w_i/sqrt(pi) g(mean + sqrt(2 vr) x_i),
//
// for many rows at a time; see vec.ProbitSums. Its derivatives are the exact derivatives of the sum.
type Bernoulli struct {
	parameterless
	nodes, weights []float64 // the half of the rule above 0; each point is used on both sides
}

// bernoulliPoints is the number of quadrature points.
const bernoulliPoints = 100

// NewBernoulli returns the likelihood.
func NewBernoulli() Bernoulli {
	rule := newHalfRule(bernoulliPoints)
	return Bernoulli{nodes: rule.nodes, weights: rule.weights}
}

// Latents implements Likelihood.
func (Bernoulli) Latents() int { return 1 }

// Observe implements Likelihood.
func (Bernoulli) Observe(latent *predictive.Gaussians, _ []float64) predictive.Predictive {
	return &predictive.Probit{S: latent.S, N: latent.N, Weights: latent.Weights, Mean: latent.Mean,
		Var: latent.Var}
}

// VariationalExpectations implements Likelihood. The class only changes the sign of the mean, so
// the results for y, f and -y, -f are bit-identical.
func (l Bernoulli) VariationalExpectations(terms, dMean, dVar, dParams, y, mean, vr, _ []float64) {
	clear(dParams)
	n := len(terms)
	dMean, dVar = dMean[:n], dVar[:n]
	for i := range dMean {
		dMean[i], dVar[i] = y[i]*mean[i], math.Sqrt(2*vr[i])
	}
	vec.ProbitSums(terms, dMean, dVar, dMean, dVar, l.nodes, l.weights)
	for i := range dMean {
		switch {
		case missing(i, terms, dMean, dVar, y):
		case math.Abs(vr[i]) < flat:
			value, first, second := logProbit(y[i], mean[i])
			terms[i], dMean[i], dVar[i] = value+0.5*second*vr[i], first, 0.5*second
		default:
			dMean[i] *= y[i]
			dVar[i] /= math.Sqrt(2 * vr[i])
		}
	}
}

// logProbit computes the log density of Bernoulli and its derivatives.
func logProbit(y, f float64) (value, first, second float64) {
	z := y * f
	value, grad := stats.LogCDFGrad(z)
	return value, y * grad, -grad * (z + grad)
}

// LogExpectation implements Likelihood in closed form: log Phi(z) at z = y mean / sqrt(1 + vr).
func (Bernoulli) LogExpectation(terms, dMean, dVar, dParams, y, mean, vr, _ []float64) {
	clear(dParams)
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
