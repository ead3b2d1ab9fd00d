// Package likelihood provides distributions of targets given latent functions: Gaussian noise for
// regression, the Bernoulli distribution with a probit link for two classes, and argmax, robust-max
// and softmax for more classes. For Gaussian latent functions, each likelihood computes its
// expected logarithm (for variational bounds) and the logarithm of its expectation (the predictive
// density, for energies and mixtures), with derivatives.
//
// Functions process n rows. A row is one target y and the means and variances of its latent
// functions, [n][Latents()]; a point with several targets has several rows, in any order. A NaN
// target is missing: its term and derivatives are 0. Functions panic if a slice is too short.
package likelihood

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/param"
	"dgplab/models/predictive"
)

// Likelihood is the distribution of a target given its latent functions. Likelihoods have no mutable
// state and can be shared.
//
// params holds the values of the parameters, [Q]. If dParams has Q entries, it receives the
// derivatives of the sum of all terms; if it has one entry per parameter and row, [Q][n], it
// receives the derivatives of the terms. It may be nil.
type Likelihood interface {
	// Parameters lists the parameters with their initial values.
	Parameters() []Parameter

	// Latents returns the number of latent functions of a target.
	Latents() int

	// VariationalExpectations sets terms[i] to the expectation of log p(y[i] | f) under independent
	// f ~ N(mean[i], vr[i]), and dMean, dVar and dParams to its derivatives.
	VariationalExpectations(terms, dMean, dVar, dParams, y, mean, vr, params []float64)

	// LogExpectation is like VariationalExpectations, but for the logarithm of the expectation of
	// p(y[i] | f), the log density of y[i] with f integrated out.
	LogExpectation(terms, dMean, dVar, dParams, y, mean, vr, params []float64)

	// Observe returns the prediction of targets, given a mixture over their latent functions: the
	// functions of the first target, then of the second, and so on. params holds one set of
	// parameters for all components, or one for each, [S][Q]. The prediction may use the memory of
	// latent.
	Observe(latent *predictive.Gaussians, params []float64) predictive.Predictive
}

// Parameter is a parameter of a likelihood.
type Parameter struct {
	// Name is the name within the likelihood, for example "variance".
	Name      string
	Start     float64
	Transform param.Transform
}

// FullName returns the name within a model.
func (p Parameter) FullName() string { return "likelihood." + p.Name }

// positiveFloor is the lower bound of scales and variances.
const positiveFloor = 1e-6

// NewParameters returns the initial parameters of l on t, [1][1][Q], or nil if there are none.
func NewParameters(t *autodiff.Tape, l Likelihood) *autodiff.Node {
	list := l.Parameters()
	if len(list) == 0 {
		return nil
	}
	node := t.Variable(1, 1, len(list))
	for i, p := range list {
		node.Value[i] = p.Start
	}
	return node
}

// Values returns the values of parameters on a tape, which may be nil.
func Values(params *autodiff.Node) []float64 {
	if params == nil {
		return nil
	}
	return params.Value
}

// parameterless is embedded in likelihoods without parameters.
type parameterless struct{}

// Parameters implements Likelihood.
func (parameterless) Parameters() []Parameter { return nil }

// Serial reports whether l is too fast for a parallel evaluation to pay.
func Serial(l Likelihood) bool {
	s, is := l.(interface{ serial() bool })
	return is && s.serial()
}

// Expectation is VariationalExpectations or LogExpectation of a likelihood.
type Expectation = func(terms, dMean, dVar, dParams, y, mean, vr, params []float64)

var (
	_ Likelihood = Gaussian{}
	_ Likelihood = Bernoulli{}
)

// missing reports whether row i has no target; if so, it clears the row's results.
func missing(i int, terms, dMean, dVar, y []float64) bool {
	if !math.IsNaN(y[i]) {
		return false
	}
	terms[i], dMean[i], dVar[i] = 0, 0, 0
	return true
}
