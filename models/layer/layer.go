// Package layer provides the sparse-GP layers of deep models. Given the outputs of the layer below,
// a layer records on a tape the moments of its own outputs and the divergence of its posterior from
// its prior.
//
//	Global   all points share inducing inputs
//	Local    every point has its own inducing points, which inference functions compute
//	         from the input: amortized
//	GPs      the prior of either
//
// Nodes are feature-major, [1][features][columns]. A column is a point or a sample of a point:
// sample s of point b of B points is column s*B + b.
package layer

import (
	"slices"
	"strings"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/param"
)

// Layer is a layer of T sparse GPs over D inputs. It is created on the tape of its parameters.
// Quantities that depend only on parameters may be recorded on this tape at creation, so it must be
// replayed before any tape that Record writes to.
type Layer interface {
	// Record records on t the moments of the layer at the points in, [1][D][P]. seen, [1][D][G]
	// with P a multiple of G, is the input of the inference functions: column p of in belongs to
	// column p mod G of seen. Layers without inference functions ignore it.
	Record(t *autodiff.Tape, in, seen *autodiff.Node) Moments
	// Parameters lists the trainable parameters, always in the same order.
	Parameters() []Param
	// Outputs returns T.
	Outputs() int
	// Prior returns the GPs of the prior.
	Prior() GPs
}

// Moments holds the results of a layer at P points.
type Moments struct {
	// Mean and Var are the moments of each output given the inputs, [1][T][P]; Var excludes noise.
	Mean, Var *autodiff.Node
	// Blocks holds the covariances between the S samples of each point, [T*B][S][S], with block
	// t*B + b for output t at point b. It is nil unless they are requested.
	Blocks *autodiff.Node
	// KL is the divergence of the inducing outputs from their prior, summed over the outputs:
	// [1][1][G] with one entry per column of the inference functions' input, or [1][1][1] if all
	// points share the inducing outputs.
	KL *autodiff.Node
	// Inferred holds the results of the inference functions, or nil if all points share the
	// inducing outputs.
	Inferred *Inferred
}

// Inferred holds the inducing points of G columns and the Gaussians q over their outputs.
type Inferred struct {
	Z    *autodiff.Node // [1][M*D][G], point by point
	Mean *autodiff.Node // [1][T*M][G], output by output
	// Spread holds standard deviations, [1][T*M][G], or lower triangular factors of the covariance,
	// packed row by row, [1][T*M(M+1)/2][G].
	Spread *autodiff.Node
}

// Param is a trainable parameter of a layer.
type Param struct {
	Name      string // within the layer, for example "kernel.variance"
	Node      *autodiff.Node
	Transform param.Transform
}

// kernelParams returns the parameters of the kernels of a layer.
func kernelParams(c *kernel.Covariance) (list []Param) {
	positive := param.Positive{Lower: positiveFloor}
	for _, p := range c.Parameters(positive) {
		list = append(list, Param{kernelPrefix + p.Name, p.Node, p.Transform})
	}
	if _, _, _, is := c.Simple(); is {
		list[0].Name = kernelPrefix + "lengthscale"
		slices.Reverse(list)
	}
	return list
}

// positiveFloor is the lower bound of variances and lengthscales.
const positiveFloor = 1e-6

// kernelPrefix is the prefix of the names of kernel parameters.
const kernelPrefix = "kernel."

// IsKernel reports whether a parameter with the given name within a layer belongs to the kernels.
func IsKernel(name string) bool { return strings.HasPrefix(name, kernelPrefix) }
