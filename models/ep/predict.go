package ep

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/likelihood"
	"dgplab/models/predictive"
	"dgplab/models/train"
)

const (
	// predictPoints is the number of points per prediction pass.
	predictPoints = 256
	// maxPredictors limits the number of cached passes.
	maxPredictors = 6
)

// predictor is a pass with the posteriors, on a separate tape.
type predictor struct {
	*pass
	tape *autodiff.Tape
	b    int
}

// Predict implements family.Model. It returns one Gaussian per point and ignores the number of
// samples (Bui et al. 2016, section 7).
func (m *Model) Predict(X *mat.Dense, _ int, _ uint64) (predictive.Predictive, error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	p := m.predictor(min(n, predictPoints))
	outputs := m.problem.outputs()
	out := predictive.NewGaussians([]float64{1}, n, outputs)
	if p.last().covariance != nil {
		out.Covariance = make([]float64, n*outputs*outputs)
	}
	for start := 0; start < n; start += p.b {
		train.Window(p.x.Value, X, start)
		if err := p.tape.Forward(); err != nil {
			return nil, m.WithStep(err)
		}
		p.clamp()
		out.SetColumns(start, p.last().mean.Value, p.last().vr.Value)
		if out.Covariance != nil {
			p.setCovariance(out, start)
		}
	}
	noise := m.problem.layers[len(m.problem.layers)-1].noise
	return m.problem.likelihood.Observe(out, likelihood.Values(noise)), nil
}

// clamp raises negative variances, which result from rounding, to zero.
func (p *predictor) clamp() {
	vr := p.last().vr.Value
	for i, v := range vr {
		vr[i] = max(v, 0)
	}
}

// setCovariance sets the covariances of the points, beginning at start.
func (p *predictor) setCovariance(out *predictive.Gaussians, start int) {
	from := p.last()
	for b := range min(p.b, out.N-start) {
		at := out.Covariance[(start+b)*out.P*out.P:]
		for i := range out.P {
			at[i*out.P+i] = from.vr.Value[i*p.b+b]
			for j := range i {
				v := from.covariance.Value[(i*(i-1)/2+j)*p.b+b]
				at[i*out.P+j], at[j*out.P+i] = v, v
			}
		}
	}
}

// refresh recomputes the values that predictions need from the parameters.
func (m *Model) refresh() error {
	t := m.problem.tape
	if err := t.WithoutRescues(func() error { return t.ForwardTo(m.problem.parametersOnly) }); err != nil {
		return m.WithStep(err)
	}
	return m.WithStep(m.predictTape.Forward())
}

// predictor returns a pass of b points. Passes are cached by size.
func (m *Model) predictor(b int) *predictor {
	p := m.predictors[b]
	if p == nil {
		if len(m.predictors) >= maxPredictors {
			clear(m.predictors)
		}
		p = &predictor{tape: autodiff.NewTape(), b: b}
		p.pass = m.problem.record(p.tape, b, func(g *gp) *state { return g.posterior })
		m.predictors[b] = p
	}
	return p
}
