package bnn

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/param"
	"dgplab/models/stats"
)

// joint is the log joint density of the data and one network, including all constants,
//
//	(N/B) sum_b log p(y_b | f(x_b; w)) + log N(w | 0, prior variance) + log p(variances),
//
// over the free parameters: the density of a transformed parameter is the density of its free
// value.
type joint struct {
	fit
	net   *autodiff.Perceptron
	prior *autodiff.Node // variance of weights and biases, [1][1][1]
	whole bool           // the minibatch contains all points
}

// inverseGamma is the density b^a/Gamma(a) x^(-a-1) exp(-b/x) of a variance x.
type inverseGamma struct{ shape, rate float64 }

// record records the negative log density of log x.
func (g inverseGamma) record(t *autodiff.Tape, x *autodiff.Node) *autodiff.Node {
	normaliser, _ := math.Lgamma(g.shape)
	normaliser -= g.shape * math.Log(g.rate)
	return t.AddScalar(t.Add(t.Scale(t.Log(x), g.shape), t.Scale(t.Reciprocal(x), g.rate)), normaliser)
}

// softplusNormal is the density N(k | 0, variance) of the inverse softplus k of a variance.
type softplusNormal struct{ variance float64 }

// record records the negative log density of k, where x = log(1 + exp(k)).
func (n softplusNormal) record(t *autodiff.Tape, x *autodiff.Node) *autodiff.Node {
	k := t.Log(t.AddScalar(t.Exp(x), -1))
	return t.AddScalar(t.Scale(t.Square(k), 0.5/n.variance), 0.5*math.Log(2*math.Pi*n.variance))
}

// variances holds the priors of the variances of a joint. The prior of a fixed variance is nil.
type variances struct {
	weights *inverseGamma
	// noise is the prior density of the free parameter of the noise.
	noise interface {
		record(t *autodiff.Tape, x *autodiff.Node) *autodiff.Node
	}
}

// newJoint returns the log joint for data. Weights are initialised like the linear layers of
// PyTorch.
func newJoint(c config, priors variances, data family.Data, seed uint64) (*joint, error) {
	n, _ := data.X.Dims()
	j := &joint{fit: newFit(c, data, seed), whole: c.batch == n}
	t := j.tape
	j.net = autodiff.NewPerceptron(t, c.sizes, autodiff.ReLU)
	j.net.Start(stats.Stream(seed, "start", 0))
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

// weights records -log N(w | 0, prior variance).
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
	half := 0.5 * float64(autodiff.NumWeights(j.sizes))
	quadratic := t.Scale(t.Mul(squares, t.Reciprocal(j.prior)), 0.5)
	return t.AddScalar(t.Add(quadratic, t.Scale(t.Log(j.prior), half)), half*math.Log(2*math.Pi))
}

// Draw implements infer.Problem. It draws the minibatch.
func (j *joint) Draw(step uint64) {
	if !j.whole {
		j.drawRows(step)
	}
}

// Terms implements train.Problem. It returns the log-likelihood and the log prior.
func (j *joint) Terms() []float64 {
	j.terms[1] = -j.penalty.Value[0]
	return j.terms[:]
}

// set sets the weights of p from free parameters and returns the prior variance and the noise
// variance, which is 0 for classes.
func (j *joint) set(p *predictor, free []float64) (prior, noise float64) {
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
