package gprn

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
	"dgplab/models/param"
	"dgplab/models/train"
)

// The bound is maximised over the hyperparameters with fixed precisions and linear terms of all
// functions, which summarise the data, so the posteriors change with the priors and the noise. At a
// fixed point of the sweeps, the gradient equals the gradient with fixed posteriors (eqs. 29, 30).
// Steps with fixed posteriors would be much shorter, because a posterior fits only priors similar
// to its own. Adam, Chang, Khan, Solin, "Dual Parameterization of Sparse Variational Gaussian
// Processes", 2021, section 3.2, arXiv:2111.03412.
var _ train.Problem = (*network)(nil)

// Parameters implements infer.Problem. It returns the hyperparameters.
func (m *network) Parameters() *param.Set { return m.set }

// Draw implements infer.Problem. It does nothing: the objective is deterministic.
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
	if !slices.Equal(m.fresh, m.set.Free) {
		if err := m.refresh(); err != nil {
			return 0, err
		}
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

// objective returns the bound and the log density of the priors of the hyperparameters.
func (m *network) objective() float64 { return m.bound() + m.set.LogPrior(nil) }

// backward computes the gradients with respect to the hyperparameters, given the gradients of the
// expected log-likelihood.
func (m *network) backward() error {
	// The weight functions come first, because the works still hold some of their inverse factors.
	for _, groups := range slices.Backward(m.sharing) {
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

// differentiateLogLik computes the gradients of the expected log-likelihood with respect to the
// means and variances of all functions and to the noise.
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

// addGradient adds the gradient with respect to the mean of f through output i, where f is
// multiplied by factor.
func (m *network) addGradient(f *function, i int, factor *function) {
	_, seen := m.targets(i)
	r := m.residual[i*m.n : (i+1)*m.n]
	for n, s := range seen {
		f.gradient[n] += (factor.mean[n]*r[n] - s*factor.variance[n]*f.mean[n]) / m.noise[0]
	}
}

// differentiate adds the contribution of a group to the gradients with respect to K and the noise,
// given the gradient of the expected log-likelihood. The posteriors must be up to date. With R = root
// B^-1 root and D = K^-1 Sigma = I - R K, the gradient with respect to K is
//
//	sum over members of 1/2 (alpha alpha^T - R) + D diag(change) D^T + sym(D gradient alpha^T)
//
// The first term is the gradient with the posterior held fixed: K^-1 (Sigma + mean mean^T - K) K^-1
// / 2 (eq. 28). The others are the gradients through Sigma and the means, where change and gradient
// are the gradients of the whole bound.
func (m *network) differentiate(g *group, w *work) {
	noise, count := m.noise[0], float64(len(g.members))
	if w.inverted != g {
		w.err = g.factorise(w, noise)
		if w.err != nil {
			return
		}
		g.invert(w)
	}
	n := m.n
	linalg.SquareLower(w.b, n)
	w.inverted = nil
	inverse := blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: w.b}
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

	// The term in B^-1 goes to a, D to c, and D diag(change) to b.
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

// addNoise adds the part of the gradient with respect to the noise that goes through the posteriors
// of a group, given v = root Sigma and the diagonal of Sigma S Sigma in w.y. Precisions and linear
// terms are divided by the noise, so
//
//	d Sigma = Sigma S Sigma d noise/noise,  d mean = (Sigma S mean - mean) d noise/noise
//
// It also extends the gradients of the members to the whole bound.
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

// collect adds the lower triangle in w.a to the sum. K is symmetric, so entries above the diagonal
// are added below it.
func (w *work) collect(n int) {
	for i := range n {
		row := w.a[i*n : i*n+i+1]
		for j, x := range row[:i] {
			w.sum[i*n+j] += 2 * x
		}
		w.sum[i*n+i] += row[i]
	}
}
