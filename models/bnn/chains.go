package bnn

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/likelihood"
	"dgplab/models/predictive"
	"dgplab/models/sampling"
)

// Chains samples networks. It implements family.Model.
type Chains struct {
	*sampling.Model
	joint      *joint // of the first chain
	likelihood likelihood.Likelihood
	predictors predictors
}

// newChains returns so many chains of networks, each with a problem, a start and draws of
// its own.
func newChains(o family.Objective, phases sampling.Phases, chains int, c config, priors variances, data family.Data, seed uint64,
	method func(j *joint, draws sampling.Draws) infer.Method) (*Chains, error) {
	m := &Chains{likelihood: c.likelihood, predictors: newPredictors(c.sizes, false)}
	var list []sampling.Chain
	for _, own := range sampling.Seeds(seed, chains) {
		j, err := newJoint(c, priors, data, own)
		if err != nil {
			return nil, err
		}
		if m.joint == nil {
			m.joint = j
		}
		list = append(list, sampling.Chain{Problem: j, Method: method(j, sampling.NewDraws(own))})
	}
	var err error
	m.Model, err = sampling.New(o, phases, list)
	return m, err
}

// Predict implements family.Model: a mixture with equal weights of the networks that were
// kept, evenly spaced ones where there are more than samples; while none is kept, of the
// present ones. Nothing is drawn.
func (m *Chains) Predict(X *mat.Dense, samples int, _ uint64) (predictive.Predictive, error) {
	networks := m.Averaged(samples)
	noises := make([]float64, len(networks))
	out, err := m.predictors.functions(X, len(networks), func(s, window int, p *predictor) {
		if window == 0 {
			_, noises[s] = m.joint.place(p, networks[s])
		}
	})
	if err != nil {
		return nil, m.At(err)
	}
	if m.joint.noise == nil {
		return predictive.Observed(out, m.likelihood, 0), nil
	}
	out.Noise = nil
	for _, noise := range noises {
		out.Noise = append(out.Noise, predictive.SharedNoise(noise, 1, out.P)...)
	}
	return out, nil
}

// Hyper implements family.Model: means over the networks that predictions average over.
func (m *Chains) Hyper() (list []family.Quantity) {
	networks := m.Averaged(hyperNetworks)
	share := 1 / float64(len(networks))
	p := m.predictors.at(1)
	var prior, noise float64
	weights := family.Quantity{Name: "weights", Value: make([]float64, len(p.net.W))}
	for _, free := range networks {
		ofPrior, ofNoise := m.joint.place(p, free)
		prior, noise = prior+share*ofPrior, noise+share*ofNoise
		for l, v := range rootMeanSquares("weights", p.net).Value {
			weights.Value[l] += share * v
		}
	}
	if m.joint.noise != nil {
		list = append(list, family.Quantity{Name: noiseName, Value: []float64{noise}})
	}
	return append(list, family.Quantity{Name: "prior.variance", Value: []float64{prior}}, weights)
}

// hyperNetworks is the most networks that Hyper looks at.
const hyperNetworks = 200
