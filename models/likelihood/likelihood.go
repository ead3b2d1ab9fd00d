// Package likelihood holds the distributions of targets given latent functions:
// Gaussian noise for regression, the Bernoulli distribution with a probit link for
// two classes, and argmax, robust-max and softmax for more of them. Each gives, under Gaussian
// latent functions, its expected logarithm, which is what bounds are made of, and the logarithm of
// its expectation, the predictive density that energies and mixtures are made of, with derivatives.
//
// Functions work on n rows. A row is one target y and the means and variances of
// its latent functions, [n][Latents(1)]; a point of several targets is several
// rows, in any order. A target that is NaN was not observed: its term and its
// derivatives are 0. Functions panic when a slice is too short.
package likelihood

import "math"

// Likelihood is the distribution of a target given its latent functions. A noise
// variance, where there is one, is an argument: it belongs to the parameters.
// Likelihoods have no state that changes, so they may be shared.
//
// noise has one variance for each row, or one for all. dNoise may be as long, and
// then holds the derivatives of the terms row by row; with one element it holds the
// derivative of the sum of all terms. One noise for all rows may be derived row by
// row, as weighted sums of terms need it. Where the noise is not used, both may be
// nil.
type Likelihood interface {
	// Latents returns the number of latent functions of a point of so many targets.
	Latents(targets int) int

	// VariationalExpectations sets terms[i] to the expectation of
	// log p(y[i] | f) under independent f ~ N(mean[i], vr[i]), and dMean, dVar and
	// dNoise to its derivatives.
	VariationalExpectations(terms, dMean, dVar, dNoise, y, mean, vr, noise []float64)

	// LogExpectation does the same for the logarithm of the expectation of
	// p(y[i] | f): the log density of y[i] when f is integrated out.
	LogExpectation(terms, dMean, dVar, dNoise, y, mean, vr, noise []float64)
}

// Expectation is VariationalExpectations or LogExpectation of a likelihood.
type Expectation = func(terms, dMean, dVar, dNoise, y, mean, vr, noise []float64)

var (
	_ Likelihood = Gaussian{}
	_ Likelihood = (*Quadrature)(nil)
	_ Likelihood = Bernoulli{}
)

// inRuns calls body for all rows, for as many at a time as share one noise and one
// derivative with respect to it; body returns that derivative of the sum of their
// terms.
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

// missing reports whether row i has no target, and clears its results then.
func missing(i int, terms, dMean, dVar, y []float64) bool {
	if !math.IsNaN(y[i]) {
		return false
	}
	terms[i], dMean[i], dVar[i] = 0, 0, 0
	return true
}
