// Package layer is the sparse-GP layers that deep models are stacks of: what a
// layer says about its outputs at the points that come out of the layer below,
// recorded on a tape, and how far its posterior is from its prior.
//
//	Global   all points share inducing inputs
//	Local    every point has inducing points of its own, which inference functions
//	         read off what they see of it: amortized
//	GPs      what either is before there is any posterior
//
// Nodes are feature-major, [1][features][columns]: a column is a point, or a sample
// of one. Samples of B points are columns s*B + b.
package layer

import (
	"strings"

	"dgplab/models/autodiff"
	"dgplab/models/param"
)

// Layer is a layer of T sparse GPs over D inputs. It was made on the tape that
// its parameters belong to. What follows from parameters alone may be recorded
// there when it is made, so that other tapes are replayed after that one.
type Layer interface {
	// Record records on t what the layer says at the points of in, [1][D][P]. seen,
	// [1][D][G] with P a multiple of G, is what inference functions see: column p of
	// in belongs to column p mod G of seen. Layers without any ignore it.
	Record(t *autodiff.Tape, in, seen *autodiff.Node) Moments
	// Parameters lists what is learned, always in the same order.
	Parameters() []Param
	// Outputs returns T.
	Outputs() int
	// Prior returns the GPs that the posterior is of.
	Prior() GPs
}

// Moments is what a layer says at P points.
type Moments struct {
	// Mean and Var are of each output given the inputs, [1][T][P]; Var is without
	// noise.
	Mean, Var *autodiff.Node
	// KL is the divergence of the inducing outputs from their prior, summed over the
	// outputs: [1][1][G] with one number for each column of what was seen, or
	// [1][1][1] where all points share the inducing outputs.
	KL *autodiff.Node
	// Inferred is what the inference functions made of each column; nil where all
	// points share the inducing outputs.
	Inferred *Inferred
}

// Inferred is inducing points and the Gaussian q over their outputs, for each of G
// columns.
type Inferred struct {
	Z    *autodiff.Node // [1][M*D][G], point by point
	Mean *autodiff.Node // [1][T*M][G], output by output
	// Spread holds standard deviations, [1][T*M][G], or lower triangular factors of the
	// covariance, packed row by row, [1][T*M(M+1)/2][G].
	Spread *autodiff.Node
}

// Param is what is learned of a layer.
type Param struct {
	Name      string // within the layer, for example "kernel.variance"
	Node      *autodiff.Node
	Transform param.Transform
}

// positiveFloor is the lower bound of variances and lengthscales.
const positiveFloor = 1e-6

// kernelPrefix begins the names of the parameters of a layer's kernels.
const kernelPrefix = "kernel."

// IsKernel says whether a parameter of that name, within a layer, is of its kernels.
func IsKernel(name string) bool { return strings.HasPrefix(name, kernelPrefix) }
