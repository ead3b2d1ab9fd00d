package dgp

import (
	"dgplab/models/autodiff"
	"dgplab/models/likelihood"
)

// Evaluation is the bound of a deep GP on one minibatch with given draws. The caller writes
// parameters and data into its slices, and Run computes the bound with the code that models train
// with.
type Evaluation struct {
	arch  *Architecture
	bound *bound
}

// NewEvaluation returns an evaluation for b points and r samples. With one layer and marginalised
// inducing outputs, nothing is sampled and R is 1.
func NewEvaluation(arch *Architecture, b, r int) *Evaluation {
	post := newPosterior(autodiff.NewTape(), arch)
	return &Evaluation{arch: arch, bound: newBound(post.tape, post, b, r)}
}

// Samples returns R.
func (e *Evaluation) Samples() int { return e.bound.r }

// LayerParameters holds the parameters of one layer, or their gradients.
type LayerParameters struct {
	Z            []float64 // [M_l][D_l]
	Lengthscales []float64 // [D_l]
	Variance     []float64 // [1]
	QMu          []float64 // [T_l][M_l]; whitened unless Architecture.Unwhitened is set
}

// Layer returns the parameters of layer l, from 0. Writing to the slices sets the parameters.
func (e *Evaluation) Layer(l int) LayerParameters {
	n := e.bound.post.layers[l]
	lengthscales, variance := n.shape()
	return LayerParameters{n.z.Value, lengthscales.Value, variance.Value, n.qMu.Value}
}

// shape returns the parameters of a kernel with assembly.
func (n layerNodes) shape() (lengthscales, variance *autodiff.Node) {
	_, lengthscales, variance, _ = n.kernel.Simple()
	return lengthscales, variance
}

// LayerGradient returns the gradient of the bound with respect to the parameters of layer l.
func (e *Evaluation) LayerGradient(l int) LayerParameters {
	n := e.bound.post.layers[l]
	lengthscales, variance := n.shape()
	return LayerParameters{n.z.Grad(), lengthscales.Grad(), variance.Grad(), n.qMu.Grad()}
}

// QSqrt returns block (i, j) of L_S, [M_i][M_j], or nil if the pattern has none. Writing to it sets
// the block. Entries above the diagonal of a block (i, i) must be zero.
func (e *Evaluation) QSqrt(i, j int) []float64 { return e.blockOf(e.bound.post.qSqrt.Value, i, j) }

// QSqrtGradient returns the gradient of the bound with respect to block (i, j) of L_S. Entries
// above the diagonal of a block (i, i) are undefined.
func (e *Evaluation) QSqrtGradient(i, j int) []float64 {
	return e.blockOf(e.bound.post.qSqrt.Grad(), i, j)
}

func (e *Evaluation) blockOf(all []float64, i, j int) []float64 {
	if !e.arch.Pattern.Has(i, j) {
		return nil
	}
	return e.bound.post.factorSpan(i, j).view(all).Data
}

// Noise returns the variance of a Gaussian likelihood, [1]. Writing to it sets the variance.
func (e *Evaluation) Noise() []float64 { return likelihood.Values(e.bound.post.observation) }

// NoiseGradient returns the derivatives of the bound with respect to the parameters of the
// likelihood.
func (e *Evaluation) NoiseGradient() []float64 {
	if e.bound.post.observation == nil {
		return nil
	}
	return e.bound.post.observation.Grad()
}

// SetData sets inputs x [B][D_0], targets y [B][P] and N, the size of the full data set.
func (e *Evaluation) SetData(x, y []float64, numData float64) {
	transposeInto(e.bound.x.Value, x, e.bound.x.Rows)
	transposeInto(e.bound.y.Value, y, e.bound.y.Rows)
	e.bound.numData = numData
}

// transposeInto sets dst [width][points] to the transpose of src [points][width].
func transposeInto(dst, src []float64, width int) {
	points := len(src) / width
	for n := 0; n < points; n++ {
		for d := 0; d < width; d++ {
			dst[d*points+n] = src[n*width+d]
		}
	}
}

