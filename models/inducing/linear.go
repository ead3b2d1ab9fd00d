package inducing

import (
	"math"

	"gonum.org/v1/gonum/mat"
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
		return principalDirections(x, t)
	}
	w := mat.NewDense(d, t, nil)
	for i := range d {
		w.Set(i, i, 1)
	}
	return w
}

// principalDirections returns the first t right singular vectors of x as the
// columns of a [d, t] matrix. The sign of each is that which makes its largest
// entry positive.
func principalDirections(x *mat.Dense, t int) *mat.Dense {
	_, d := x.Dims()
	var gram mat.SymDense
	gram.SymOuterK(1, x.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&gram, true) {
		panic("inducing: the inputs hold NaN or Inf")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors) // ascending eigenvalues
	w := mat.NewDense(d, t, nil)
	for k := range t {
		col := mat.Col(nil, d-1-k, &vectors)
		largest := 0.0
		for _, v := range col {
			if math.Abs(v) > math.Abs(largest) {
				largest = v
			}
		}
		for i, v := range col {
			w.Set(i, k, math.Copysign(1, largest)*v)
		}
	}
	return w
}
