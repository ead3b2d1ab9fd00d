// Package likelihood holds the distributions of targets given the latent
// function: Gaussian noise for regression, the Bernoulli distribution with a
// probit link for two classes. Each gives its expected logarithm under a
// Gaussian f, which is what bounds are made of, with derivatives, and the
// logarithm of its predictive density.
//
// All functions work elementwise on slices of one length n, of which each
// element is a target y, and a mean and a variance of f. They panic when a slice
// is shorter than the first one.
package likelihood

// Likelihood is the distribution of a target given the latent function. A noise
// variance, where there is one, is an argument: it belongs to the parameters.
// Likelihoods have no state that changes, so they may be shared.
type Likelihood interface {
	// VariationalExpectations sets terms[i] to the expectation of
	// log p(y[i] | f) under f ~ N(mean[i], vr[i]), and dMean[i] and dVar[i] to
	// its derivatives with respect to mean[i] and vr[i]. All slices are [n]. It
	// returns the derivative of the sum of all terms with respect to the noise
	// variance, 0 where there is none.
	VariationalExpectations(terms, dMean, dVar, y, mean, vr []float64, noise float64) (dNoise float64)

	// PredictLogDensity sets dst[i] to the logarithm of the density (or
	// probability) of y[i] when f ~ N(mean[i], vr[i]) is integrated out. All
	// slices are [n].
	PredictLogDensity(dst, y, mean, vr []float64, noise float64)

	// HasNoise says whether there is a noise variance to learn.
	HasNoise() bool
}

var (
	_ Likelihood = Gaussian{}
	_ Likelihood = (*Bernoulli)(nil)
)
