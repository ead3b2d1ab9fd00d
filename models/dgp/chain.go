package dgp

import (
	"errors"
	"fmt"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/param"
	"dgplab/models/stats"
	"dgplab/models/train"
)

// chain is the log joint density of targets and inducing outputs for one Markov chain: a
// train.Problem with the inducing outputs as its parameters. During burn-in it also computes the
// gradient with respect to the hyperparameters, at inducing outputs drawn from a window of recent
// steps. This gradient is used in the M-step of moving-window Monte Carlo EM (Havasi,
// Hernández-Lobato, Murillo-Fuentes 2018, section 3, algorithm 1, arXiv:1806.05490).
type chain struct {
	train.Leaves        // the inducing outputs
	outputBound  *bound // the log joint as a function of the inducing outputs, on a separate tape
	// hyperBound is the log joint as a function of the hyperparameters, on the tape of the
	// posterior. Its inducing outputs come from the window.
	hyperBound     *bound
	hyper          train.Leaves
	hyperGradient  []float64 // with respect to the free hyperparameters
	parametersOnly int       // length of the part of hyperBound's tape that needs no data
	current        bool      // that part has been replayed since the hyperparameters changed

	data    family.Data
	sliced  bool // the chain moves by slice sampling (gpSlices), on all data
	batches *train.Minibatches
	burnIn  uint64
	// noise and hyperNoise are the streams for the hidden layers of outputBound and hyperBound.
	// picks is the stream that selects positions from the window.
	noise, hyperNoise, picks *stats.Streams
	// window is a ring buffer of the states after the last steps of burn-in, [steps][stateSize]: the state
	// after k steps is in row k-1 modulo the number of rows.
	window    []float64
	recalled  []float64 // the state at which the hyperparameters are evaluated
	step      int       // current step
	burningIn bool      // the current step belongs to burn-in
	terms     []float64
}

// newChain returns a chain for a posterior with initial hyperparameters.
func newChain(post *posterior, data family.Data, v family.Values, seed uint64) (*chain, error) {
	n, _ := data.X.Dims()
	b := min(v.Int("batch"), n)
	r := v.Int("samples")
	sliced := v.Text("sampler") == sliceSampler
	if sliced {
		b, r = n, 1
	}
	c := &chain{
		data: data, sliced: sliced, terms: make([]float64, 2),
		burnIn: uint64(v.Int(family.BurnIn)), batches: train.NewMinibatches(seed, n, b),
		parametersOnly: post.tape.Mark(),
		noise:          stats.NewStreams(seed, "noise"),
		hyperNoise:     stats.NewStreams(seed, "learning noise"), picks: stats.NewStreams(seed, "window"),
	}
	c.hyperBound = newBound(post.tape, post, b, r)
	tape := autodiff.NewTape()
	c.outputBound = newBound(tape, post.withFreeOutputs(tape), b, r)
	c.outputBound.numData = float64(n)
	c.hyperBound.numData = float64(n)
	for l := range post.layers {
		post.addPrior(&c.hyper, l)
	}
	c.hyper.AddLikelihood(post.arch.Likelihood, post.observation)
	c.outputBound.post.addOutputs(&c.Leaves)
	if err := errors.Join(c.hyper.Close(), c.Close()); err != nil {
		return nil, err
	}
	c.hyperGradient = make([]float64, c.hyper.Set.Size())
	c.window = make([]float64, v.Int("window")*c.stateSize())
	c.recalled = make([]float64, c.stateSize())
	start := stats.Stream(seed, "start", 0)
	for k := range c.Set.Free {
		c.Set.Free[k] = v.Float("start_spread") * start.NormFloat64()
	}
	if sliced {
		c.load(c.outputBound, allRows(n), c.noise, 0)
		c.load(c.hyperBound, allRows(n), c.noise, 0)
	}
	return c, nil
}

