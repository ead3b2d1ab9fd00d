package bnn

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/predictive"
	"dgplab/models/stats"
)

// DrawFunctions implements family.FunctionSampler. With dropout, a network is one draw of the
// masks, shared by all points: the masked weights are draws from the approximate posterior of the
// weights (Gal, Ghahramani 2016, section 3). Predictions draw separate masks for each point and
// have the same marginal moments.
func (m *Model) DrawFunctions(X *mat.Dense, count int, seed uint64) ([][][]float64, error) {
	streams := stats.NewStreams(seed, "functions")
	out, err := m.functions(X, count, func(s, window int, p *predictor) {
		if window == 0 {
			m.networks.sample(p, streams.At(uint64(s)), true)
		}
	})
	if err != nil {
		return nil, err
	}
	return functionsOf(out), nil
}

// DrawFunctions implements family.FunctionSampler. It returns the functions of kept networks.
func (m *Chains) DrawFunctions(X *mat.Dense, count int, _ uint64) ([][][]float64, error) {
	out, _, err := m.functions(X, count)
	if err != nil {
		return nil, err
	}
	return functionsOf(out), nil
}

// DrawFunctions implements family.FunctionSampler. It draws the weights from their Gaussians
// (Hernández-Lobato, Adams 2015, section 3.1). Predictions approximate the inputs of layers above
// the first hidden one by Gaussians, so with several hidden layers the moments of predictions and
// draws differ slightly.
func (m *Filter) DrawFunctions(X *mat.Dense, count int, seed uint64) ([][][]float64, error) {
	streams := stats.NewStreams(seed, "functions")
	n, _ := X.Dims()
	var list [][][]float64
	for c := range count {
		weights := m.p.sample(streams.At(uint64(c)))
		f := make([]float64, n)
		for i := range f {
			f[i] = m.p.through(weights, X.RawRowView(i))
		}
		list = append(list, [][]float64{f})
	}
	return list, nil
}

// sample draws the weights of each layer, [outputs][inputs].
func (p *propagation) sample(stream *rand.Rand) (weights [][]float64) {
	for _, d := range p.layers {
		w := make([]float64, len(d.mean))
		for i, mean := range d.mean {
			w[i] = mean + math.Sqrt(d.vr[i])*stream.NormFloat64()
		}
		weights = append(weights, w)
	}
	return weights
}

// through returns the output at x of the network with the given weights.
func (p *propagation) through(weights [][]float64, x []float64) float64 {
	var out []float64
	for l, d := range p.layers {
		in := append(append([]float64(nil), x...), 1)
		out = make([]float64, d.outputs)
		for o := range out {
			for i, w := range d.row(weights[l], o) {
				out[o] += w * in[i]
			}
			out[o] /= math.Sqrt(float64(len(in)))
		}
		x = make([]float64, len(out))
		for o, v := range out {
			x[o] = max(0, v)
		}
	}
	return out[0]
}

// functionsOf returns the functions in a mixture of networks, [S][P][N].
func functionsOf(g *predictive.Gaussians) (list [][][]float64) {
	for s := range g.S {
		draw := make([][]float64, g.P)
		for k, v := range g.Mean[s*g.N*g.P : (s+1)*g.N*g.P] {
			draw[k%g.P] = append(draw[k%g.P], v)
		}
		list = append(list, draw)
	}
	return list
}
