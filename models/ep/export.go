package ep

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/linalg"
)

// Posterior implements family.Posterior. It returns the posterior of the inducing outputs of each GP,
// whose inverse covariance is K^-1 + N T_2, and the natural parameters T_1 and T_2 of its factor.
func (m *Model) Posterior(*mat.Dense) (out family.Arrays, err error) {
	if err := m.refresh(); err != nil {
		return out, err
	}
	for l, current := range m.problem.layers {
		var z, mean, covariance, first, second []float64
		for _, g := range current.gps {
			n := g.inducing
			z = append(z, g.Z.Value...)
			u := slices.Clone(g.posterior.a.Value)
			blas64.Trmv(blas.NoTrans, linalg.Lower(g.root.Value, n, n), blas64.Vector{N: n, Inc: 1, Data: u})
			mean = append(mean, u...)
			own := slices.Clone(g.posterior.c.Value)
			linalg.TransformLower(g.root.Value, own, n)
			covariance = append(covariance, own...)
			h := slices.Clone(g.h.Value)
			linalg.SolveLowerTrans(g.root.Value, h, n, 1, 1)
			first = append(first, h...)
			second = append(second, unwhitened(g.root.Value, g.hh.Value, n)...)
		}
		gps, n, d := len(current.gps), current.gps[0].inducing, current.gps[0].Z.Cols
		prefix := fmt.Sprintf("layer.%d.", l)
		out.Add(prefix+"inducing_inputs", "inducing inputs Z of each GP, [GPs, inducing points, inputs]",
			z, gps, n, d)
		out.Add(prefix+"inducing_mean", "mean of q(f_M), [GPs, inducing points]", mean, gps, n)
		out.Add(prefix+"inducing_covariance", "covariances of q(f_M) within each GP; the GPs are independent",
			covariance, gps, n, n)
		out.Add(prefix+"factor_linear", "natural parameter T_1 of the factor that each of the N training "+
			"points contributes, [GPs, inducing points]", first, gps, n)
		out.Add(prefix+"factor_precision", "natural parameter T_2 of the same factor", second, gps, n, n)
	}
	return out, nil
}

// unwhitened returns L^-T H L^-1 for the lower factor L and a symmetric H, both [n][n].
func unwhitened(root, h []float64, n int) []float64 {
	out := slices.Clone(h)
	linalg.SolveLowerTrans(root, out, n, n, n)
	transpose(out, n)
	linalg.SolveLowerTrans(root, out, n, n, n)
	return out
}

// transpose transposes a, [n][n], in place.
func transpose(a []float64, n int) {
	for i := range n {
		for j := range i {
			a[i*n+j], a[j*n+i] = a[j*n+i], a[i*n+j]
		}
	}
}
