package deep

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/likelihood"
	"dgplab/models/predictive"
	"dgplab/models/stats"
	"dgplab/models/train"
)

const (
	// predictColumns limits the number of columns (points times samples) per prediction pass.
	predictColumns = 4096
	// maxPredictors limits the number of cached passes.
	maxPredictors = 6
)

// Predict implements family.Model. It returns a mixture over samples. With quadrature the number of
// samples is the number of learned points.
func (m *Model) Predict(X *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if q := m.stack().quadrature; q != nil {
		samples = q.logits.Cols
	}
	p := m.predictor(min(n, max(1, predictColumns/samples)), samples)
	out := p.mixture(n)
	for start := 0; start < n; start += p.b {
		p.load(X, start, seed)
		if err := p.tape.Forward(); err != nil {
			return nil, m.WithStep(err)
		}
		out.SetColumns(start, p.last().Mean.Value, p.last().Var.Value)
	}
	return m.config.Likelihood.Observe(out, likelihood.Values(m.stack().observation)), nil
}

// refresh recomputes the values that depend only on the parameters.
func (m *Model) refresh() error {
	t := m.stack().tape
	return m.WithStep(t.WithoutRescues(func() error { return t.ForwardTo(m.parametersOnly) }))
}

// predictor returns a pass of b points and s samples. Passes are cached by shape.
func (m *Model) predictor(b, s int) *pass {
	key := [2]int{b, s}
	p := m.predictors[key]
	if p == nil {
		if len(m.predictors) >= maxPredictors {
			clear(m.predictors)
		}
		p = m.stack().record(autodiff.NewTape(), b, s, nil)
		m.predictors[key] = p
	}
	return p
}

// load fills the pass with the rows of X from start on, repeating the last row if there are too
// few, and with draws that depend on seed and start.
func (p *pass) load(X *mat.Dense, start int, seed uint64) {
	train.Window(p.x.Value, X, start)
	stream := stats.Stream(seed, "predict", uint64(start))
	for _, eps := range p.eps {
		stats.Normals(eps.Value, stream)
	}
}

// mixture returns an empty mixture for n points, without noise.
func (p *pass) mixture(n int) *predictive.Gaussians {
	weights := make([]float64, p.s)
	for k, lw := range p.logWeights.Value {
		weights[k] = math.Exp(lw)
	}
	return predictive.NewGaussians(weights, n, p.last().Mean.Rows)
}
