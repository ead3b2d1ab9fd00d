package layer

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// Draw returns draws of the posterior functions, [T][n], at the points in, [D][n]. Each draw is
// joint over all points and is computed from standard normal numbers eps, [T][n]. With L L^T =
// K_uu, A = L^-1 k_u(X) and L^-1 (u - m(Z)) ~ N(mu, F F^T), an output is Gaussian with
//
//	mean        m(X) + A^T mu
//	covariance  k(X, X) - A^T A + (F^T A)^T (F^T A).
//
// The diagonal of the covariance is the variance that Record computes (Salimbeni, Deisenroth,
// "Doubly Stochastic Variational Inference for Deep Gaussian Processes", NeurIPS 2017, eqs. 8 and
// 9, arXiv:1705.08933). The tape of the parameters must be up to date. Draw returns an error if a
// covariance has no Cholesky factor.
func (g *Global) Draw(in, eps []float64) ([]float64, error) {
	gps, m := g.Prior(), g.root.Rows
	n := len(in) / gps.Inputs
	f := gps.Mean(in)
	a := make([]float64, m*n)
	k := make([]float64, n*n)
	for t := range gps.outputs() {
		own := f[t*n : (t+1)*n]
		g.Kernels.Kuf(a, t, g.inducing.Value, in)
		g.Kernels.Kff(k, t, in)
		linalg.SolveLower(g.root.At(t), a, m, n, n)
		blas64.Gemv(blas.Trans, 1, blas64.General{Rows: m, Cols: n, Stride: n, Data: a},
			blas64.Vector{N: m, Inc: 1, Data: g.mean.Row(t)}, 1, blas64.Vector{N: n, Inc: 1, Data: own})
		linalg.Gemm(true, false, n, n, m, -1, a, a, 1, k)
		g.multiplyFactors(a, t, n)
		linalg.Gemm(true, false, n, n, m, 1, a, a, 1, k)
		if err := kernel.AddGPs(own, k, g.Kernels.Scale(t, in), eps[t*n:(t+1)*n], n); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Part returns the posterior moments of the part of output t, without its mean function, with prior
// covariance k at the points in, [D][n]. k is the kernel or one of its terms; it is also the covariance
// of the part with the inducing outputs, since the terms of a sum are independent.
func (g *Global) Part(k *kernel.Covariance, t int, in []float64) (mean, variance []float64) {
	m := g.root.Rows
	n := len(in) / g.Config.Inputs
	mean = make([]float64, n)
	variance = make([]float64, n)
	a := make([]float64, m*n)
	k.Kuf(a, t, g.inducing.Value, in)
	k.Diagonal(variance, t, in)
	linalg.SolveLower(g.root.At(t), a, m, n, n)
	blas64.Gemv(blas.Trans, 1, blas64.General{Rows: m, Cols: n, Stride: n, Data: a},
		blas64.Vector{N: m, Inc: 1, Data: g.mean.Row(t)}, 0, blas64.Vector{N: n, Inc: 1, Data: mean})
	for at := 0; at < len(a); at += n {
		vec.SubMul(variance, a[at:at+n], a[at:at+n])
	}
	g.multiplyFactors(a, t, n)
	for at := 0; at < len(a); at += n {
		vec.AddMul(variance, a[at:at+n], a[at:at+n])
	}
	for i, v := range variance {
		variance[i] = max(v, 0) // rounding can make it negative
	}
	return mean, variance
}

// multiplyFactors multiplies a, [M][n], by the transposed factors of output t, which are
// consecutive blocks on the diagonal. As in conditional, a single factor that is not square holds
// the diagonal.
func (g *Global) multiplyFactors(a []float64, t, n int) {
	if f := g.factors[0]; f.Batch != g.Config.Outputs || f.Rows != f.Cols {
		for i, sd := range f.Row(t) {
			for k := range n {
				a[i*n+k] *= sd
			}
		}
		return
	}
	for _, f := range g.factors {
		blas64.Trmm(blas.Left, blas.Trans, 1, linalg.Lower(f.At(t), f.Rows, f.Rows), blas64.General{
			Rows:   f.Rows,
			Cols:   n,
			Stride: n,
			Data:   a,
		})
		a = a[f.Rows*n:]
	}
}
