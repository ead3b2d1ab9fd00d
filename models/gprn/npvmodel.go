package gprn

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/linalg"
	"dgplab/models/predictive"
	"dgplab/models/train"
)

// NPV trains a nonparametric posterior by L-BFGS. It implements family.Model, family.Viewer and
// family.Annotator.
type NPV struct {
	*train.Model
	npv    *npv
	staged *staged
	notes  []string
}

// buildNPV returns a model at its first starting point.
func buildNPV(v family.Values, given family.Data, seed uint64) (family.Model, error) {
	b, err := newBuilder(v, given, seed)
	if err != nil {
		return nil, err
	}
	m, err := newNPV(b.data, v.Int("latents"), v.Int("components"),
		v.Float("noise_variance"), b.latents[0], b.weight)
	if err != nil {
		return nil, err
	}
	m.hold = uint64(v.Int("restarts") + v.Int("hyper_after"))
	first := newStarts(v.Int("restarts"), seed, fmt.Sprintf("%d iterations", startIterations))
	if err := m.start(0, first.stream(0)); err != nil {
		return nil, err
	}
	model := &NPV{npv: m, notes: b.notes, staged: newStaged(m, first, func() *infer.LBFGS {
		return infer.NewLBFGS(m.set.Size(), v.Int("history"), infer.Tolerances{
			Gradient: v.Float("tolerance"),
			Change:   v.Float("ftol"),
		})
	})}
	model.Model, err = train.New(npvObjective, m, model.staged)
	return model, err
}

// start sets the latent functions to zero, the weights to constants, and the variances to startVariance.
// In start 0, the weights of the first component are the principal directions of the targets.
func (m *npv) start(s int, rng *rand.Rand) error {
	for k := range m.k {
		directions := m.directions(m.q, s == 0 && k == 0, m.latentScales(),
			m.weight.prior.scale(), rng)
		for at, c := range directions {
			fill(m.weight.of(k)[at*m.n:(at+1)*m.n], c)
		}
	}
	clear(m.latent.free)
	copy(m.weight.free, m.weight.mean)
	blas64.Trsm(blas.Right, blas.Trans, 1, m.weight.factor(), m.weight.rows(m.weight.free))
	fill(m.variances, m.startVariance)
	return m.set.Inverse()
}

// Step implements family.Model.
func (m *NPV) Step(ctx context.Context) (family.Report, error) {
	r, err := m.Model.Step(ctx)
	r.Phase = m.staged.phase
	return r, err
}

// Predict implements family.Model. It returns a mixture of at least the given number of Gaussians
// with correlated outputs, with exact moments.
func (m *NPV) Predict(X *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	if err := m.npv.refreshQuietly(); err != nil {
		return nil, m.WithStep(err)
	}
	return m.npv.mixture(rows(X)).draw(samples, seed), nil
}

// refreshQuietly is like refresh, but without counting rescues.
func (m *npv) refreshQuietly() error {
	latent, weight := m.latent.rescues, m.weight.rescues
	err := m.refresh()
	m.latent.rescues, m.weight.rescues = latent, weight
	return err
}

// mixture returns the posterior at x [n][D].
func (m *npv) mixture(x []float64) *mixture {
	n := len(x) / m.d
	out := &mixture{p: m.p, q: m.q, noise: m.noise[0]}
	for range m.k {
		out.components = append(out.components, newMoments(m.q*(m.p+1), n))
	}
	for kind, f := range m.kinds() {
		f.predict(out.components, kind*m.q, x, m.variances)
	}
	return out
}

// predict computes the moments of the functions of one kind, starting at function index first, in
// all components. With c = L^-1 k_*,
//
//	mean      c^T free
//	variance  k_** - |c|^2 + variance of the component |L^-T c|^2
func (m *means) predict(components []*moments, first int, x []float64, variances []float64) {
	n, points := m.prior.data.n, components[0].n
	columns := make([]float64, n*points)
	m.prior.cross(columns, x)
	linalg.SolveLower(m.l, columns, n, points, points)
	known := make([]float64, points)
	spread := make([]float64, points)
	prior := make([]float64, points)
	m.prior.kernel.Diagonal(prior, 0, columnsOf(x, m.prior.data.d))
	addSquares(known, columns)
	mean := make([]float64, len(m.free)/n*points)
	linalg.Gemm(false, false, len(m.free)/n, points, n, 1, m.free, columns, 0, mean)
	linalg.SolveLowerTrans(m.l, columns, n, points, points)
	addSquares(spread, columns)
	for k, c := range components {
		size := m.count * points
		copy(c.mean[first*points:], mean[k*size:(k+1)*size])
		for at := range m.count {
			_, variance := c.of(first + at)
			for i := range variance {
				variance[i] = max(0, prior[i]-known[i]) + variances[k]*spread[i]
			}
		}
	}
}

// addSquares adds the squared norms of the columns of a to dst [n].
func addSquares(dst, a []float64) {
	for ; len(a) > 0; a = a[len(dst):] {
		for i := range dst {
			dst[i] += a[i] * a[i]
		}
	}
}

// Restored implements family.Model.
func (m *NPV) Restored() error {
	if err := m.Model.Restored(); err != nil {
		return err
	}
	return m.WithStep(m.npv.refreshQuietly())
}

// Notes implements family.Annotator.
func (m *NPV) Notes() []string { return appendNote(m.notes, m.staged.starts.note(m.StepsDone())) }

// Hyper implements family.Model.
func (m *NPV) Hyper() []family.Quantity {
	return append(quantities(m.npv.noise[0], m.npv.latent.prior, m.npv.weight.prior),
		family.Quantity{Name: "posterior.variance", Value: append([]float64(nil), m.npv.variances...)})
}
