package bnn

import (
	"math"
	"math/rand/v2"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/param"
	"dgplab/models/stats"
)

// variational is the evidence lower bound of networks with independent Gaussian weights and biases,
//
//	(N/B) (1/S) sum_s sum_b log p(y_b | f(x_b; mean + sd eps_s)) - KL(N(mean, sd^2) | N(0, prior variance)),
//
// with S joint draws of all weights that the points of a minibatch share (Kingma, Welling,
// "Auto-Encoding Variational Bayes", 2014, arXiv:1312.6114, section 2.4; VI(KW) in Bui et al. 2016,
// section 8.1).
type variational struct {
	fit
	mean, sd *autodiff.Perceptron
	eps      []*autodiff.Node // in the order of Perceptron.Each, [S][rows][cols]
	draws    *stats.Streams
	// functions are the outputs of the sampled networks, [S][P][B].
	functions *autodiff.Node
}

// newVariational returns the bound for data. Means are initialised like the weights of linear
// layers in PyTorch.
func newVariational(c config, data family.Data, seed uint64) (*variational, error) {
	v := &variational{fit: newFit(c, data, seed), draws: stats.NewStreams(seed, "weights")}
	t := v.tape
	v.mean = autodiff.NewPerceptron(t, c.sizes, autodiff.ReLU)
	v.sd = autodiff.NewPerceptron(t, c.sizes, autodiff.ReLU)
	v.mean.Start(stats.Stream(seed, "start", 0))
	v.sd.Each(func(_ string, n *autodiff.Node) {
		for i := range n.Value {
			n.Value[i] = c.spread
		}
	})
	sampled := &autodiff.Perceptron{Slope: autodiff.ReLU}
	for l := range v.mean.W {
		sampled.W = append(sampled.W, v.record(v.mean.W[l], v.sd.W[l]))
		sampled.B = append(sampled.B, v.record(v.mean.B[l], v.sd.B[l]))
	}
	v.functions = sampled.Record(t, v.x)
	v.addWeights("mean.", v.mean, param.Identity{})
	v.addWeights("sd.", v.sd, param.Exponential{})
	return v, v.finish(sideBySide(t, v.functions), v.divergence())
}

// record records S draws from Gaussians, [S][rows][cols].
func (v *variational) record(mean, sd *autodiff.Node) *autodiff.Node {
	eps := v.tape.Constant(v.samples, mean.Rows, mean.Cols)
	v.eps = append(v.eps, eps)
	return v.tape.Add(mean, v.tape.Mul(sd, eps))
}

// divergence records KL(q | p), the sum over weights and biases of
//
//	1/2 ((mean^2 + sd^2)/prior variance - 1 + log prior variance) - log sd.
func (v *variational) divergence() (kl *autodiff.Node) {
	t := v.tape
	add := func(n *autodiff.Node) {
		if kl != nil {
			n = t.Add(kl, n)
		}
		kl = n
	}
	v.mean.Each(func(_ string, n *autodiff.Node) { add(t.Scale(t.Sum(t.Square(n)), 0.5/v.priorVariance)) })
	v.sd.Each(func(_ string, n *autodiff.Node) {
		add(t.Scale(t.Sum(t.Square(n)), 0.5/v.priorVariance))
		add(t.Scale(t.Sum(t.Log(n)), -1))
	})
	return t.AddScalar(kl, 0.5*float64(autodiff.NumWeights(v.sizes))*(math.Log(v.priorVariance)-1))
}

// sideBySide returns functions [S][P][B] as [1][P][S*B].
func sideBySide(t *autodiff.Tape, f *autodiff.Node) *autodiff.Node {
	if f.Batch == 1 || f.Rows == 1 {
		return t.Reshape(f, 1, f.Rows, f.Batch*f.Cols)
	}
	var parts []*autodiff.Node
	for s := range f.Batch {
		parts = append(parts, t.SliceBatch(f, s, s+1))
	}
	return t.StackCols(parts...)
}

// Draw implements infer.Problem. It draws the minibatch and the weights.
func (v *variational) Draw(step uint64) {
	v.drawRows(step)
	stream := v.draws.At(step)
	for _, eps := range v.eps {
		stats.Normals(eps.Value, stream)
	}
}

// Window implements train.WindowedProblem.
func (v *variational) Window(start, end int, draws *rand.Rand) (sum, remainder float64, err error) {
	for _, eps := range v.eps {
		stats.Normals(eps.Value, draws)
	}
	return v.window(start, end)
}

// sample implements networks. It draws mean + sd eps for each weight.
func (v *variational) sample(p *predictor, stream *rand.Rand, _ bool) {
	for l, w := range p.net.W {
		perturb(w.Value, v.mean.W[l].Value, v.sd.W[l].Value, stream)
		perturb(p.net.B[l].Value, v.mean.B[l].Value, v.sd.B[l].Value, stream)
	}
}

// perturb sets dst to draws of Gaussians.
func perturb(dst, mean, sd []float64, stream *rand.Rand) {
	for i, m := range mean {
		dst[i] = m + sd[i]*stream.NormFloat64()
	}
}

// hyper implements networks.
func (v *variational) hyper() []family.Quantity {
	return []family.Quantity{rootMeanSquares("weights.mean", v.mean), rootMeanSquares("weights.sd", v.sd)}
}
