package bnn

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/likelihood"
	"dgplab/models/predictive"
	"dgplab/models/sampling"
	"dgplab/models/view"
)

// Chains samples networks by Markov chains. It implements family.Model and family.Viewer.
type Chains struct {
	*sampling.Model
	joint      *joint // joint of the first chain
	likelihood likelihood.Likelihood
	predictors predictors
}

// newChains returns the given number of chains, each with its own problem, initial network and
// random draws.
func newChains(
	o family.Objective, phases sampling.Phases, chains int, c config, priors variances,
	data family.Data, seed uint64, method func(j *joint, draws sampling.Draws) infer.Method,
) (*Chains, error) {
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

// Predict implements family.Model. It returns an equally weighted mixture of at most the given
// number of kept networks, evenly spaced. If no network has been kept yet, it uses the current
// networks. It draws no random numbers.
func (m *Chains) Predict(X *mat.Dense, samples int, _ uint64) (predictive.Predictive, error) {
	out, noises, err := m.functions(X, samples)
	if err != nil {
		return nil, err
	}
	return m.likelihood.Observe(out, noises), nil
}

// functions returns the noiseless functions and the noise variances of the networks for
// predictions.
func (m *Chains) functions(X *mat.Dense, most int) (*predictive.Gaussians, []float64, error) {
	networks := m.PredictionSamples(most)
	noises := make([]float64, len(networks))
	out, err := m.predictors.functions(X, len(networks), func(s, window int, p *predictor) {
		if window == 0 {
			_, noises[s] = m.joint.set(p, networks[s])
		}
	})
	return out, noises, m.WithStep(err)
}

// maxViewNetworks is the maximum number of networks over which Hyper and Views average.
const maxViewNetworks = 200

// Hyper implements family.Model. It returns means over the networks for predictions.
func (m *Chains) Hyper() (list []family.Quantity) {
	networks := m.PredictionSamples(maxViewNetworks)
	share := 1 / float64(len(networks))
	p := m.predictors.at(1)
	var prior, noise float64
	weights := family.Quantity{Name: "weights", Value: make([]float64, len(p.net.W))}
	for _, free := range networks {
		ofPrior, ofNoise := m.joint.set(p, free)
		prior, noise = prior+share*ofPrior, noise+share*ofNoise
		for l, v := range rootMeanSquares("weights", p.net).Value {
			weights.Value[l] += share * v
		}
	}
	if m.joint.noise != nil {
		list = append(list, family.Quantity{Name: noiseName, Value: []float64{noise}})
	}
	return append(list, family.Quantity{Name: priorName, Value: []float64{prior}}, weights)
}

// Views implements family.Viewer. It draws no random numbers.
func (m *Chains) Views(uint64) (view.Views, error) {
	v, err := views(m.joint.data, m.moments(), func(points *mat.Dense) (*predictive.Gaussians, error) {
		out, _, err := m.functions(points, maxViewNetworks)
		return out, err
	})
	if err != nil {
		return v, err
	}
	v.Chains, err = m.chains()
	return v, err
}

// moments returns the moments of the weights over the networks for predictions.
func (m *Chains) moments() (list []weightMoments) {
	networks := m.PredictionSamples(maxViewNetworks)
	p := m.predictors.at(1)
	for _, w := range p.net.W {
		list = append(list, weightMoments{
			mean: make([]float64, w.Len()), sd: make([]float64, w.Len()),
			biasMean: make([]float64, w.Rows), biasSD: make([]float64, w.Rows),
		})
	}
	for s, free := range networks {
		m.joint.set(p, free)
		for l, of := range list {
			observe(of.mean, of.sd, p.net.W[l].Value, s)
			observe(of.biasMean, of.biasSD, p.net.B[l].Value, s)
		}
	}
	for _, of := range list {
		spread(of.sd, len(networks))
		spread(of.biasSD, len(networks))
	}
	return list
}

// observe updates running means and sums of squared deviations with sample s, counted from 0
// (Welford, "Note on a Method for Calculating Corrected Sums of Squares and Products", 1962).
func observe(mean, squares, values []float64, s int) {
	for i, v := range values {
		off := v - mean[i]
		mean[i] += off / float64(s+1)
		squares[i] += off * (v - mean[i])
	}
}

// spread converts sums of squared deviations of n values to standard deviations.
func spread(squares []float64, n int) {
	for i, v := range squares {
		squares[i] = math.Sqrt(v / float64(n))
	}
}
