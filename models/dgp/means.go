package dgp

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// linearMap returns the fixed linear mean function between widths d and t
// together with its W, [d][t] (methods.md, section 1): the identity when they
// agree, the first t principal directions of the running input x [N, d] (right
// singular vectors, not centred) when narrower, the identity padded with zeros
// when wider.
func linearMap(x *mat.Dense, t int) Mean {
	_, d := x.Dims()
	switch {
	case t == d:
		return Mean{Identity: true}
	case t < d:
		return Mean{W: principalDirections(x, t)}
	}
	w := make([]float64, d*t)
	for i := 0; i < d; i++ {
		w[i*t+i] = 1
	}
	return Mean{W: w}
}

// principalDirections returns the first t right singular vectors of x as the
// columns of a [d][t] matrix. The sign of each is that which makes its largest
// entry positive.
func principalDirections(x *mat.Dense, t int) []float64 {
	_, d := x.Dims()
	var gram mat.SymDense
	gram.SymOuterK(1, x.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&gram, true) {
		panic("dgp: the inputs hold NaN or Inf")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors) // ascending eigenvalues
	w := make([]float64, d*t)
	for k := 0; k < t; k++ {
		col := mat.Col(nil, d-1-k, &vectors)
		largest := 0.0
		for _, v := range col {
			if math.Abs(v) > math.Abs(largest) {
				largest = v
			}
		}
		for i, v := range col {
			w[i*t+k] = math.Copysign(1, largest) * v
		}
	}
	return w
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
