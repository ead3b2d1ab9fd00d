package bnn

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/predictive"
	"dgplab/models/stats"
	"dgplab/models/view"
)

// viewSamples is the number of networks over which functions in views are averaged.
const viewSamples = 64

// weightMoments holds the posterior means and standard deviations of the weights, [units][inputs],
// and biases, [units], of a layer.
type weightMoments struct {
	mean, sd, biasMean, biasSD []float64
}

// inputs returns the number of inputs of the layer.
func (l weightMoments) inputs() int { return len(l.mean) / len(l.biasMean) }

// latent is a function that returns the noiseless functions at points, [n, D], as a mixture of
// Gaussians.
type latent func(points *mat.Dense) (*predictive.Gaussians, error)

// views returns the views of networks: the distribution of their weights, and their functions along
// the columns of the training data in the order of decreasing weights.
func views(data family.Data, layers []weightMoments, f latent) (out view.Views, err error) {
	out.Weights = &view.Weights{}
	for _, l := range layers {
		out.Weights.Layers = append(out.Weights.Layers,
			view.WeightLayer{Inputs: l.inputs(), Units: len(l.biasMean),
				Weights: view.NewWeightsSpread(l.mean, l.sd),
				Biases:  view.NewWeightsSpread(l.biasMean, l.biasSD)})
	}
	out.Functions, err = functionsAlong(data.Lines(layers[0].lengthscales()), f)
	return out, err
}

// lengthscales returns a lengthscale for each input: the reciprocal of the root mean square of its
// weights in the first layer.
func (l weightMoments) lengthscales() []float64 {
	list := make([]float64, l.inputs())
	for i, m := range l.mean {
		list[i%len(list)] += m*m + l.sd[i]*l.sd[i]
	}
	for d, squares := range list {
		list[d] = math.Sqrt(float64(len(l.biasMean)) / squares)
	}
	return list
}

// functionsAlong returns the mean and standard deviation of each output along lines.
func functionsAlong(lines []view.Line, f latent) (*view.Functions, error) {
	var list []view.Functions
	for _, line := range lines {
		n := len(line.Grid)
		g, err := f(mat.NewDense(n, len(line.Points)/n, line.Points))
		if err != nil {
			return nil, err
		}
		g.Noise = predictive.SharedNoise(0, g.S, g.P)
		mean := make([]float64, n*g.P)
		vr := make([]float64, n*g.P)
		g.Moments(mean, vr)
		list = append(list, *line.Functions(mean, vr))
	}
	list[0].Others = list[1:]
	return &list[0], nil
}

// Views implements family.Viewer.
func (m *Model) Views(seed uint64) (view.Views, error) {
	draw := m.drawing(stats.NewStreams(seed, "views"))
	v, err := views(m.networks.training(), m.networks.moments(),
		func(points *mat.Dense) (*predictive.Gaussians, error) {
			return m.functions(points, viewSamples, draw)
		})
	return v, m.WithStep(err)
}

// moments implements networks.
func (v *variational) moments() (list []weightMoments) {
	for l := range v.mean.W {
		list = append(list, weightMoments{v.mean.W[l].Value, v.sd.W[l].Value,
			v.mean.B[l].Value, v.sd.B[l].Value})
	}
	return list
}

// moments implements networks. A weight is W if its input is kept and 0 otherwise; biases are
// deterministic.
func (d *dropout) moments() (list []weightMoments) {
	for l, w := range d.net.W {
		m := weightMoments{biasMean: d.net.B[l].Value, biasSD: make([]float64, d.net.B[l].Len())}
		for _, value := range w.Value {
			m.mean = append(m.mean, d.keep*value)
			m.sd = append(m.sd, math.Abs(value)*math.Sqrt(d.keep*(1-d.keep)))
		}
		list = append(list, m)
	}
	return list
}

// Views implements family.Viewer. The moments of functions are propagated, not sampled.
func (m *Filter) Views(uint64) (view.Views, error) {
	v, err := views(m.p.data, m.p.moments(), func(points *mat.Dense) (*predictive.Gaussians, error) {
		return m.functions(points), nil
	})
	return v, m.WithStep(err)
}

// moments returns the moments of the scaled weights, which multiply the inputs of a layer.
func (p *propagation) moments() (list []weightMoments) {
	for _, d := range p.layers {
		var l weightMoments
		inputs := len(d.inMean)
		scale := 1 / math.Sqrt(float64(inputs))
		for i, mean := range d.mean {
			mean, sd := scale*mean, scale*math.Sqrt(d.vr[i])
			if i%inputs == inputs-1 { // the weight of the constant
				l.biasMean = append(l.biasMean, mean)
				l.biasSD = append(l.biasSD, sd)
			} else {
				l.mean = append(l.mean, mean)
				l.sd = append(l.sd, sd)
			}
		}
		list = append(list, l)
	}
	return list
}
