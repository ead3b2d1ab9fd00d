package inducing

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/principal"
)

// LinearMap returns the linear mean function W [d, t] from d inputs to t outputs that
// suits the inputs x [N, d] of a layer: the identity when they agree, the first t
// principal directions of x (right singular vectors, not centred) when narrower, the
// identity padded with zeros when wider (Salimbeni and Deisenroth, "Doubly Stochastic
// Variational Inference for Deep Gaussian Processes", 2017, section 2.2,
// arXiv:1705.08933). It panics if x holds NaN or Inf.
func LinearMap(x *mat.Dense, t int) *mat.Dense {
	_, d := x.Dims()
	if t < d {
		directions, err := principal.Directions(x, t)
		if err != nil {
			panic("inducing: the inputs hold NaN or Inf")
		}
		return mat.DenseCopyOf(directions.T())
	}
	w := mat.NewDense(d, t, nil)
	for i := range d {
		w.Set(i, i, 1)
	}
	return w
}
