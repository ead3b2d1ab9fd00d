package gprn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg"
	"dgplab/models/param"
	"dgplab/models/train"
)

// varianceFloor is the lower bound of the variances of components.
const varianceFloor = 1e-12

// means holds the means of all latent functions, or of all weight functions, in all components, and
// their prior.
type means struct {
	prior   *prior
	count   int       // number of functions in a component
	free    []float64 // K^-1/2 mean: mean = L free, with L the lower factor of K, [K][count][N]
	mean    []float64
	l       []float64 // [N][N]
	inverse []float64 // K^-1, [N][N]
	trace   float64   // tr(K^-1)
	rescues int
	err     error

	dMean, dFree []float64
	dK, dL       []float64 // [N][N]
	scratch      []float64 // [N][N]
}

func newMeans(p *prior, count, components int) *means {
	n := p.data.n
	size := components * count * n
	m := &means{prior: p, count: count}
	for _, v := range []*[]float64{&m.free, &m.mean, &m.dMean, &m.dFree} {
		*v = make([]float64, size)
	}
	for _, v := range []*[]float64{&m.l, &m.inverse, &m.dK, &m.dL, &m.scratch} {
		*v = make([]float64, n*n)
	}
	return m
}

// of returns the means in component k, [count][N].
func (m *means) of(k int) []float64 {
	size := m.count * m.prior.data.n
	return m.mean[k*size : (k+1)*size]
}

// rows returns v, [K][count][N], as a matrix with rows of length N.
func (m *means) rows(v []float64) blas64.General {
	n := m.prior.data.n
	return blas64.General{Rows: len(v) / n, Cols: n, Stride: n, Data: v}
}

func (m *means) factor() blas64.Triangular {
	n := m.prior.data.n
	return linalg.Lower(m.l, n, n)
}

// forward computes the means and the factor, inverse and trace of the prior.
func (m *means) forward() {
	n := m.prior.data.n
	m.prior.refresh()
	rescues, err := linalg.Cholesky(m.l, m.prior.k, n, m.prior.of)
	m.rescues, m.err = m.rescues+rescues, err
	if err != nil {
		return
	}
	copy(m.mean, m.free)
	blas64.Trmm(blas.Right, blas.Trans, 1, m.factor(), m.rows(m.mean))
	copy(m.inverse, m.l)
	linalg.InvertLower(m.inverse, n)
	linalg.SquareLower(m.inverse, n)
	linalg.Mirror(m.inverse, n)
	m.trace = 0
	for i := range n {
		m.trace += m.inverse[i*n+i]
	}
}

// logPrior returns the expected log density of the prior for all functions of one kind, averaged
// over components with variances [K]:
//
//	-1/2 (count log |2 pi K| + mean over k of |free_k|^2 + variance_k count tr K^-1).
func (m *means) logPrior(variances []float64) float64 {
	n := float64(m.prior.data.n)
	count := float64(m.count)
	squares := blas64.Dot(vector(m.free), vector(m.free)) / float64(len(variances))
	return -0.5 *
		(count*(n*math.Log(2*math.Pi)+2*linalg.LogDiag(m.l, m.prior.data.n)+average(variances)*m.trace) +
			squares)
}

// backward computes the gradients of the free means and of the parameters of the prior. dMean must
// hold the gradient of all terms except the prior.
func (m *means) backward(variances []float64) {
	n, count := m.prior.data.n, float64(m.count)
	copy(m.dFree, m.dMean)
	blas64.Trmm(blas.Right, blas.NoTrans, 1, m.factor(), m.rows(m.dFree))
	for i, v := range m.free {
		m.dFree[i] -= v / float64(len(variances))
	}
	copy(m.dK, m.inverse)
	linalg.LowerProduct(n, n, 0.5*count*average(variances), m.inverse, n, m.inverse, n, -0.5*count, m.dK)
	linalg.Mirror(m.dK, n)
	rows := m.rows(m.dMean)
	linalg.Gemm(true, false, n, n, rows.Rows, 1, m.dMean, m.free, 0, m.dL)
	linalg.CholeskyBackward(m.dK, m.l, m.dL, m.scratch, n)
	m.prior.backward(m.dK)
}

func average(v []float64) (mean float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	return mean
}

// npv is the nonparametric posterior, a mixture of K isotropic Gaussians over all functions at the
// training inputs, and its bound on the evidence (eqs. 31 to 33). The means are parametrised
// relative to their priors. This does not change the bound, but the functions then adapt to changes
// in the kernels.
type npv struct {
	*data
	q, k           int
	noise          []float64 // [1]
	variances      []float64 // [K]
	startVariance  float64   // of all components, at every starting point
	latent, weight *means
	terms          []float64
	residual       []float64 // [N]
	dNoise         []float64
	dVariances     []float64
	entropy        entropy
	loop           linalg.Loop
	differentiate  bool
	hold           uint64 // number of steps with fixed hyperparameters
	held           bool   // fixed in the current step
	set            *param.Set
	grads          [][]float64
}

// numVariational is the number of posterior parameters, which come first in the set.
const numVariational = 3

