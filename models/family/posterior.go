package family

import "gonum.org/v1/gonum/mat"

// LargestCovariance is the largest number of variables whose joint covariance, 128 MB, is exported.
const LargestCovariance = 4000

// Tensor is a named array of any number of dimensions, row-major.
type Tensor struct {
	Name  string
	Shape []int
	Data  []float64
	// About describes the values in one line: their meaning, their axes, and their units unless these
	// are standardised.
	About string
}

// Arrays holds the arrays of an exported posterior.
type Arrays struct {
	Tensors []Tensor
	// Missing lists the parts of the posterior that are not exported, each with the reason.
	Missing []string
}

// Add adds an array. It retains data, which the caller must not modify afterwards.
func (a *Arrays) Add(name, about string, data []float64, shape ...int) {
	a.Tensors = append(a.Tensors, Tensor{Name: name, Shape: shape, Data: data, About: about})
}

// Posterior is implemented by models whose posterior can be exported.
type Posterior interface {
	// Posterior returns copies of the arrays that determine the posterior of the family, unwhitened
	// and in standardised units: the distribution, or draws, of inducing outputs, of functions at
	// the training inputs, or of weights. Parts that depend on the input of the model are evaluated
	// at X, [n, D]. Hyper returns noise and kernel parameters. Names and shapes are described in
	// session/FORMAT.md, section "Posteriors". The arrays depend only on the state of the model and
	// on X, and training is not affected.
	Posterior(X *mat.Dense) (Arrays, error)
}
