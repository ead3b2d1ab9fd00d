package gp

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/linalg"
)

// Posterior implements family.Posterior. For the sparse GPs it is a Gaussian over the inducing
// outputs; for the exact GP, a Gaussian over f at the training inputs. All targets share its
// covariance.
func (m *Model) Posterior(*mat.Dense) (out family.Arrays, err error) {
	if err := m.refresh(); err != nil {
		return out, err
	}
	if m.graph.inner == nil {
		m.graph.exportExact(&out)
	} else {
		m.graph.exportSparse(&out)
	}
	return out, nil
}

// exportExact adds the posterior of f at the training inputs. With C = K + D and the solution
// L_C^-1 y, its mean is y - D C^-1 y and its covariance D - D C^-1 D.
func (g *graph) exportExact(out *family.Arrays) {
	n, p := g.x.Cols, g.y.Rows
	noise := func(i int) float64 { return g.diagonal.Value[i%g.diagonal.Cols] }
	out.Add("train_inputs", "training inputs X", slices.Clone(g.z.Value), n, g.x.Rows)
	alpha := slices.Clone(g.solution)
	linalg.SolveLowerTrans(g.root, alpha, n, p, p)
	mean := slices.Clone(g.y.Value)
	for i, a := range alpha {
		mean[i%p*n+i/p] -= noise(i/p) * a
	}
	out.Add("function_mean", "mean of f at the training inputs, [targets, points]", mean, p, n)
	if n > family.LargestCovariance {
		out.Missing = append(out.Missing, fmt.Sprintf(
			"the covariance of f at the %d training inputs: at most %d are exported jointly",
			n, family.LargestCovariance))
		return
	}
	covariance := inverse(g.root, n)
	for i := range covariance {
		covariance[i] *= -noise(i/n) * noise(i%n)
	}
	for i := range n {
		covariance[i*n+i] += noise(i)
	}
	out.Add("function_covariance", "covariance of f at the training inputs, the same for all targets",
		covariance, n, n)
}

// exportSparse adds the posterior of the inducing outputs. In whitened form, its covariance is B^-1
// and its mean is L_B^-T w, where w is the solution.
func (g *graph) exportSparse(out *family.Arrays) {
	m, p := g.z.Rows, g.y.Rows
	out.Add("layer.0.inducing_inputs", "inducing inputs Z", slices.Clone(g.z.Value), m, g.z.Cols)
	mean := slices.Clone(g.solution)
	linalg.SolveLowerTrans(g.inner, mean, m, p, p)
	blas64.Trmm(blas.Left, blas.NoTrans, 1, linalg.Lower(g.root, m, m),
		blas64.General{Rows: m, Cols: p, Stride: p, Data: mean})
	byTarget := make([]float64, p*m)
	linalg.Transpose(byTarget, mean, m, p)
	out.Add("layer.0.inducing_mean", "mean of q(f_M), [targets, inducing points]", byTarget, p, m)
	covariance := inverse(g.inner, m)
	linalg.TransformLower(g.root, covariance, m)
	out.Add("layer.0.inducing_covariance", "covariance of q(f_M), the same for all targets",
		covariance, 1, m, m)
}

// inverse returns the inverse of a matrix with the lower factor l, [n][n].
func inverse(l []float64, n int) []float64 {
	out := make([]float64, n*n)
	for i := range n {
		out[i*n+i] = 1
	}
	linalg.SolveLower(l, out, n, n, n)
	linalg.SolveLowerTrans(l, out, n, n, n)
	return out
}
