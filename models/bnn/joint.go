package bnn

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/network"
	"dgplab/models/param"
	"dgplab/models/random"
)

// joint is the log joint density of the data and one network, all constants included,
//
//	(N/B) sum_b log p(y_b | f(x_b; w)) + log N(w | 0, prior variance) + log p(variances),
//
// over the free parameters: densities of what has a transform are those of its free
// number.
type joint struct {
	fit
	net   *network.Perceptron
	prior *autodiff.Node // variance of weights and biases, [1][1][1]
	whole bool           // there is one minibatch, of all points
}

// inverseGamma is the density b^a/Gamma(a) x^(-a-1) exp(-b/x) of a variance x.
type inverseGamma struct{ shape, rate float64 }

// record records minus the log density of log x.
func (g inverseGamma) record(t *autodiff.Tape, x *autodiff.Node) *autodiff.Node {
	normaliser, _ := math.Lgamma(g.shape)
	normaliser -= g.shape * math.Log(g.rate)
	return t.AddScalar(t.Add(t.Scale(t.Log(x), g.shape), t.Scale(t.Reciprocal(x), g.rate)), normaliser)
}

// softplusNormal is the density N(k | 0, variance) of what a variance is the softplus of.
type softplusNormal struct{ variance float64 }

// record records minus the log density of k, x = log(1 + exp(k)).
func (n softplusNormal) record(t *autodiff.Tape, x *autodiff.Node) *autodiff.Node {
	k := t.Log(t.AddScalar(t.Exp(x), -1))
	return t.AddScalar(t.Scale(t.Square(k), 0.5/n.variance), 0.5*math.Log(2*math.Pi*n.variance))
}

// variances are the priors of the variances of a joint; nil of those that are fixed.
type variances struct {
	weights *inverseGamma
	// noise is that of what the transform of the noise makes it of.
	noise interface {
		record(t *autodiff.Tape, x *autodiff.Node) *autodiff.Node
	}
}

// newJoint returns the log joint of data. Weights start as those of PyTorch's layers.
func newJoint(c config, priors variances, data family.Data, seed uint64) (*joint, error) {
	n, _ := data.X.Dims()
	j := &joint{fit: newFit(c, data, seed), whole: c.batch == n}
	t := j.tape
	j.net = network.New(t, c.sizes, network.ReLU)
	j.net.Start(random.Stream(seed, "start", 0))
	j.prior = t.Constant(1, 1, 1)
	if priors.weights != nil {
		j.prior = t.Variable(1, 1, 1)
	}
	j.prior.Value[0] = c.priorVariance
	penalty := j.weights()
	j.addWeights("", j.net, param.Identity{})
	if priors.weights != nil {
		j.Add(priorName, j.prior, param.Exponential{})
		penalty = t.Add(penalty, priors.weights.record(t, j.prior))
	}
	if j.noise != nil && priors.noise != nil {
		penalty = t.Add(penalty, priors.noise.record(t, j.noise))
	}
	if j.whole {
		j.everything()
	}
	return j, j.finish(j.net.Record(t, j.x), penalty)
}

// weights records minus log N(w | 0, prior variance).
func (j *joint) weights() *autodiff.Node {
	t := j.tape
	var squares *autodiff.Node
	j.net.Each(func(_ string, n *autodiff.Node) {
		of := t.Sum(t.Square(n))
		if squares != nil {
			of = t.Add(squares, of)
		}
		squares = of
	})
	half := 0.5 * float64(network.Numbers(j.sizes))
	quadratic := t.Scale(t.Mul(squares, t.Reciprocal(j.prior)), 0.5)
	return t.AddScalar(t.Add(quadratic, t.Scale(t.Log(j.prior), half)), half*math.Log(2*math.Pi))
}

// Draw implements infer.Problem: the minibatch.
func (j *joint) Draw(step uint64) {
	if !j.whole {
		j.drawRows(step)
	}
}

// Terms implements train.Problem: log-likelihood and log prior.
func (j *joint) Terms() []float64 {
	j.terms[1] = -j.penalty.Value[0]
	return j.terms[:]
}

// place sets the weights of p to those of free parameters, and returns the variances of
// the prior and of the noise, 0 for classes.
func (j *joint) place(p *predictor, free []float64) (prior, noise float64) {
	prior, noise = j.prior.Value[0], j.noiseVariance()
	var into [][]float64
	p.net.Each(func(_ string, n *autodiff.Node) { into = append(into, n.Value) })
	for k, of := range j.Set.Params() {
		from, to := j.Set.Range(k)
		var one [1]float64
		switch {
		case k < len(into):
			of.Transform.Forward(into[k], free[from:to])
		case of.Name == noiseName:
			of.Transform.Forward(one[:], free[from:to])
			noise = one[0]
		default:
			of.Transform.Forward(one[:], free[from:to])
			prior = one[0]
		}
	}
	return prior, noise
}
