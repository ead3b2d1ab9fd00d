// Package ep implements deep Gaussian processes by approximate expectation propagation: FITC layers
// with noise, one tied Gaussian factor per GP, and a Gaussian that is moment-matched layer by
// layer.
//
//	gp, state     a sparse GP with its factor: the cavity and the posterior
//	stack, pass   the layers, and the propagation of Gaussians through them
//	energy        the objective on a minibatch
//	problem       the energy on the minibatches of a data set
//	Model         a problem with its method: a family.Model
//
// Package kernel computes the expectations of kernels. Formulas and letters follow Bui,
// Hernandez-Lobato, Li, Hernandez-Lobato, Turner, "Deep Gaussian Processes for Regression using
// Approximate Expectation Propagation", ICML 2016, arXiv:1602.04133.
package ep

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/deep"
	"dgplab/models/family"
	"dgplab/models/inducing"
	"dgplab/models/infer"
	"dgplab/models/likelihood"
	"dgplab/models/param"
	"dgplab/models/train"
)

// Model trains a deep GP. It implements family.Model and family.Annotator.
type Model struct {
	*train.Model
	problem *problem
	method  *stochastic // nil if the energy is maximised directly
	notes   []string

	predictTape *autodiff.Tape // records the posterior moments for predictions
	predictors  map[int]*predictor
}

// config holds the settings of a model.
type config struct {
	deep.Shape
	starter
	correlated           bool
	jitter               float64
	layerNoise, outNoise float64
	batch                int
	likelihood           likelihood.Likelihood
}

// read returns the configuration given by the values for data.
func read(v family.Values, data family.Data, seed uint64) (c config, err error) {
	n, d := data.X.Dims()
	c.outNoise = v.Float("noise_variance")
	c.likelihood, err = data.Likelihood(v, c.outNoise)
	if err != nil {
		return c, err
	}
	_, targets := data.Y.Dims()
	c.Shape, err = deep.ReadShape(v, d, targets*c.likelihood.Latents(), n)
	if err != nil {
		return c, err
	}
	c.starter = starter{x: data.X, seed: seed, lengthscales: c.Lengthscales, variances: c.Variances,
		linear: v.Text("start") == "linear", spread: v.Float("start_spread")}
	c.correlated = c.noisy() && v.Text("output_cov") == "full"
	c.jitter = v.Float("jitter")
	c.layerNoise = v.Float("layer_noise")
	c.batch = min(v.Int("batch"), n)
	return c, nil
}

// noisy reports whether the outputs have noise, which is Gaussian. Classes have none.
func (c *config) noisy() bool { return len(c.likelihood.Parameters()) > 0 }

// stack records the layers of a configuration with initial kernels and inducing inputs but without
// factors.
func (c *config) stack(n int) *stack {
	s := &stack{tape: autodiff.NewTape(), inputs: c.Inputs[0], correlated: c.correlated, jitter: c.jitter}
	for l, width := range c.Widths {
		current := &layer{}
		for k := range width {
			g := newGP(s.tape, fmt.Sprintf("GP %d of layer %d", k+1, l+1), n,
				c.Inducing[l], c.Inputs[l], c.jitter)
			c.initialise(l, k, g)
			current.gps = append(current.gps, g)
		}
		if last := l == len(c.Widths)-1; !last || c.noisy() {
			current.noise = s.tape.Variable(1, 1, 1)
			current.noise.Value[0] = c.layerNoise
			if last {
				current.noise.Value[0] = c.outNoise
			}
		}
		s.layers = append(s.layers, current)
	}
	return s
}

// hiddenMeans returns the outputs of hidden layer l at its inducing inputs, [T][M], if the layer
// starts as a linear map, and nil otherwise.
func (c *config) hiddenMeans(s *stack, l int) [][]float64 {
	if !c.linear || l == len(s.layers)-1 {
		return nil
	}
	gps := s.layers[l].gps
	d := c.Inputs[l]
	w := mat.NewDense(d, len(gps), nil)
	scale := make([]float64, len(gps))
	for k := range gps {
		w.Set(k%d, k, 1)
		scale[k] = 1
	}
	if l == 0 {
		w = inducing.LinearMap(c.x, len(gps))
		c.scales(scale, w)
	}
	means := make([][]float64, len(gps))
	for k, g := range gps {
		means[k] = make([]float64, g.inducing)
		for m := range means[k] {
			for i, z := range g.Z.Value[m*d : (m+1)*d] {
				means[k][m] += scale[k] * w.At(i, k) * z
			}
		}
	}
	return means
}

// scales sets scale to the factors by which the columns of x w are multiplied to make their root
// mean square linearSD.
func (c *config) scales(scale []float64, w *mat.Dense) {
	var f mat.Dense
	f.Mul(c.x, w)
	n, _ := f.Dims()
	for k := range scale {
		var squares float64
		for i := range n {
			squares += f.At(i, k) * f.At(i, k)
		}
		if squares > 0 {
			scale[k] = linearSD / math.Sqrt(squares/float64(n))
		}
	}
}

// builder holds a stack while a model is built.
type builder struct {
	config
	*stack
	n, p int
	data family.Data
}

