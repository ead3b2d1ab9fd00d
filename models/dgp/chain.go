package dgp

import (
	"errors"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/param"
	"dgplab/models/random"
	"dgplab/models/train"
)

// chain is the log joint density of targets and inducing outputs as one Markov chain
// sees it: a train.Problem whose parameters are the inducing outputs. While it burns in
// it also says where the hyperparameters should go, at inducing outputs that the chain
// had a while ago: the M-step of a moving-window Monte Carlo EM (Havasi,
// Hernández-Lobato, Murillo-Fuentes 2018, section 3, algorithm 1, arXiv:1806.05490).
type chain struct {
	train.Leaves        // the inducing outputs
	given        *bound // the log joint as their function, on a tape of its own
	// whole is the log joint as a function of the hyperparameters, on the tape of the
	// posterior; its inducing outputs are those of the window.
	whole          *bound
	hypers         train.Leaves
	ascent         []float64 // gradient with respect to the hyperparameters' free entries
	parametersOnly int       // the part of that tape that needs no data
	fresh          bool      // that part has been replayed since the hyperparameters moved

	data    family.Data
	batches *train.Minibatches
	burnIn  uint64
	// noise and hyperNoise are the draws of the hidden layers, for the chain and for the
	// hyperparameters; picks are those from the window.
	noise, hyperNoise, picks *random.Streams
	// window holds the positions after the last steps of burn-in, [steps][inducing
	// outputs]: that after k steps in row k-1 modulo its length.
	window   []float64
	step     int  // the present one
	learning bool // it is one of burn-in
	terms    [2]float64
}

// newChain returns a chain for a posterior whose hyperparameters are at their start.
func newChain(post *posterior, data family.Data, v family.Values, seed uint64) (*chain, error) {
	n, _ := data.X.Dims()
	b := min(v.Int("batch"), n)
	r := v.Int("samples")
	c := &chain{
		data: data, burnIn: uint64(v.Int(family.BurnIn)), batches: train.NewMinibatches(seed, n, b),
		parametersOnly: post.tape.Mark(),
		noise:          random.NewStreams(seed, "noise"),
		hyperNoise:     random.NewStreams(seed, "learning noise"), picks: random.NewStreams(seed, "window"),
	}
	c.whole = newBound(post.tape, post, b, r)
	tape := autodiff.NewTape()
	c.given = newBound(tape, post.over(tape), b, r)
	c.given.numData = float64(n)
	c.whole.numData = float64(n)
	for l := range post.layers {
		post.addPrior(&c.hypers, l)
	}
	post.addNoise(&c.hypers)
	c.given.post.addOutputs(&c.Leaves)
	if err := errors.Join(c.hypers.Close(), c.Close()); err != nil {
		return nil, err
	}
	c.ascent = make([]float64, c.hypers.Set.Size())
	c.window = make([]float64, v.Int("window")*c.Set.Size())
	start := random.Stream(seed, "start", 0)
	for k := range c.Set.Free {
		c.Set.Free[k] = v.Float("start_spread") * start.NormFloat64()
	}
	return c, nil
}

// Draw implements infer.Problem.
func (c *chain) Draw(step uint64) {
	c.step, c.learning = int(step), step < c.burnIn
	batch := int(step + min(step, c.burnIn)) // steps of burn-in have two
	c.load(c.given, c.batches.Rows(batch), c.noise, step)
	if !c.learning {
		return
	}
	c.load(c.whole, c.batches.Rows(batch+1), c.hyperNoise, step)
	from, size := c.Set.Free, c.Set.Size()
	if held := min(int(step), len(c.window)/size); held > 0 {
		from = c.window[c.picks.At(step).IntN(held)*size:]
	}
	for _, n := range c.whole.post.layers {
		from = from[copy(n.qMu.Value, from):]
	}
}

// remember takes the position after so many steps of burn-in into the window.
func (c *chain) remember(steps int) {
	size := c.Set.Size()
	copy(c.window[(steps-1)*size%len(c.window):], c.Set.Free)
}

// load fills in the rows of a minibatch and draws.
func (c *chain) load(g *bound, rows []int, streams *random.Streams, step uint64) {
	train.Columns(g.x.Value, c.data.X, rows)
	train.Columns(g.y.Value, c.data.Y, rows)
	stream := streams.At(step)
	for _, eps := range g.eps {
		random.Normals(eps.Value, stream)
	}
}

// Evaluate implements infer.Problem.
func (c *chain) Evaluate(dFree []float64) (float64, error) {
	if err := c.prepare(); err != nil {
		return 0, err
	}
	value, err := c.EvaluateTape(c.given.tape, c.given.value, dFree)
	if err == nil {
		c.terms = [2]float64{c.given.logLik.Value[0], -c.given.penalty.Value[0]}
	}
	return value, err
}

// prepare replays what follows from the hyperparameters alone and, in burn-in, computes
// their gradient.
func (c *chain) prepare() error {
	tape := c.whole.tape
	switch {
	case c.learning:
		clear(c.ascent)
		value, err := c.hypers.EvaluateTape(tape, c.whole.value, c.ascent)
		if err != nil {
			return err
		}
		return c.finite(value)
	case !c.fresh:
		if err := tape.ForwardTo(c.parametersOnly); err != nil {
			return err
		}
		c.fresh = true
	}
	return nil
}

// finite returns an error unless the log joint at a position of the window, and its
// gradient, are.
func (c *chain) finite(value float64) error {
	if value-value != 0 {
		return &family.NonFiniteError{Where: "the log joint at a position of the window", Step: c.step}
	}
	for k, v := range c.ascent {
		if v-v != 0 {
			return &family.NonFiniteError{Where: "the gradient of " + c.hypers.Set.NameAt(k), Step: c.step}
		}
	}
	return nil
}

// settle takes free entries of the hyperparameters over.
func (c *chain) settle(free []float64) {
	copy(c.hypers.Set.Free, free)
	c.hypers.Set.Forward()
	c.fresh = false
}

// Terms implements train.Problem.
func (c *chain) Terms() []float64 { return c.terms[:] }

// Rescues implements train.Problem.
func (c *chain) Rescues() int { return c.whole.tape.Rescues() + c.given.tape.Rescues() }

// State implements train.Problem.
func (c *chain) State() []param.Array { return []param.Array{{Name: "window", Data: c.window}} }