// Eps returns the standard normal draws of hidden layer l, [T_l][R][B], for writing.
func (e *Evaluation) Eps(l int) []float64 { return e.bound.eps[l].Value }

// EpsInducing returns the draws of the inducing outputs for writing, one [R][M] block per GP. It
// requires Architecture.SampleInducing.
func (e *Evaluation) EpsInducing() []float64 { return e.bound.epsInducing.Value }

// Terms holds the terms of the bound.
type Terms struct {
	ELBO, ExpectedLogLik, KL float64
	// PerPoint holds E log p(y_n | f_n) for each sample and point, [R][B], unscaled.
	PerPoint []float64
}

// Run computes the bound. It returns an error if a factorisation fails.
func (e *Evaluation) Run() (Terms, error) {
	if err := e.bound.tape.Forward(); err != nil {
		return Terms{}, err
	}
	b := e.bound
	return Terms{b.value.Value[0], b.logLik.Value[0], b.penalty.Value[0], b.terms}, nil
}

// Differentiate computes the gradients after Run.
func (e *Evaluation) Differentiate() { e.bound.tape.Backward(e.bound.value) }

// Marginals gives access to the moments of Theorem 1 for layer l. Each method returns the value for
// sample r and point b.
type Marginals struct {
	g *graph
	l int
}

// Marginals returns the moments of layer l after Run, with marginalised inducing outputs.
func (e *Evaluation) Marginals(l int) Marginals { return Marginals{e.bound.graph, l} }

// pick returns the entry of sample r and point b in a vector over points.
func (m Marginals) pick(v []float64, r, b int) float64 { return v[(r*m.g.b+b)%len(v)] }

// Sample returns f of the GP at position t of a hidden layer.
func (m Marginals) Sample(t, r, b int) float64 { return m.pick(m.g.f[m.l].Row(t), r, b) }

// MuTilde returns mu~, the mean before conditioning on the layers below.
func (m Marginals) MuTilde(t, r, b int) float64 { return m.pick(m.g.mean[m.l].Row(t), r, b) }

// MuHat returns mu^, the mean given the samples of the layers below.
func (m Marginals) MuHat(t, r, b int) float64 {
	p := m.g.post
	mean := m.MuTilde(t, r, b)
	i := p.first[m.l] + t
	for _, k := range p.fill[i] {
		if p.layer[k] < m.l {
			c, _ := m.g.cholEntry(i, k)
			mean += m.pick(c.value(), r, b) * m.pick(m.g.eps[p.layer[k]].Row(p.position(k)), r, b)
		}
	}
	return mean
}

// SigmaHat returns the covariance of two GPs of the layer given the samples of the layers below.
func (m Marginals) SigmaHat(t, u, r, b int) float64 {
	p := m.g.post
	var sum float64
	i, j := p.first[m.l]+t, p.first[m.l]+u
	for _, k := range p.fill[i] {
		cj, ok := m.g.cholEntry(j, k)
		if ok && p.layer[k] == m.l {
			ci, _ := m.g.cholEntry(i, k)
			sum += m.pick(ci.value(), r, b) * m.pick(cj.value(), r, b)
		}
	}
	return sum
}

// STilde returns the covariance of the GP at position t of the layer with GP j (numbered across all
// layers) of this layer or one below.
func (m Marginals) STilde(t, j, r, b int) float64 {
	p := m.g.post
	i := p.first[m.l] + t
	form, ok := m.g.forms[m.l][pair{max(i, j), min(i, j)}]
	if !ok {
		return 0
	}
	value := m.pick(form.value(), r, b)
	if i == j {
		value += m.pick(m.g.residual[m.l].Value, r, b)
	}
	return value
}

// SampledMean returns the mean of the layer given sampled inducing outputs
// (Architecture.SampleInducing).
func (m Marginals) SampledMean(t, r, b int) float64 { return m.MuTilde(t, r, b) }

// SampledVariance returns the residual prior variance given the inducing outputs.
func (m Marginals) SampledVariance(r, b int) float64 { return m.pick(m.g.residual[m.l].Value, r, b) }