// Draw implements infer.Problem.
func (c *chain) Draw(step uint64) {
	c.step, c.burningIn = int(step), step < c.burnIn
	batch := int(step + min(step, c.burnIn)) // each burn-in step uses two minibatches
	if !c.sliced {
		c.load(c.outputBound, c.batches.Rows(batch), c.noise, step)
	}
	if !c.burningIn {
		return
	}
	if !c.sliced {
		c.load(c.hyperBound, c.batches.Rows(batch+1), c.hyperNoise, step)
	}
	c.recall(step)
}

// recall sets the state at which the hyperparameters are evaluated: a state of the window, or the current
// state if there is none.
func (c *chain) recall(step uint64) {
	size := c.stateSize()
	held := min(int(step), len(c.window)/size)
	if held == 0 {
		c.copyState(c.recalled)
	} else {
		row := c.picks.At(step).IntN(held)
		copy(c.recalled, c.window[row*size:])
	}
	from := c.recalled
	for _, n := range c.hyperBound.post.layers {
		from = from[copy(n.qMu.Value, from):]
	}
	if c.sliced {
		for _, eps := range c.hyperBound.eps {
			from = from[copy(eps.Value, from):]
		}
	}
}

// remember stores the state after the given number of burn-in steps in the window.
func (c *chain) remember(steps int) { c.copyState(c.window[(steps-1)*c.stateSize()%len(c.window):]) }

// load fills g with the rows of a minibatch and with draws.
func (c *chain) load(g *bound, rows []int, streams *stats.Streams, step uint64) {
	train.Columns(g.x.Value, c.data.X, rows)
	train.Columns(g.y.Value, c.data.Y, rows)
	stream := streams.At(step)
	for _, eps := range g.eps {
		stats.Normals(eps.Value, stream)
	}
}

// Evaluate implements infer.Problem.
func (c *chain) Evaluate(dFree []float64) (float64, error) {
	if err := c.prepare(); err != nil {
		return 0, err
	}
	value, err := c.EvaluateTape(c.outputBound.tape, c.outputBound.value, dFree)
	if err == nil {
		c.terms = append(c.terms[:0], c.outputBound.logLik.Value[0], -c.outputBound.penalty.Value[0])
		if c.hyper.Set.HasPriors() {
			prior := c.hyper.Set.LogPrior(nil)
			c.terms = append(c.terms, prior)
			value += prior
		}
	}
	return value, err
}

// prepare replays the part of the tape that depends only on the hyperparameters and, in burn-in,
// computes their gradient.
func (c *chain) prepare() error {
	tape := c.hyperBound.tape
	switch {
	case c.burningIn:
		clear(c.hyperGradient)
		value, err := c.hyper.EvaluateTape(tape, c.hyperBound.value, c.hyperGradient)
		if err != nil {
			return err
		}
		return c.checkFinite(value + c.hyper.Set.LogPrior(c.hyperGradient))
	case !c.current:
		if err := tape.ForwardTo(c.parametersOnly); err != nil {
			return err
		}
		c.current = true
	}
	return nil
}

// checkFinite returns an error unless value, the log joint at a position in the window, and its
// gradient are finite.
func (c *chain) checkFinite(value float64) error {
	if value-value != 0 {
		return &family.NonFiniteError{Where: "the log joint at a position in the window", Step: c.step}
	}
	for k, v := range c.hyperGradient {
		if v-v != 0 {
			return &family.NonFiniteError{Where: "the gradient of " + c.hyper.Set.NameAt(k), Step: c.step}
		}
	}
	return nil
}

// setHyperparameters sets the free hyperparameters.
func (c *chain) setHyperparameters(free []float64) {
	copy(c.hyper.Set.Free, free)
	c.hyper.Set.Forward()
	c.current = false
}

// Terms implements train.Problem.
func (c *chain) Terms() []float64 { return c.terms }

// Rescues implements train.Problem.
func (c *chain) Rescues() int { return c.hyperBound.tape.Rescues() + c.outputBound.tape.Rescues() }

// State implements train.Problem.
func (c *chain) State() []param.Array {
	list := []param.Array{{Name: "window", Data: c.window}}
	for l, eps := range c.draws() {
		list = append(list, param.Array{Name: fmt.Sprintf("layer.%d.eps", l), Data: eps.Value})
	}
	return list
}
