package gibbs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"dgplab/models/param"
)

// position is a state of a chain.
type position struct {
	nugget []float64 // [1]
	// kernel holds the sampled values of the kernel of each function of each layer, from the inputs to
	// the targets: [L][D][values]. The last layer has one function.
	kernel [][][]float64
	// hidden holds the functions of the hidden layers at the training inputs, [L-1][D*n], function by
	// function.
	hidden [][]float64
}

// config describes the model and its data.
type config struct {
	x            []float64 // inputs in [0, 1]^d, [d][n]
	y            []float64 // standardised targets, [n]
	inputs       int       // d
	layers       int
	width        int             // D, the number of functions of a hidden layer
	correlations [][]correlation // of each function of each layer, [L][D]
	priors       priors
	sampleNugget bool
	followInputs bool // the prior mean of function i is input i of its layer, not 0
}

// n returns the number of training points.
func (c *config) n() int { return len(c.y) }

// below returns the inputs of a layer, [width][n], and their number.
func (c *config) below(p *position, layer int) (values []float64, width int) {
	if layer == 0 {
		return c.x, c.inputs
	}
	return p.hidden[layer-1], c.width
}

// function returns hidden function i of a layer, [n]. It aliases p.
func (c *config) function(p *position, layer, i int) []float64 {
	return p.hidden[layer][i*c.n() : (i+1)*c.n()]
}

// mean returns the prior mean of hidden function i of a layer with the given inputs, [width][points],
// or nil if it is 0.
func (c *config) mean(inputs []float64, points, i int) []float64 {
	if !c.followInputs {
		return nil
	}
	return inputs[i*points : (i+1)*points]
}

// centred returns a copy of values minus mean, which is nil if it is 0.
func centred(values, mean []float64) []float64 {
	out := slices.Clone(values)
	for i := range mean {
		out[i] -= mean[i]
	}
	return out
}

// functions returns the number of functions of a layer.
func (c *config) functions(layer int) int {
	if layer == c.layers-1 {
		return 1
	}
	return c.width
}

// simple reports whether all kernels of a layer have assembly.
func (c *config) simple(layer int) bool {
	return !slices.ContainsFunc(c.correlations[layer], func(of correlation) bool { return of.other != nil })
}

// values describes the sampled values of all functions of a layer, in order.
func (c *config) values(layer int) (list []value) {
	for _, of := range c.correlations[layer] {
		list = append(list, of.values...)
	}
	return list
}

// split divides the values of all functions of a layer by function. The result aliases them.
func (c *config) split(layer int, values []float64) (functions [][]float64) {
	for _, of := range c.correlations[layer] {
		n := len(of.values)
		functions = append(functions, values[:n:n])
		values = values[n:]
	}
	return functions
}

// joint is the log joint density of the targets, the hidden functions, the nugget and the kernels,
// without the constants of the likelihoods. Gibbs sweeps move its parameters. It implements
// train.Problem, but has no gradient.
type joint struct {
	config
	position
	set     *param.Set
	terms   [2]float64 // log-likelihood and log prior
	rescues int

	covariance, root []float64 // overwritten by each factorisation, [n][n]
	// kept are the factors of the functions of the first layer at current values of their kernels. Their
	// inputs do not change.
	kept []keptFactor
}

// keptFactor is the factor of the covariance of a function for given values of its kernel.
type keptFactor struct {
	known        bool
	values, root []float64
}

// startTheta returns the starting squared lengthscale of a layer in deepgp.
func startTheta(layer, layers int) float64 {
	if layer == layers-1 && layers > 1 {
		return 0.01
	}
	return 0.1
}

// newJoint returns a joint at the starting values of the kernels and with the hidden functions given by
// start.
func newJoint(c config, nugget float64, start []float64) (*joint, error) {
	n := c.n()
	j := &joint{config: c, covariance: make([]float64, n*n), root: make([]float64, n*n)}
	if c.layers > 1 {
		j.kept = make([]keptFactor, c.width)
		for i := range j.kept {
			j.kept[i].root = make([]float64, n*n)
		}
	}
	j.nugget = []float64{nugget}
	var list []*param.Parameter
	add := func(name string, value []float64, shape []int, t param.Transform) {
		list = append(list, &param.Parameter{Name: name, Value: value, Shape: shape, Transform: t})
	}
	add("nugget", j.nugget, []int{1}, param.Exponential{})
	for l := range c.layers {
		var values []float64
		for _, v := range c.values(l) {
			values = append(values, v.start)
		}
		j.kernel = append(j.kernel, c.split(l, values))
		if c.simple(l) {
			add(fmt.Sprintf("layer.%d.theta", l), values, []int{len(values)}, param.Exponential{})
		} else {
			add(fmt.Sprintf("layer.%d.kernel", l), values, []int{len(values)}, param.Identity{})
		}
	}
	for l := range c.layers - 1 {
		hidden := slices.Clone(start)
		j.hidden = append(j.hidden, hidden)
		add(fmt.Sprintf("layer.%d.functions", l), hidden, []int{c.width, c.n()}, param.Identity{})
	}
	var err error
	j.set, err = param.NewSet(list...)
	return j, err
}

