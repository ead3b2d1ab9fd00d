package inducing

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/linalg"
)

// LinearMap returns a linear mean function W [d, t] from d inputs to t outputs for a layer with
// inputs x [N, d]. W is the identity if t = d, the first t principal directions of x (right
// singular vectors, not centred) if t < d, and the identity padded with zeros if t > d (Salimbeni
// and Deisenroth, "Doubly Stochastic Variational Inference for Deep Gaussian Processes", 2017,
// section 2.2, arXiv:1705.08933). It panics if x contains NaN or Inf.
func LinearMap(x *mat.Dense, t int) *mat.Dense {
	_, d := x.Dims()
	if t < d {
		directions, err := linalg.Directions(x, t)
		if err != nil {
			panic("inducing: the inputs contain NaN or Inf")
		}
		return mat.DenseCopyOf(directions.T())
	}
	w := mat.NewDense(d, t, nil)
	for i := range d {
		w.Set(i, i, 1)
	}
	return w
}