// newNPV returns a mixture of k components with zero means and variances that balance entropy and prior.
func newNPV(d *data, q, k int, noise float64, latent, weight *prior) (*npv, error) {
	m := &npv{data: d, q: q, k: k, noise: []float64{noise}, variances: make([]float64, k),
		latent: newMeans(latent, q, k), weight: newMeans(weight, d.p*q, k), terms: make([]float64, 2),
		residual: make([]float64, d.n), dNoise: make([]float64, 1), dVariances: make([]float64, k)}
	m.entropy = newEntropy(k)
	fill(m.variances, 1)
	m.loop.Body = m.part
	list := []*param.Parameter{
		{Name: "latent.mean", Shape: []int{k, q, d.n}, Value: m.latent.free, Transform: param.Identity{}},
		{Name: "weight.mean", Shape: []int{k, d.p, q, d.n}, Value: m.weight.free,
			Transform: param.Identity{}},
		{Name: "posterior.variance", Shape: []int{k}, Value: m.variances,
			Transform: param.Exponential{Lower: varianceFloor}},
		{Name: "likelihood.variance", Shape: []int{1}, Value: m.noise,
			Transform: param.Exponential{Lower: positiveFloor}},
	}
	m.grads = [][]float64{m.latent.dFree, m.weight.dFree, m.dVariances, m.dNoise}
	for _, p := range []*prior{latent, weight} {
		list = append(list, p.parameters()...)
		m.grads = append(m.grads, p.grads...)
	}
	set, err := param.NewSet(list...)
	if err != nil {
		return nil, err
	}
	m.set = set
	return m, m.startVariances()
}

// startVariances sets the variances to the value that balances entropy and prior, the inverse of the mean
// diagonal entry of K^-1 over all functions. All starting points use it, rounded as its transform does, so
// that it equals the value that users hold or bound.
func (m *npv) startVariances() error {
	if err := m.refresh(); err != nil {
		return err
	}
	functions := float64(m.n * (m.latent.count + m.weight.count))
	fill(m.variances, functions/
		(float64(m.latent.count)*m.latent.trace+float64(m.weight.count)*m.weight.trace))
	err := m.set.Inverse()
	m.set.Forward()
	m.startVariance = m.variances[0]
	return err
}

var _ train.Problem = (*npv)(nil)

// Parameters implements infer.Problem.
func (m *npv) Parameters() *param.Set { return m.set }

// Draw implements infer.Problem. The objective is deterministic, but the hyperparameters are fixed
// in the first steps.
func (m *npv) Draw(step uint64) { m.held = step < m.hold }

// Terms implements train.Problem.
func (m *npv) Terms() []float64 { return m.terms }

// Rescues implements train.Problem.
func (m *npv) Rescues() int { return m.latent.rescues + m.weight.rescues }

// State implements train.Problem. It returns nil: training changes only the parameters.
func (m *npv) State() []param.Array { return nil }

// latentScales returns the mean prior variance of each latent function.
func (m *npv) latentScales() []float64 { return slices.Repeat([]float64{m.latent.prior.scale()}, m.q) }

// kinds returns the latent and the weight functions.
func (m *npv) kinds() [2]*means { return [2]*means{m.latent, m.weight} }

func (m *npv) part(kind int) {
	if m.differentiate {
		m.kinds()[kind].backward(m.variances)
	} else {
		m.kinds()[kind].forward()
	}
}

// refresh recomputes all values that depend on the parameters, except the bound.
func (m *npv) refresh() error {
	m.differentiate = false
	m.loop.Run(2)
	for _, f := range m.kinds() {
		if f.err != nil {
			return f.err
		}
	}
	return nil
}

// Evaluate implements infer.Problem.
func (m *npv) Evaluate(dFree []float64) (float64, error) {
	if err := m.refresh(); err != nil {
		return 0, err
	}
	clear(m.latent.dMean)
	clear(m.weight.dMean)
	m.terms[0] = m.logJoint()
	m.terms[1] = m.entropy.bound(m)
	if dFree != nil {
		m.differentiate = true
		m.loop.Run(2)
		m.set.Pullback(dFree, m.grads)
		if m.held {
			at, _ := m.set.Range(numVariational)
			clear(dFree[at:])
		}
	}
	return m.terms[0] + m.terms[1], nil
}

// logJoint returns the expected log density of targets and functions (eq. 33) and computes its
// gradients. The gradients with respect to the means exclude the prior.
func (m *npv) logJoint() float64 {
	noise, share := m.noise[0], 1/float64(m.k)
	var squares float64
	for k, v := range m.variances {
		m.dVariances[k] = -0.5 * share *
			(float64(m.latent.count)*m.latent.trace + float64(m.weight.count)*m.weight.trace)
		for i := range m.p {
			squares += m.output(k, i)
		}
		squares += m.count * float64(m.q) * v * v
		m.dVariances[k] -= share * m.count * float64(m.q) * v / noise
	}
	m.dNoise[0] = 0.5 * (share*squares/noise - m.count) / noise
	return -0.5*(m.count*math.Log(2*math.Pi*noise)+share*squares/noise) +
		m.latent.logPrior(m.variances) + m.weight.logPrior(m.variances)
}

// output returns the sum of expected squared errors of output i in component k without the term in
// squared variances, and adds its gradients.
func (m *npv) output(k, i int) (squares float64) {
	y, seen := m.targets(i)
	v, scale := m.variances[k], 1/(float64(m.k)*m.noise[0])
	f := m.latent.of(k)
	w := m.weight.of(k)[i*m.q*m.n:]
	size := m.q * m.n
	df, dw := m.latent.dMean[k*size:], m.weight.dMean[(k*m.p+i)*size:]
	copy(m.residual, y)
	for j := range m.q {
		for n, s := range seen {
			m.residual[n] -= s * f[j*m.n+n] * w[j*m.n+n]
		}
	}
	var spread float64
	for j := range m.q {
		for n, s := range seen {
			at, r := j*m.n+n, m.residual[n]
			spread += s * (f[at]*f[at] + w[at]*w[at])
			df[at] += scale * (w[at]*r - s*v*f[at])
			dw[at] += scale * (f[at]*r - s*v*w[at])
		}
	}
	m.dVariances[k] -= 0.5 * scale * spread
	return blas64.Dot(vector(m.residual), vector(m.residual)) + v*spread
}
