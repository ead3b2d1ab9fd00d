package bnn

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/likelihood"
	"dgplab/models/param"
	"dgplab/models/predictive"
	"dgplab/models/stats"
	"dgplab/models/train"
)

// propagation trains networks by probabilistic backpropagation, an assumed density filter with
// independent Gaussian weights and a Gamma distribution of the noise precision (Hernández-Lobato,
// Adams 2015, sections 3.1-3.3). It is both the problem and the method.
type propagation struct {
	layers     []*dense
	likelihood likelihood.Likelihood
	// gamma holds the shape and rate of the noise precision; nil for classes.
	gamma   []float64
	prior   *weightPrior // nil if the variance of the weights is fixed
	set     *param.Set
	data    family.Data
	batches *train.Minibatches
	rows    []int // of the current step

	// Values of a single point: log Z, its derivatives with respect to the moments of f and the
	// noise, the target, the moments and the noise.
	logZ, dMean, dVar, dNoise, y, mean, vr, noise [1]float64

	terms, gauges [1]float64
}

// newPropagation returns a propagation for data. Weights start with the prior variance and with
// random means, because units with equal means would remain equal. ofWeights is the Gamma prior of
// the precision of the weights. It is nil if their variance is fixed.
func newPropagation(
	c config, gamma, ofWeights []float64, data family.Data, seed uint64,
) (*propagation, error) {
	n, _ := data.X.Dims()
	p := &propagation{likelihood: c.likelihood, data: data, batches: train.NewMinibatches(seed, n, c.batch)}
	var list []*param.Parameter
	add := func(name string, value []float64, shape ...int) {
		list = append(list, &param.Parameter{
			Name:      name,
			Shape:     shape,
			Transform: param.Identity{},
			Value:     value,
		})
	}
	stream := stats.Stream(seed, "start", 0)
	for l := 1; l < len(c.sizes); l++ {
		d := newDense(c.sizes[l-1], c.sizes[l])
		stats.Normals(d.mean, stream)
		for i := range d.mean {
			d.mean[i] *= c.spread
			d.vr[i] = c.priorVariance
		}
		add(fmt.Sprintf("mean.W%d", l), d.mean, c.sizes[l], c.sizes[l-1]+1)
		add(fmt.Sprintf("variance.W%d", l), d.vr, c.sizes[l], c.sizes[l-1]+1)
		p.layers = append(p.layers, d)
	}
	if ofWeights != nil {
		p.prior = newWeightPrior(p.layers, ofWeights)
	}
	if len(c.likelihood.Parameters()) > 0 {
		p.gamma = gamma
		add("noise.gamma", p.gamma, 2)
	}
	var err error
	p.set, err = param.NewSet(list...)
	return p, err
}

// forward sets the moments of f at x.
func (p *propagation) forward(x []float64) {
	copy(p.layers[0].inMean, x)
	for l, d := range p.layers {
		d.forward()
		if l < len(p.layers)-1 {
			d.rectify(p.layers[l+1])
		}
	}
	last := p.layers[len(p.layers)-1]
	p.mean[0], p.vr[0] = last.outMean[0], last.outVar[0]
}

// backward backpropagates the derivatives of log Z. It calls back for every layer, the last first; back
// sets the derivatives with respect to the inputs of a layer.
func (p *propagation) backward(back func(d *dense)) {
	last := len(p.layers) - 1
	p.layers[last].dOut[0], p.layers[last].dOutVar[0] = p.dMean[0], p.dVar[0]
	for l := last; l >= 0; l-- {
		back(p.layers[l])
		if l > 0 {
			p.layers[l-1].unrectify(p.layers[l])
		}
	}
}

// at returns log Z of a target under the current moments of f, with Gaussian noise of variance
// rate/(shape - 1 + more), and sets its derivatives.
func (p *propagation) at(y, more float64) float64 {
	p.y[0], p.noise[0] = y, p.noiseAt(more)
	p.likelihood.LogExpectation(p.logZ[:], p.dMean[:], p.dVar[:], p.dNoise[:], p.y[:],
		p.mean[:], p.vr[:], p.noise[:])
	return p.logZ[0]
}

// noiseAt returns the mean noise variance with more added to the shape, or 0 for classes.
func (p *propagation) noiseAt(more float64) float64 {
	if p.gamma == nil {
		return 0
	}
	return p.gamma[1] / (p.gamma[0] - 1 + more)
}

// update processes one point. It returns its log Z and the number of weights left unchanged because
// their new variance would not be positive. With g and h the derivatives of log Z with respect to
// mean and variance,
//
//	mean += variance g,    variance -= variance^2 (g^2 - 2 h).
func (p *propagation) update(x []float64, y float64) (logZ float64, stayed int) {
	p.forward(x)
	one := p.at(y, 1)
	two := p.at(y, 2)
	logZ = p.at(y, 0)
	p.backward(func(d *dense) { stayed += d.update() })
	if p.gamma != nil && !math.IsNaN(y) {
		// Match the first two moments of the precision.
		if a, b, ok := matchGamma(p.gamma[0], p.gamma[1], logZ, one, two); ok {
			p.gamma[0], p.gamma[1] = a, b
		}
	}
	return logZ, stayed
}

// Parameters implements infer.Problem.
func (p *propagation) Parameters() *param.Set { return p.set }

