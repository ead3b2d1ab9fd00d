// Package likelihood provides distributions of targets given latent functions: Gaussian noise for
// regression, the Bernoulli distribution with a probit link for two classes, and argmax, robust-max
// and softmax for more classes. For Gaussian latent functions, each likelihood computes its
// expected logarithm (for variational bounds) and the logarithm of its expectation (the predictive
// density, for energies and mixtures), with derivatives.
//
// Functions process n rows. A row is one target y and the means and variances of its latent
// functions, [n][Latents(1)]; a point with several targets has several rows, in any order. A NaN
// target is missing: its term and derivatives are 0. Functions panic if a slice is too short.
package likelihood

import "math"

// Likelihood is the distribution of a target given its latent functions. The noise variance is an
// argument because it is a parameter of the model. Likelihoods have no mutable state and can be
// shared.
//
// noise holds one variance per row, or one for all. If dNoise has one entry per row, it receives
// the derivatives of the terms; if it has one entry, it receives the derivative of the sum of all
// terms. One noise variance for all rows may be combined with one derivative per row, for weighted
// sums of terms. Both may be nil if the likelihood has no noise.
type Likelihood interface {
	// Latents returns the number of latent functions of a point with the given number of targets.
	Latents(targets int) int

	// VariationalExpectations sets terms[i] to the expectation of log p(y[i] | f) under independent
	// f ~ N(mean[i], vr[i]), and dMean, dVar and dNoise to the derivatives of the terms.
	VariationalExpectations(terms, dMean, dVar, dNoise, y, mean, vr, noise []float64)

	// LogExpectation is like VariationalExpectations, but for the logarithm of the expectation of
	// p(y[i] | f), the log density of y[i] with f integrated out.
	LogExpectation(terms, dMean, dVar, dNoise, y, mean, vr, noise []float64)
}

// Expectation is VariationalExpectations or LogExpectation of a likelihood.
type Expectation = func(terms, dMean, dVar, dNoise, y, mean, vr, noise []float64)

var (
	_ Likelihood = Gaussian{}
	_ Likelihood = (*Quadrature)(nil)
	_ Likelihood = Bernoulli{}
)

// inRuns calls body for runs of rows that share one noise variance and one derivative with respect
// to it. body returns that derivative of the sum of the run's terms.
func inRuns(rows int, dNoise, noise []float64, body func(first, last int, noise float64) float64) {
	clear(dNoise)
	size := 1
	if len(noise) <= 1 && len(dNoise) <= 1 {
		size = rows
	}
	for first := 0; first < rows; first += size {
		var variance float64
		if len(noise) > 0 {
			variance = noise[min(first, len(noise)-1)]
		}
		derivative := body(first, first+size, variance)
		if len(dNoise) > 0 {
			dNoise[min(first, len(dNoise)-1)] += derivative
		}
	}
}

// missing reports whether row i has no target; if so, it clears the row's results.
func missing(i int, terms, dMean, dVar, y []float64) bool {
	if !math.IsNaN(y[i]) {
		return false
	}
	terms[i], dMean[i], dVar[i] = 0, 0, 0
	return true
}
