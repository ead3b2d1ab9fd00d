// Package bnn implements Bayesian neural networks: multilayer perceptrons with rectified linear
// units and a distribution over their weights and biases.
//
//	variational   independent Gaussians, trained by the reparameterisation trick
//	dropout       inputs of layers dropped at random
//	fit           shared by both: the log-likelihood of a minibatch under sampled networks
//	Model         a family.Model of variational or dropout, trained by Adam
//	joint         the log joint of the data and one network, sampled by Chains
//	dense         a layer that propagates independent Gaussians by their moments
//	propagation   probabilistic backpropagation, used by the family.Model Filter
package bnn

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/likelihood"
	"dgplab/models/predictive"
	"dgplab/models/stats"
	"dgplab/models/train"
)

const (
	// predictPoints is the number of points predicted at a time.
	predictPoints = 256
	// maxPredictors is the maximum number of recorded shapes.
	maxPredictors = 6
)

// networks is a distribution over networks that training adapts.
type networks interface {
	train.Problem
	noiseVariance() float64
	// sample draws the weights and masks of p. If shared is set, all points share the masks;
	// otherwise each point has its own.
	sample(p *predictor, stream *rand.Rand, shared bool)
	// hyper returns the learned quantities of the weights.
	hyper() []family.Quantity
	// training returns the training data, and moments returns the moments of the weights of each layer.
	training() family.Data
	moments() []weightMoments
	// export adds the posterior of the weights.
	export(out *family.Arrays)
}

// Model trains networks. It implements family.Model, family.Viewer and family.FunctionSampler.
type Model struct {
	*train.Model
	networks   networks
	likelihood likelihood.Likelihood
	predictors predictors
}

// predictors holds recorded networks for prediction, by the number of points at a time.
type predictors struct {
	sizes    []int
	masked   bool
	byPoints map[int]*predictor
}

func newPredictors(sizes []int, masked bool) predictors {
	return predictors{sizes: sizes, masked: masked, byPoints: map[int]*predictor{}}
}

// predictor is one network at b points, on a separate tape.
type predictor struct {
	tape  *autodiff.Tape
	b     int
	net   *autodiff.Perceptron
	masks []*autodiff.Node // by layer, or nil without dropout
	x     *autodiff.Node   // [1][D][b]
	out   *autodiff.Node   // [1][P][b]
}

// Predict implements family.Model. It returns a mixture with one component for each sampled
// network. With dropout, each point has its own masks.
func (m *Model) Predict(X *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	return m.predict(X, samples, m.drawing(stats.NewStreams(seed, "predict")))
}

// predict predicts with the networks set by draw.
func (m *Model) predict(X *mat.Dense, samples int, draw drawing) (predictive.Predictive, error) {
	out, err := m.functions(X, samples, draw)
	if err != nil {
		return nil, err
	}
	return m.likelihood.Observe(out, []float64{m.networks.noiseVariance()}), nil
}

// drawing sets network p to sample s for a window of the points.
type drawing func(s, window int, p *predictor)

// drawing returns a drawing that samples networks from streams.
func (m *Model) drawing(streams *stats.Streams) drawing {
	return func(s, window int, p *predictor) {
		if m.predictors.masked {
			m.networks.sample(p, streams.At(uint64(window)<<32|uint64(s)), false)
		} else if window == 0 {
			m.networks.sample(p, streams.At(uint64(s)), false)
		}
	}
}

// functions returns the noiseless functions of sampled networks at X.
func (m *Model) functions(X *mat.Dense, samples int, draw drawing) (*predictive.Gaussians, error) {
	out, err := m.predictors.functions(X, samples, draw)
	return out, m.WithStep(err)
}

// functions returns the noiseless functions of sampled networks at X.
func (m *predictors) functions(X *mat.Dense, samples int, draw drawing) (*predictive.Gaussians, error) {
	n, _ := X.Dims()
	p := m.at(min(n, predictPoints))
	weights := make([]float64, samples)
	for s := range weights {
		weights[s] = 1 / float64(samples)
	}
	out := predictive.NewGaussians(weights, n, p.out.Rows)
	for s := range samples {
		mean := out.Mean[s*n*out.P : (s+1)*n*out.P]
		for start := 0; start < n; start += p.b {
			draw(s, start/p.b, p)
			train.Window(p.x.Value, X, start)
			if err := p.tape.Forward(); err != nil {
				return nil, err
			}
			for b := range min(p.b, n-start) {
				for k := range out.P {
					mean[(start+b)*out.P+k] = p.out.Value[k*p.b+b]
				}
			}
		}
	}
	return out, nil
}

// at returns a recorded network for b points.
func (m *predictors) at(b int) *predictor {
	p := m.byPoints[b]
	if p == nil {
		if len(m.byPoints) >= maxPredictors {
			clear(m.byPoints)
		}
		t := autodiff.NewTape()
		p = &predictor{
			tape: t,
			b:    b,
			net:  autodiff.NewPerceptron(t, m.sizes, autodiff.ReLU),
			x:    t.Constant(1, m.sizes[0], b),
		}
		if m.masked {
			p.out, p.masks = recordMasked(t, p.net, p.x)
		} else {
			p.out = p.net.Record(t, p.x)
		}
		m.byPoints[b] = p
	}
	return p
}

// Hyper implements family.Model.
func (m *Model) Hyper() (list []family.Quantity) {
	if noise := m.networks.noiseVariance(); noise > 0 {
		list = append(list, family.Quantity{Name: noiseName, Value: []float64{noise}})
	}
	return append(list, m.networks.hyper()...)
}

// newModel returns a model that trains n by Adam.
func newModel(o family.Objective, c config, masked bool, n networks, rates train.Rates) (*Model, error) {
	m := &Model{networks: n, likelihood: c.likelihood, predictors: newPredictors(c.sizes, masked)}
	var err error
	m.Model, err = train.New(o, n, rates.Adam(n.Parameters().Size()))
	return m, err
}
