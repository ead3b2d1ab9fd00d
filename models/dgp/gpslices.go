package dgp

import (
	"context"
	"math"
	"math/rand/v2"

	"dgplab/models/autodiff"
	"dgplab/models/infer"
	"dgplab/models/param"
	"dgplab/models/sampling"
	"dgplab/models/stats"
)

// gpSlices moves a chain by elliptical slice sampling on all data. The state consists of the whitened
// inducing outputs v and the draws eps of the hidden layers, one for each point and GP, all standard
// normal a priori. Given both, the hidden layers are deterministic and the likelihood of the targets has no
// Monte Carlo error, so the moves leave the posterior of v and eps unchanged, whatever the size of the
// state. A step moves each GP in turn, its v and eps jointly. With Gaussian noise, the GPs of hidden layers
// move with v of the last layer integrated out, and then v of the last layer is drawn from its posterior
// given the hidden layers, which is Gaussian. gpSlices implements infer.Method for its chain only.
type gpSlices struct {
	chain   *chain
	streams *stats.Streams
	random  *rand.Rand // of the current step
	last    *lastLayer // nil unless the last layer is drawn from its posterior
	slice   sampling.EllipticalSlice
	// blocks holds the values that move together: v of a GP, and eps of a hidden one. They alias the chain.
	blocks [][][]float64
	block  [][]float64 // the moving one
	// f, draw and scratch hold the values of a block. origin holds the state before the step.
	f, draw, scratch, origin []float64
}

// newGPSlices returns the method that moves a chain with the random numbers of a seed.
func newGPSlices(c *chain, seed uint64) *gpSlices {
	s := &gpSlices{chain: c, streams: stats.NewStreams(seed, "slices"),
		origin: make([]float64, c.stateSize())}
	post := c.outputBound.post
	s.last = newLastLayer(c.outputBound)
	most := 0
	for i, l := range post.layer {
		if s.last != nil && i >= s.last.gp {
			break
		}
		from := post.starts[i]
		block := [][]float64{c.Set.Free[from : from+post.points(i)]}
		size := post.points(i)
		if l < len(c.outputBound.eps) {
			eps := c.outputBound.eps[l].Row(post.position(i))
			block = append(block, eps)
			size += len(eps)
		}
		s.blocks = append(s.blocks, block)
		most = max(most, size)
	}
	s.f = make([]float64, most)
	s.draw = make([]float64, most)
	s.scratch = make([]float64, most)
	s.slice = sampling.EllipticalSlice{
		Uniform: func() float64 { return s.random.Float64() },
		LogLik: func(f []float64) (float64, error) {
			scatter(s.block, f)
			return s.logLik()
		},
	}
	return s
}

// Gauges implements infer.Method. It returns the gauges of SGHMC, which the family declares.
func (*gpSlices) Gauges() []infer.Reading { return (*sampling.SGHMC)(nil).Gauges() }

// State implements infer.Method. It returns nil: the chain holds the state.
func (*gpSlices) State() []param.Array { return nil }

// notMeasured are the gauges of SGHMC, which slice sampling does not have.
var notMeasured = []float64{math.NaN(), math.NaN()}

// Step implements infer.Method. The objective is the log joint density of the targets, v and eps.
func (s *gpSlices) Step(ctx context.Context, _ infer.Problem, step uint64) (infer.Move, error) {
	c := s.chain
	c.Draw(step)
	if err := c.prepare(); err != nil {
		return infer.Move{}, err
	}
	s.random = s.streams.At(step)
	c.copyState(s.origin)
	if err := s.sweep(ctx); err != nil {
		c.setState(s.origin)
		return infer.Move{}, err
	}
	c.terms[0] = c.outputBound.logLik.Value[0]
	c.terms[1] = -c.outputBound.penalty.Value[0]
	for _, eps := range c.outputBound.eps {
		c.terms[1] -= 0.5 * (sumSquares(eps.Value) + float64(eps.Len())*math.Log(2*math.Pi))
	}
	return infer.Move{Objective: c.terms[0] + c.terms[1], Gauges: notMeasured}, nil
}

// sweep moves all blocks. It leaves the chain's tape evaluated at the new state.
func (s *gpSlices) sweep(ctx context.Context) error {
	logLik, err := s.logLik()
	if err != nil {
		return err
	}
	if logLik-logLik != 0 {
		return &infer.NonFiniteError{Index: infer.Objective, Value: logLik}
	}
	for _, block := range s.blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.block = block
		n := gather(s.f, block)
		stats.Normals(s.draw[:n], s.random)
		logLik, _, err = s.slice.Step(s.f[:n], nil, s.draw[:n], s.scratch[:n], logLik)
		if err != nil {
			return err
		}
	}
	if s.last == nil {
		return nil
	}
	// The last evaluation was that of the current hidden layers: a slice ends when a proposal is accepted.
	s.last.draw(s.chain.Set.Free, s.random)
	return s.evaluate()
}

// evaluate evaluates the tape at the current v and eps.
func (s *gpSlices) evaluate() error {
	s.chain.Set.Forward()
	return s.chain.outputBound.tape.Forward()
}

// logLik returns the log-likelihood of the targets at the current v and eps. If the last layer is drawn from
// its posterior, its v is integrated out.
func (s *gpSlices) logLik() (float64, error) {
	if err := s.evaluate(); err != nil {
		return 0, err
	}
	if s.last != nil {
		return s.last.logLik()
	}
	return s.chain.outputBound.logLik.Value[0], nil
}

// gather copies the values of a block to dst and returns their number.
func gather(dst []float64, block [][]float64) (n int) {
	for _, part := range block {
		n += copy(dst[n:], part)
	}
	return n
}

// scatter copies f to the values of a block.
func scatter(block [][]float64, f []float64) {
	for _, part := range block {
		f = f[copy(part, f):]
	}
}

// draws returns the draws of the hidden layers if they are part of the state of the chain, as in slice
// sampling.
func (c *chain) draws() []*autodiff.Node {
	if !c.sliced {
		return nil
	}
	return c.outputBound.eps
}

// stateSize returns the number of values in the state of the chain: the inducing outputs and the draws.
func (c *chain) stateSize() int {
	n := c.Set.Size()
	for _, eps := range c.draws() {
		n += eps.Len()
	}
	return n
}

// copyState copies the state of the chain to dst.
func (c *chain) copyState(dst []float64) {
	dst = dst[copy(dst, c.Set.Free):]
	for _, eps := range c.draws() {
		dst = dst[copy(dst, eps.Value):]
	}
}

// setState sets the state of the chain.
func (c *chain) setState(from []float64) {
	from = from[copy(c.Set.Free, from):]
	for _, eps := range c.draws() {
		from = from[copy(eps.Value, from):]
	}
	c.Set.Forward()
}

// allRows returns the numbers of n rows.
func allRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
