package likelihood

import (
	"fmt"
	"math"

	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// Form selects how the samples of a point are combined.
type Form int

const (
	// ExpectedLog is sum_s w_s sum_p E log p(y_p | f_sp), the term of variational bounds.
	ExpectedLog Form = iota
	// LogExpected is log sum_s w_s prod_p E p(y_p | f_sp), the log density of a mixture (Jankowiak,
	// Pleiss, Gardner, "Deep Sigma Point Processes", UAI 2020, https://arxiv.org/abs/2002.09112).
	LogExpected
)

// mixtureParts is the number of pieces that run in parallel. Pieces share no sums.
const mixtureParts = 8

// Mixture computes the log-likelihood of B points with P targets each, where the latent function of
// each target is a mixture of S weighted Gaussians. Column s*B + b holds sample s of point b. A
// Mixture is not safe for concurrent use.
type Mixture struct {
	likelihood Likelihood
	form       Form
	outputs    int // P
	latents    int // latent functions of all targets: P, or K for classes
	samples    int // S
	points     int // B

	// logs holds the contribution of each sample to its point, [S][B]: E log p, or log w + log E p.
	// share holds the derivative of the point's term with respect to it.
	logs, share []float64
	top         []float64 // [B], largest of the logs of each point
	// each holds the terms of every target, [P][S*B]; Backward overwrites it with shares of dTerms,
	// [S][B]. dMean, dVar and dNoise hold derivatives of the terms, the first two for every latent
	// function.
	each, dMean, dVar, dNoise []float64

	y, mean, vr, noise []float64 // arguments of the current evaluation
	rows               linalg.Loop

	// The transposed rows and their targets, for classes.
	transposed *Transposed
	targets    []float64
}

// NewMixture returns the log-likelihood of P outputs, S samples and B points under a likelihood
// with one latent function per target, or one per class of a single target. It panics if a
// classification likelihood has several outputs.
func NewMixture(l Likelihood, form Form, outputs, samples, points int) *Mixture {
	latents := l.Latents(outputs)
	if latents != outputs && outputs > 1 {
		panic(fmt.Sprintf("likelihood: a mixture of %d latent functions for %d targets", latents, outputs))
	}
	columns := samples * points
	m := &Mixture{
		likelihood: l,
		form:       form,
		outputs:    outputs,
		latents:    latents,
		samples:    samples,
		points:     points,
	}
	m.each = make([]float64, outputs*columns)
	m.dNoise = make([]float64, outputs*columns)
	m.dMean = make([]float64, latents*columns)
	m.dVar = make([]float64, latents*columns)
	m.logs = make([]float64, columns)
	m.share = make([]float64, columns)
	m.top = make([]float64, points)
	m.rows.Body = m.evaluateRows
	if latents > outputs {
		m.transposed = NewTransposed(l, columns)
		m.targets = make([]float64, columns)
		m.rows.Body = m.evaluateClasses
	}
	return m
}

// Forward sets terms [B] to the log-likelihood of each point, for targets y [P][B], means and
// variances [P][S*B], or [K][S*B] for classes, noise variances (one, one per output, or nil for a
// likelihood without noise) and log-weights [S]. Targets that are NaN contribute nothing.
func (m *Mixture) Forward(terms, y, mean, vr, noise, logWeights []float64) {
	m.y = y
	m.mean = mean
	m.vr = vr
	m.noise = noise
	for s := 0; s < len(m.targets); s += m.points {
		copy(m.targets[s:], y)
	}
	m.rows.Run(mixtureParts)
	columns := m.samples * m.points
	copy(m.logs, m.each)
	for p := 1; p < m.outputs; p++ {
		addTo(m.logs, m.each[p*columns:(p+1)*columns])
	}
	if m.form == LogExpected {
		m.logSumExp(terms, logWeights)
		return
	}
	clear(terms[:m.points])
	for s, lw := range logWeights {
		w := math.Exp(lw)
		logs := m.sample(m.logs, s)
		share := m.sample(m.share, s)
		for b, v := range logs {
			share[b] = w
			terms[b] += w * v
		}
	}
}

// evaluateRows evaluates the targets of a piece for each output, one sample at a time, because the
// targets of a sample are contiguous.
func (m *Mixture) evaluateRows(piece int) {
	of := m.expectation()
	for row := piece; row < m.outputs*m.samples; row += mixtureParts {
		p := row / m.samples
		y := m.y[p*m.points : (p+1)*m.points]
		of(m.sample(m.each, row), m.sample(m.dMean, row), m.sample(m.dVar, row), m.sample(m.dNoise, row),
			y, m.sample(m.mean, row), m.sample(m.vr, row), m.noiseOf(p))
	}
}

// evaluateClasses evaluates the columns of a piece.
func (m *Mixture) evaluateClasses(piece int) {
	columns := m.samples * m.points
	m.transposed.Evaluate(m.expectation(), m.each, m.dMean, m.dVar, m.targets, m.mean, m.vr,
		piece*columns/mixtureParts, (piece+1)*columns/mixtureParts)
}

// expectation returns the expectation for the form.
func (m *Mixture) expectation() Expectation {
	if m.form == LogExpected {
		return m.likelihood.LogExpectation
	}
	return m.likelihood.VariationalExpectations
}

// sample returns the columns of sample s.
func (m *Mixture) sample(v []float64, s int) []float64 { return v[s*m.points : (s+1)*m.points] }

// noiseOf returns the noise variance of output p, or nil.
func (m *Mixture) noiseOf(p int) []float64 {
	if len(m.noise) <= 1 {
		return m.noise
	}
	return m.noise[p : p+1]
}

// logSumExp sets terms to log sum_s exp(log w_s + logs), and share to the share of each sample in
// the sum. Subtracting the largest term first avoids underflow in the tails.
func (m *Mixture) logSumExp(terms, logWeights []float64) {
	for b := range m.top {
		m.top[b] = math.Inf(-1)
	}
	for s, lw := range logWeights {
		logs := m.sample(m.logs, s)
		for b, v := range logs {
			logs[b] = v + lw
			m.top[b] = max(m.top[b], logs[b])
		}
	}
	terms = terms[:m.points]
	clear(terms)
	for s := range logWeights {
		logs := m.sample(m.logs, s)
		share := m.sample(m.share, s)
		for b, top := range m.top {
			share[b] = logs[b] - top
		}
		vec.Exp(share, share)
		addTo(terms, share)
	}
	for s := range logWeights {
		for b, share := range m.sample(m.share, s) {
			m.share[s*m.points+b] = share / terms[b]
		}
	}
	vec.Log(terms, terms)
	addTo(terms, m.top)
}

// MixtureGrad holds the slices to which the gradients of a Mixture are added. They have the shapes
// of the arguments of Forward; Noise has one entry or one per output. A nil field is skipped.
type MixtureGrad struct{ Mean, Var, Noise, LogWeights []float64 }

// Backward adds to g the gradient of a scalar whose derivatives with respect to the terms of the
// last Forward are dTerms [B]. Log-weights are treated as independent; the caller accounts for
// their normalisation.
func (m *Mixture) Backward(g MixtureGrad, dTerms []float64) {
	columns := m.samples * m.points
	by := m.each[:columns]
	for s := range m.samples {
		vec.Mul(m.sample(by, s), m.sample(m.share, s), dTerms[:m.points])
		if g.LogWeights != nil {
			g.LogWeights[s] += m.byWeight(s)
		}
	}
	for p := range m.latents {
		at, end := p*columns, (p+1)*columns
		if g.Mean != nil {
			vec.AddMul(g.Mean[at:end], by, m.dMean[at:end])
		}
		if g.Var != nil {
			vec.AddMul(g.Var[at:end], by, m.dVar[at:end])
		}
		if len(g.Noise) > 0 {
			g.Noise[min(p, len(g.Noise)-1)] += dot(by, m.dNoise[at:end])
		}
	}
}

// byWeight returns the derivative with respect to log w_s. each must hold the shares of dTerms.
func (m *Mixture) byWeight(s int) (sum float64) {
	by := m.sample(m.each, s)
	if m.form == ExpectedLog {
		return dot(by, m.sample(m.logs, s))
	}
	for _, v := range by {
		sum += v
	}
	return sum
}

func addTo(dst, src []float64) {
	for i, v := range src {
		dst[i] += v
	}
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
