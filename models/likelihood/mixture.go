package likelihood

import (
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
	latents    int // K, latent functions of a target
	samples    int // S
	points     int // B

	// logs holds the contribution of each sample to its point, [S][B]: E log p, or log w + log E p.
	// share holds the derivative of the point's term with respect to it.
	logs, share []float64
	top         []float64 // [B], largest of the logs of each point
	// each holds the terms of every target, [P][S*B]. The others hold their derivatives: dMean and
	// dVar for every latent function, [P][K][S*B], dParams for each output and run of columns, [Q][run].
	// Backward overwrites each with shares of dTerms, [S][B].
	each, dMean, dVar, dParams []float64

	// Known noise variances are those of rows, and variances holds their sums with the learned part, [B]. It
	// is nil unless the likelihood is a Gaussian with known noise.
	known     Rows
	variances []float64

	y, mean, vr, params []float64 // arguments of the current evaluation
	rows                linalg.Loop
	runs                []int // the ends of runs of columns that are evaluated together, from 0

	// For several latent functions of a target: the transposed rows of each target, and the targets
	// of all columns, [P][S*B].
	transposed []*Transposed
	targets    []float64
}

// NewMixture returns the log-likelihood of P outputs, S samples and B points.
func NewMixture(l Likelihood, form Form, outputs, samples, points int) *Mixture {
	latents := l.Latents()
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
	m.dParams = make([]float64, len(l.Parameters())*outputs*columns)
	m.dMean = make([]float64, outputs*latents*columns)
	m.dVar = make([]float64, outputs*latents*columns)
	m.logs = make([]float64, columns)
	m.share = make([]float64, columns)
	m.top = make([]float64, points)
	m.rows.Body = m.evaluateRows
	for s := range samples + 1 {
		m.runs = append(m.runs, s*points)
	}
	if latents > 1 {
		m.runs = m.runs[:0]
		for piece := range mixtureParts + 1 {
			m.runs = append(m.runs, piece*columns/mixtureParts)
		}
		for range outputs {
			m.transposed = append(m.transposed, NewTransposed(l, columns))
		}
		m.targets = make([]float64, outputs*columns)
		m.rows.Body = m.evaluateColumns
	}
	return m
}

// Forward sets terms [B] to the log-likelihood of each point, for targets y [P][B], means and
// variances [P][K][S*B], parameters [Q] and log-weights [S]. Targets that are NaN contribute nothing.
func (m *Mixture) Forward(terms, y, mean, vr, params, logWeights []float64) {
	m.y = y
	m.mean = mean
	m.vr = vr
	m.params = params
	if m.variances != nil {
		m.known.variances(m.variances, params)
		m.params = m.variances
	}
	columns := m.samples * m.points
	for at := 0; at < len(m.targets); at += m.points {
		p := at / columns
		copy(m.targets[at:], y[p*m.points:(p+1)*m.points])
	}
	m.rows.Run(mixtureParts)
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
		p, s := row/m.samples, row%m.samples
		y := m.y[p*m.points : (p+1)*m.points]
		of(m.sample(m.each, row), m.sample(m.dMean, row), m.sample(m.dVar, row), m.perParameter(p, s),
			y, m.sample(m.mean, row), m.sample(m.vr, row), m.params)
	}
}

// perParameter returns the derivatives with respect to the parameters of a run of output p, [Q][run].
func (m *Mixture) perParameter(p, run int) []float64 {
	columns := m.samples * m.points
	size := len(m.dParams) / (m.outputs * columns) // Q
	return m.dParams[size*(p*columns+m.runs[run]) : size*(p*columns+m.runs[run+1])]
}

// evaluateColumns evaluates a run of columns for likelihoods with several latent functions.
func (m *Mixture) evaluateColumns(run int) {
	columns := m.samples * m.points
	size := m.latents * columns
	for p, transposed := range m.transposed {
		at, end := p*size, (p+1)*size
		transposed.Evaluate(m.expectation(), m.each[p*columns:(p+1)*columns], m.dMean[at:end],
			m.dVar[at:end], m.perParameter(p, run), m.targets[p*columns:(p+1)*columns], m.mean[at:end],
			m.vr[at:end], m.params, m.runs[run], m.runs[run+1])
	}
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

// MixtureGrad holds the destinations to which the gradients of a Mixture are added. Shapes are as
// for the arguments of Forward. A nil field is skipped.
type MixtureGrad struct{ Mean, Var, Params, LogWeights []float64 }

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
	for k := range m.outputs * m.latents {
		at, end := k*columns, (k+1)*columns
		if g.Mean != nil {
			vec.AddMul(g.Mean[at:end], by, m.dMean[at:end])
		}
		if g.Var != nil {
			vec.AddMul(g.Var[at:end], by, m.dVar[at:end])
		}
	}
	for p := range m.outputs {
		for q := range g.Params {
			g.Params[q] += m.byParameter(p, q)
		}
	}
}

// byParameter returns the derivative of the terms of output p with respect to parameter q. each must
// hold the shares of the derivatives with respect to the terms.
func (m *Mixture) byParameter(p, q int) (sum float64) {
	for run, start := range m.runs[:len(m.runs)-1] {
		by := m.each[start:m.runs[run+1]]
		each := m.perParameter(p, run)
		for i, v := range each[q*len(by) : (q+1)*len(by)] {
			sum += by[i] * v
		}
	}
	return sum
}

// byWeight returns the derivative with respect to log w_s. each must hold the shares of the
// derivatives with respect to the terms.
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
