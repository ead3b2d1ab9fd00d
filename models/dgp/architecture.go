package dgp

import (
	"dgplab/models/kernel"
	"dgplab/models/likelihood"
)

// Layer is one layer of GPs that share a kernel and inducing inputs.
type Layer struct {
	Kernel kernel.Kernel
	// Inputs is D_l, the width of the layer's input; GPs is T_l.
	Inputs, GPs int
	// M is the number of inducing points.
	M    int
	Mean Mean
}

// Mean is a layer's fixed mean function. The zero value is the zero function.
type Mean struct {
	// Identity returns the input; Inputs and GPs must be equal.
	Identity bool
	// W is [Inputs][GPs]: f -> f W. Nil when Identity or zero.
	W []float64
}

// zero reports whether the mean function is zero.
func (m Mean) zero() bool { return !m.Identity && m.W == nil }

// inducing returns M of each layer.
func (a *Architecture) inducing() []int {
	list := make([]int, len(a.Layers))
	for l, layer := range a.Layers {
		list[l] = layer.M
	}
	return list
}

// Architecture is all of a model that is fixed before training.
type Architecture struct {
	Layers  []Layer
	Pattern *Pattern
	// Likelihood is what the targets are observed through, nil for likelihood.Gaussian.
	Likelihood likelihood.Likelihood
	// Jitter is added to the diagonal of every K_MM.
	Jitter float64
	// Unwhitened makes the mean and the factor of q(f_M) themselves the
	// parameters, in place of those of v with f_M = L_K v.
	Unwhitened bool
	// SampleInducing draws all inducing outputs once per sample in place of
	// marginalising them analytically.
	SampleInducing bool
	// GivenInducing has no q(f_M): what would be the means of v are the values of v
	// themselves, which a chain moves.
	GivenInducing bool
	// FullCov also computes the covariance between outputs of the last layer,
	// which the bound does not need.
	FullCov bool
}

// gaussian says whether there is Gaussian noise, whose variance is a parameter.
func (a *Architecture) gaussian() bool {
	_, is := a.likelihood().(likelihood.Gaussian)
	return is
}

// likelihood returns what the targets are observed through.
func (a *Architecture) likelihood() likelihood.Likelihood {
	if a.Likelihood == nil {
		return likelihood.Gaussian{}
	}
	return a.Likelihood
}

// targets returns P, the number of targets that the last layer explains.
func (a *Architecture) targets() int {
	return a.Layers[len(a.Layers)-1].GPs / a.likelihood().Latents(1)
}