// disperse draws the nugget, if it is sampled, and the values of all kernels from their priors.
func (j *joint) disperse(r *rand.Rand) error {
	if j.sampleNugget {
		j.nugget[0] = j.priors.nugget.Draw(r)
	}
	for l, functions := range j.kernel {
		for i, values := range functions {
			for k, v := range j.correlations[l][i].values {
				values[k] = v.prior.Draw(r)
			}
		}
	}
	return j.set.Inverse()
}

// at returns the position with the given free parameters.
func (j *joint) at(free []float64) *position {
	p := &position{}
	for k, of := range j.set.Params() {
		from, to := j.set.Range(k)
		values := make([]float64, len(of.Value))
		of.Transform.Forward(values, free[from:to])
		switch {
		case k == 0:
			p.nugget = values
		case k <= j.layers:
			p.kernel = append(p.kernel, j.split(k-1, values))
		default:
			p.hidden = append(p.hidden, values)
		}
	}
	return p
}

// outer returns the log-likelihood of the targets given the inputs of the last layer.
func (j *joint) outer(inputs []float64, width int, values []float64, nugget float64) (float64, error) {
	correlation := j.correlations[j.layers-1][0]
	rescues, err := correlation.factor(j.root, j.covariance, inputs, width, values, nugget, placeOuter)
	j.rescues += rescues
	if err != nil {
		return 0, err
	}
	return outerLogLik(j.root, slices.Clone(j.y)), nil
}

// current returns the log-likelihood of the targets at the current position.
func (j *joint) current() (float64, error) {
	last := j.layers - 1
	inputs, width := j.below(&j.position, last)
	return j.outer(inputs, width, j.kernel[last][0], j.nugget[0])
}

// inner returns the log density of hidden function i of a layer for the given inputs of the layer and
// values of its kernel.
func (j *joint) inner(layer, i int, inputs []float64, width int, values []float64) (float64, error) {
	root, err := j.innerFactor(layer, i, inputs, width, values)
	if err != nil {
		return 0, err
	}
	f := j.function(&j.position, layer, i)
	return innerLogLik(root, centred(f, j.mean(inputs, j.n(), i))), nil
}

// innerFactor returns the factor of the covariance of hidden function i of a layer. It is j.root, or a kept
// factor if the function is in the first layer and values are the current ones.
func (j *joint) innerFactor(
	layer, i int, inputs []float64, width int, values []float64,
) (root []float64, err error) {
	if layer == 0 && j.kept[i].known && slices.Equal(values, j.kept[i].values) {
		return j.kept[i].root, nil
	}
	correlation := j.correlations[layer][i]
	rescues, err := correlation.factor(j.root, j.covariance, inputs, width, values, jitter, placeInner)
	j.rescues += rescues
	if err != nil || layer > 0 || !slices.Equal(values, j.kernel[0][i]) {
		return j.root, err
	}
	kept := &j.kept[i]
	kept.known, kept.values = true, append(kept.values[:0], values...)
	kept.root, j.root = j.root, kept.root
	return kept.root, nil
}

// above returns the log density of the layer above a hidden layer with the given functions,
// [width][n]: of the targets, or of the functions of the next hidden layer.
func (j *joint) above(layer int, functions []float64) (sum float64, err error) {
	next := layer + 1
	if next == j.layers-1 {
		return j.outer(functions, j.width, j.kernel[next][0], j.nugget[0])
	}
	for i := range j.width {
		value, err := j.inner(next, i, functions, j.width, j.kernel[next][i])
		if err != nil {
			return 0, err
		}
		sum += value
	}
	return sum, nil
}

// logPriors returns the log densities of the nugget, if it is sampled, and of the values of the kernels.
func (j *joint) logPriors() (sum float64) {
	if j.sampleNugget {
		sum = j.priors.nugget.LogDensity(j.nugget[0])
	}
	for l, functions := range j.kernel {
		for i, values := range functions {
			for k, v := range j.correlations[l][i].values {
				sum += v.prior.LogDensity(values[k])
			}
		}
	}
	return sum
}

// Parameters implements infer.Problem.
func (j *joint) Parameters() *param.Set { return j.set }

// Draw implements infer.Problem. It does nothing: the sweep draws the random numbers of a step.
func (j *joint) Draw(uint64) {}

// Evaluate implements infer.Problem. It returns an error if dFree is not nil.
func (j *joint) Evaluate(dFree []float64) (float64, error) {
	if dFree != nil {
		return 0, errors.New("the joint density of a Gibbs sampler has no gradient")
	}
	logLik, err := j.current()
	if err != nil {
		return 0, err
	}
	prior := j.logPriors()
	for l := range j.layers - 1 {
		inputs, width := j.below(&j.position, l)
		for i := range j.width {
			value, err := j.inner(l, i, inputs, width, j.kernel[l][i])
			if err != nil {
				return 0, err
			}
			prior += value
		}
	}
	j.terms = [2]float64{logLik, prior}
	return logLik + prior, nil
}

// Terms implements train.Problem: the log-likelihood and the log prior.
func (j *joint) Terms() []float64 { return j.terms[:] }

// Rescues implements train.Problem.
func (j *joint) Rescues() int { return j.rescues }

// State implements train.Problem.
func (j *joint) State() []param.Array { return nil }
