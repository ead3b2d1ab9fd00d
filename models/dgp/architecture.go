package dgp

import (
	"dgplab/models/kernel"
	"dgplab/models/likelihood"
)

// Layer is one layer of GPs that share a kernel and inducing inputs.
type Layer struct {
	Kernel kernel.Kernel
	// Inputs is D_l, the width of the layer's input. GPs is T_l, the number of GPs.
	Inputs, GPs int
	// M is the number of inducing points.
	M    int
	Mean Mean
}

// Mean is the fixed mean function of a layer. The zero value is the zero function.
type Mean struct {
	// Identity selects the identity function. It requires Inputs == GPs.
	Identity bool
	// W is the linear map f -> f W, [Inputs][GPs]. It is nil if the function is zero or the
	// identity.
	W []float64
}

// zero reports whether the mean function is zero.
func (m Mean) zero() bool { return !m.Identity && m.W == nil }

// inducing returns the number of inducing points of each layer.
func (a *Architecture) inducing() []int {
	list := make([]int, len(a.Layers))
	for l, layer := range a.Layers {
		list[l] = layer.M
	}
	return list
}

// Architecture is the part of a model that is fixed before training.
type Architecture struct {
	Layers  []Layer
	Pattern *Pattern
	// Likelihood is the observation model.
	Likelihood likelihood.Likelihood
	// Jitter is added to the diagonal of every K_MM.
	Jitter float64
	// Unwhitened parametrises q(f_M) by its own mean and factor instead of the mean and factor of
	// q(v), where f_M = L_K v.
	Unwhitened bool
	// SampleInducing draws all inducing outputs once per sample instead of marginalising them
	// analytically.
	SampleInducing bool
	// GivenInducing omits q(f_M): a Markov chain samples the inducing outputs v, which replace the
	// means.
	GivenInducing bool
	// Noise and Weights hold the known noise variances and the weights of all training points, [N]. They are
	// nil if there are none; see family.Data. They need a Gaussian likelihood.
	Noise, Weights []float64
	// FullCov also computes the covariance between the outputs of the last layer, which the bound
	// does not need.
	FullCov bool
}

// targets returns P, the number of targets.
func (a *Architecture) targets() int {
	return a.Layers[len(a.Layers)-1].GPs / a.Likelihood.Latents()
}