// Draw implements infer.Problem. It selects the points of a step.
func (p *propagation) Draw(step uint64) { p.rows = p.batches.Rows(int(step)) }

// Evaluate implements infer.Problem. It returns the sum of log Z over the points of a step, scaled
// to all data, without processing any of them.
func (p *propagation) Evaluate(dFree []float64) (value float64, err error) {
	clear(dFree)
	n, _ := p.data.X.Dims()
	scale := float64(n) / float64(len(p.rows))
	for _, row := range p.rows {
		p.forward(p.data.X.RawRowView(row))
		value += scale * p.at(p.data.Y.At(row, 0), 0)
		if dFree != nil {
			p.backward((*dense).backward)
			p.addGradient(dFree, scale)
		}
	}
	p.terms[0] = value
	return value, nil
}

// addGradient adds the gradient of log Z of the last point, multiplied by scale.
func (p *propagation) addGradient(dFree []float64, scale float64) {
	for _, d := range p.layers {
		for _, list := range [][]float64{d.dMean, d.dVar} {
			for i, g := range list {
				dFree[i] += scale * g
			}
			dFree = dFree[len(list):]
		}
	}
	if p.gamma != nil {
		below := p.gamma[0] - 1
		dFree[0] -= scale * p.dNoise[0] * p.gamma[1] / (below * below)
		dFree[1] += scale * p.dNoise[0] / below
	}
}

// Step implements infer.Method. It processes the points of a step sequentially. At the end of a
// pass over the data it refines the prior of the weights.
func (p *propagation) Step(_ context.Context, _ infer.Problem, step uint64) (infer.Move, error) {
	p.Draw(step)
	var sum float64
	stayed := 0
	for _, row := range p.rows {
		logZ, count := p.update(p.data.X.RawRowView(row), p.data.Y.At(row, 0))
		sum += logZ
		stayed += count
	}
	n, _ := p.data.X.Dims()
	p.terms[0] = sum * float64(n) / float64(len(p.rows))
	p.gauges[0] = float64(stayed)
	if err := p.check(); err != nil {
		p.set.Forward() // restore the state before the step
		return infer.Move{}, err
	}
	from := int(step) * len(p.rows) / n
	to := (int(step) + 1) * len(p.rows) / n
	if p.prior != nil && to > from {
		p.prior.refine()
	}
	return infer.Move{Objective: p.terms[0], Gauges: p.gauges[:]}, p.set.Inverse()
}

// check returns an error if log Z or a parameter is not finite.
func (p *propagation) check() error {
	if infer.CheckFinite(p.terms[:]) != nil {
		return &infer.NonFiniteError{Index: infer.Objective, Value: p.terms[0]}
	}
	for i, of := range p.set.Params() {
		if bad, ok := infer.CheckFinite(of.Value).(*infer.NonFiniteError); ok {
			start, _ := p.set.Range(i)
			return &infer.NonFiniteError{Index: start + bad.Index, Value: bad.Value}
		}
	}
	return nil
}

// Gauges implements infer.Method.
func (p *propagation) Gauges() []infer.Reading { return filterObjective.Gauges }

// Terms implements train.Problem.
func (p *propagation) Terms() []float64 { return p.terms[:] }

// Rescues implements train.Problem. Nothing is factorised.
func (p *propagation) Rescues() int { return 0 }

// State implements train.Problem. It returns the state that is not part of Parameters.
func (p *propagation) State() []param.Array {
	if p.prior == nil {
		return nil
	}
	return p.prior.state()
}

// filtering is a propagation in its role as the method. The problem saves its state.
type filtering struct{ *propagation }

// State implements infer.Method.
func (filtering) State() []param.Array { return nil }

// Filter is a model of networks trained by probabilistic backpropagation. It implements
// family.Model and family.Viewer.
type Filter struct {
	*train.Model
	p *propagation
}

// Predict implements family.Model. It returns one Gaussian per point and ignores the number of
// samples.
func (m *Filter) Predict(X *mat.Dense, _ int, _ uint64) (predictive.Predictive, error) {
	return m.p.likelihood.Observe(m.functions(X), []float64{m.p.noiseAt(0)}), nil
}

// functions returns the moments of f at X.
func (m *Filter) functions(X *mat.Dense) *predictive.Gaussians {
	n, _ := X.Dims()
	out := predictive.NewGaussians([]float64{1}, n, 1)
	for i := range n {
		m.p.forward(X.RawRowView(i))
		out.Mean[i], out.Var[i] = m.p.mean[0], m.p.vr[0]
	}
	return out
}

// Hyper implements family.Model.
func (m *Filter) Hyper() (list []family.Quantity) {
	if m.p.gamma != nil {
		list = append(list, family.Quantity{Name: noiseName, Value: []float64{m.p.noiseAt(0)}})
	}
	mean, sd := family.Quantity{Name: "weights.mean"}, family.Quantity{Name: "weights.sd"}
	for _, d := range m.p.layers {
		var sum float64
		for _, v := range d.vr {
			sum += v
		}
		n := float64(len(d.vr))
		mean.Value = append(mean.Value, math.Sqrt(squares(d.mean)/n))
		sd.Value = append(sd.Value, math.Sqrt(sum/n))
	}
	if m.p.prior != nil {
		list = append(list, family.Quantity{Name: priorName, Value: []float64{m.p.prior.variance()}})
	}
	return append(list, mean, sd)
}
