package dgp

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/inducing"
)

// linearMap returns the fixed linear mean function from the inputs x [N, d] of a layer to its t
// GPs; see inducing.LinearMap.
func linearMap(x *mat.Dense, t int) Mean {
	if _, d := x.Dims(); t == d {
		return Mean{Identity: true}
	}
	return Mean{W: inducing.LinearMap(x, t).RawMatrix().Data}
}

// apply returns the mean function at every row of x, [N, t].
func (m Mean) apply(x *mat.Dense, t int) *mat.Dense {
	if m.Identity {
		return x
	}
	n, d := x.Dims()
	out := mat.NewDense(n, t, nil)
	if m.W != nil {
		out.Mul(x, mat.NewDense(d, t, m.W))
	}
	return out
}
