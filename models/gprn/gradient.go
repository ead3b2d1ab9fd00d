package gprn

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
	"dgplab/models/param"
	"dgplab/models/train"
)

// The bound is maximised over the hyperparameters with the precisions and linear
// terms of all functions held fixed, what the data say of them: the posteriors follow
// the priors and the noise. Where a sweep changes nothing any more its gradient is that
// with the posteriors themselves held fixed (eqs. 29, 30), whose steps are far shorter,
// since a posterior fits only priors like its own. Adam, Chang, Khan, Solin, "Dual
// Parameterization of Sparse Variational Gaussian Processes", 2021, section 3.2,
// arXiv:2111.03412.
var _ train.Problem = (*network)(nil)

// Parameters implements infer.Problem: the hyperparameters.
func (m *network) Parameters() *param.Set { return m.set }

// Draw implements infer.Problem: nothing is random.
func (m *network) Draw(uint64) {}

// Terms implements train.Problem.
func (m *network) Terms() []float64 { return m.terms }

// Rescues implements train.Problem.
func (m *network) Rescues() (sum int) {
	for _, g := range m.groups {
		sum += g.rescues
	}
	return sum
}

// State implements train.Problem.
func (m *network) State() []param.Array {
	return []param.Array{{Name: "precision", Data: m.precision}, {Name: "linear", Data: m.linear}}
}

// Evaluate implements infer.Problem.
func (m *network) Evaluate(dFree []float64) (float64, error) {
	if err := m.refresh(); err != nil {
		return 0, err
	}
	if dFree == nil {
		return m.bound(), nil
	}
	m.differentiateLogLik()
	if err := m.backward(); err != nil {
		return 0, err
	}
	m.set.Pullback(dFree, m.grads)
	return m.bound(), nil
}

// backward sets the gradients with respect to the hyperparameters, given those of the
// expected log-likelihood.
func (m *network) backward() error {
	for _, groups := range [2][]*group{m.groups[:m.q], m.groups[m.q:]} {
		clear(m.sums)
		for _, w := range m.works {
			w.dNoise = 0
		}
		if err := m.run(groups, (*network).differentiate); err != nil {
			return err
		}
		groups[0].prior.backward(linalg.SumChains(m.sums, m.n*m.n))
		for _, w := range m.works {
			m.dNoise[0] += w.dNoise
		}
	}
	return nil
}

// differentiateLogLik sets the gradients of the expected log-likelihood with respect to
// the means and the variances of all functions and to the noise.
func (m *network) differentiateLogLik() {
	noise := m.noise[0]
	m.dNoise[0] = 0.5 * (m.squares()/noise - m.count) / noise
	for _, g := range m.groups {
		m.setPrecision(g.change, g)
		scale(g.change, -0.5/noise)
		for _, f := range g.members {
			clear(f.gradient)
			if f.output >= 0 {
				m.addGradient(f, f.output, m.f[f.latent])
				continue
			}
			for i := range m.p {
				m.addGradient(f, i, m.w[i*m.q+f.latent])
			}
		}
	}
}

// addGradient adds the gradient with respect to the mean of a function by way of
// output i, where it is multiplied by factor.
func (m *network) addGradient(f *function, i int, factor *function) {
	_, seen := m.targets(i)
	r := m.residual[i*m.n : (i+1)*m.n]
	for n, s := range seen {
		f.gradient[n] += (factor.mean[n]*r[n] - s*factor.variance[n]*f.mean[n]) / m.noise[0]
	}
}

// differentiate adds to the gradients with respect to K and the noise what a group
// contributes, given the gradient of the expected log-likelihood. With R = root B^-1 root
// and D = K^-1 Sigma = I - R K, the gradient with respect to K is
//
//	sum over members of 1/2 (alpha alpha^T - R) + D diag(change) D^T + sym(D gradient alpha^T)
//
// of which the first part is that with the posterior held fixed: K^-1 (Sigma + mean
// mean^T - K) K^-1 / 2 (eq. 28). The others come by way of Sigma and the means, with
// change and gradient those of the whole bound.
func (m *network) differentiate(g *group, w *work) {
	noise, count := m.noise[0], float64(len(g.members))
	w.err = g.factorise(w, noise)
	if w.err != nil {
		return
	}
	n := m.n
	inverse, _ := lapack64.Potri(blas64.Triangular{
		Uplo:   blas.Lower,
		Diag:   blas.NonUnit,
		N:      n,
		Stride: n,
		Data:   w.b,
	})
	for i, r := range w.root {
		row := w.a[i*n : (i+1)*n]
		copy(row, g.prior.k[i*n:(i+1)*n])
		scale(row, r)
		g.change[i] += 0.5 * r * r
	}
	v := square(w.c, n) // root Sigma
	blas64.Symm(blas.Left, 1, inverse, square(w.a, n), 0, v)
	clear(w.y)
	for i := range n {
		row := v.Data[i*n : (i+1)*n]
		vec.AddMul(w.y, row, row)
	}
	m.addNoise(g, w, v)

	// The part in B^-1 goes to a, D to c, and D diag(change) to b.
	for i, r := range w.root {
		direct, row, scaled := w.a[i*n:i*n+i+1], w.c[i*n:(i+1)*n], w.b[i*n:(i+1)*n]
		vec.Mul(direct, w.root[:i+1], w.b[i*n:i*n+i+1])
		scale(direct, -0.5*count*r)
		scale(row, -r)
		row[i]++
		vec.Mul(scaled, row, g.change)
		scale(scaled, count)
	}
	linalg.LowerProduct(n, n, 1, w.c, n, w.b, n, 1, w.a)
	lower := blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: w.a}
	for _, f := range g.members {
		copy(w.x, f.alpha)
		blas64.Gemv(blas.NoTrans, 1, v, vector(f.gradient), 0.5, vector(w.x))
		blas64.Syr2(0.5, vector(w.x), vector(f.alpha), lower)
	}
	w.collect(n)
}

// addNoise adds to the gradient with respect to the noise what comes by way of the
// posteriors of a group, given v = root Sigma, and the diagonal of Sigma S Sigma in
// w.y. The precisions and linear terms are by the noise, so that
//
//	d Sigma = Sigma S Sigma d noise/noise,  d mean = (Sigma S mean - mean) d noise/noise
//
// It makes of the members' gradients those of the whole bound.
func (m *network) addNoise(g *group, w *work, v blas64.General) {
	noise := m.noise[0]
	w.dNoise += float64(len(g.members)) * blas64.Dot(vector(g.change), vector(w.y)) / noise
	for _, f := range g.members {
		for i, a := range f.alpha {
			f.gradient[i] -= a
		}
		vec.Mul(w.x, w.root, f.mean)
		copy(w.y, f.mean)
		blas64.Gemv(blas.Trans, 1, v, vector(w.x), -1, vector(w.y))
		w.dNoise += blas64.Dot(vector(f.gradient), vector(w.y)) / noise
	}
}

// collect adds the lower triangle in w.a to the sum.
// Since K is symmetric, what belongs above the diagonal goes to the same place below it.
func (w *work) collect(n int) {
	for i := range n {
		row := w.a[i*n : i*n+i+1]
		for j, x := range row[:i] {
			w.sum[i*n+j] += 2 * x
		}
		w.sum[i*n+i] += row[i]
	}
}