// newBuilder returns the builder for data, with initial priors.
func newBuilder(v family.Values, data family.Data, seed uint64) (*builder, error) {
	c, err := read(v, data, seed)
	if err != nil {
		return nil, err
	}
	b := &builder{config: c, data: data}
	b.n, _ = data.X.Dims()
	_, b.p = data.Y.Dims()
	b.stack = b.config.stack(b.n)
	return b, b.tape.Forward() // initial factors are relative to the priors
}

// eachStart calls visit for each GP. mean holds the initial means of its inducing outputs if the
// layer starts as a linear map, and is nil otherwise.
func (b *builder) eachStart(visit func(l, k int, g *gp, mean []float64)) {
	for l, current := range b.layers {
		means := b.hiddenMeans(b.stack, l)
		for k, g := range current.gps {
			var mean []float64
			if means != nil {
				mean = means[k]
			}
			visit(l, k, g, mean)
		}
	}
}

// problem returns the energy as a problem; see newProblem.
func (b *builder) problem(leaves [][]leaf, kept []param.Array) (*problem, error) {
	e := newEnergy(b.stack, b.likelihood, b.n, b.batch, b.p)
	p, err := newProblem(e, leaves, kept, b.data, b.seed)
	if err == nil {
		p.contracted = b.linear
	}
	return p, err
}

// buildDirect returns a model that is trained by maximising its energy with Adam.
func buildDirect(v family.Values, data family.Data, seed uint64) (family.Model, error) {
	b, err := newBuilder(v, data, seed)
	if err != nil {
		return nil, err
	}
	selected := natural
	if v.Text("factor") == formNames[whitened] {
		selected = whitened
	}
	var leaves [][]leaf
	b.eachStart(func(l, k int, g *gp, mean []float64) {
		list := recordFactor(b.tape, g, selected)
		leaves = append(leaves, list)
		first := list[0].node.Value
		root := list[1].node.Value
		b.factor(l, k, g, first, root, mean)
		if selected == natural && mean != nil {
			err = errors.Join(err, g.toNatural(first, root))
		}
	})
	if err != nil {
		return nil, err
	}
	problem, err := b.problem(leaves, nil)
	if err != nil {
		return nil, err
	}
	adam := train.ReadRates(v, data.Steps).Adam(problem.Set.Size())
	return newModel(objective, problem, adam, deep.InducingNotes(v, b.n))
}

// buildStochastic returns a model trained by stochastic EP.
func buildStochastic(v family.Values, data family.Data, seed uint64) (family.Model, error) {
	b, err := newBuilder(v, data, seed)
	if err != nil {
		return nil, err
	}
	var kept []param.Array
	b.eachStart(func(l, k int, g *gp, mean []float64) {
		m := g.inducing
		h := b.tape.Variable(1, m, 1)
		hh := b.tape.Variable(1, m, m)
		g.setFactor(b.tape, h, hh)
		name := fmt.Sprintf("layer.%d.gp.%d.factor.", l, k)
		kept = append(kept, param.Array{Name: name + "h", Data: h.Value}, param.Array{
			Name: name + "H",
			Data: hh.Value,
		})
		b.natural(l, k, g, mean)
	})
	problem, err := b.problem(nil, kept)
	if err != nil {
		return nil, err
	}
	adam := train.ReadRates(v, data.Steps).Adam(problem.Set.Size())
	method := newStochastic(problem, b.likelihood, adam, planOf(v, b.n), seed)
	return newModel(stochasticObjective, problem, method, deep.InducingNotes(v, b.n))
}

// newModel returns a model with the given problem and method.
func newModel(o family.Objective, p *problem, method infer.Method, notes []string) (*Model, error) {
	m := &Model{problem: p, notes: notes, predictTape: autodiff.NewTape(), predictors: map[int]*predictor{}}
	p.eachGP(func(_, _ int, g *gp) { g.posterior.complete(m.predictTape) })
	m.method, _ = method.(*stochastic)
	var err error
	m.Model, err = train.New(o, p, method)
	return m, err
}

// Step implements family.Model.
func (m *Model) Step(ctx context.Context) (family.Report, error) {
	r, err := m.Model.Step(ctx)
	if m.method != nil && err == nil {
		r.Phase = "pass"
		if m.method.adamStep {
			r.Phase = "hyperparameters"
		}
	}
	return r, err
}

// Notes implements family.Annotator.
func (m *Model) Notes() []string { return m.notes }

// Hyper implements family.Model.
func (m *Model) Hyper() []family.Quantity {
	var list []family.Quantity
	add := func(name string, n *autodiff.Node) {
		list = append(list, family.Quantity{Name: name, Value: append([]float64(nil), n.Value...)})
	}
	layers := m.problem.layers
	for l := range layers {
		if current := layers[len(layers)-1-l]; current.noise != nil {
			add(noiseName(len(layers)-1-l, len(layers)), current.noise)
		}
	}
	m.problem.eachGP(func(l, k int, g *gp) {
		prefix := fmt.Sprintf("layer.%d.gp.%d.kernel.", l, k)
		add(prefix+"variance", g.Variance)
		add(prefix+"lengthscales", g.Lengthscales)
	})
	return list
}
