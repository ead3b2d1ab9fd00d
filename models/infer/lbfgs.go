package infer

import (
	"context"
	"fmt"
	"math"

	"dgplab/models/param"
)

const (
	// stallLevel is a change of the objective, relative to max(1, |objective|), that
	// is no more than rounding; maxStalls such steps in a row are the end.
	stallLevel = 64 * epsilon
	maxStalls  = 5
	// epsilon is the distance from 1 to the next number.
	epsilon = 0x1p-52
)

// LBFGS climbs a deterministic objective by the limited-memory method of
// Broyden, Fletcher, Goldfarb and Shanno: Nocedal and Wright, "Numerical
// Optimization", 2nd edition, 2006, algorithms 7.4 and 7.5, doi:10.1007/978-0-387-40065-5.
// One Step is one iteration: a direction and a search along it.
//
// It converges within its Tolerances, or where no further progress is possible: when
// the objective changes by rounding alone for several steps, or when a search along
// the gradient itself finds nothing higher. What has converged stays where it is.
//
// When Step returns without an error the last evaluation of the Problem was that
// of the parameters that it leaves.
type LBFGS struct {
	tolerances Tolerances
	memory     int // pairs of steps that are kept, at most

	// steps and changes are rings of memory rows of n numbers: how the free
	// parameters moved, and by how much the gradient fell.
	steps, changes []float64
	gradient       []float64 // at the present parameters
	numbers        []float64 // see the constants below

	line     line
	previous []float64 // the gradient before the step
	weights  []float64 // of the pairs, in the two-loop recursion
	gauges   []float64
}

// What LBFGS.numbers holds.
const (
	lbfgsKnown  = iota // 1 when value and gradient are those of the present parameters
	lbfgsValue         // the objective
	lbfgsLength        // pairs in the rings
	lbfgsHead          // the row that the next pair goes to
	lbfgsStalls        // steps in a row that changed nothing beyond rounding; maxStalls at the end
	lbfgsCount         // steps taken
	lbfgsNumbers
)

// Tolerances say where LBFGS has converged: as soon as either is met.
type Tolerances struct {
	// Gradient bounds every entry of the gradient over the free parameters, relative to
	// max(1, |objective|).
	Gradient float64
	// Change bounds by how much the objective rises in a step, relative to the larger
	// of its absolute values before and after, and 1; with 0 it says nothing. It is
	// factr*epsmch of Zhu, Byrd, Lu, Nocedal, "Algorithm 778: L-BFGS-B", 1997,
	// doi:10.1145/279232.279236, and ftol of SciPy, which has 2.2e-9.
	Change float64
}

// NewLBFGS returns a method for n free parameters that remembers the given number
// of steps. It panics unless both and the tolerance of the gradient are positive.
func NewLBFGS(n, memory int, tolerances Tolerances) *LBFGS {
	if n < 1 || memory < 1 || !(tolerances.Gradient > 0) {
		panic(fmt.Sprintf("infer: L-BFGS of %d numbers with %d steps remembered and tolerances %+v",
			n, memory, tolerances))
	}
	return &LBFGS{
		tolerances: tolerances, memory: memory,
		steps: make([]float64, memory*n), changes: make([]float64, memory*n),
		gradient: make([]float64, n), numbers: make([]float64, lbfgsNumbers),
		line: line{
			origin:    make([]float64, n),
			direction: make([]float64, n),
			gradient:  make([]float64, n),
		},
		previous: make([]float64, n), weights: make([]float64, memory), gauges: make([]float64, 3),
	}
}

// Gauges implements Method. The step length is relative to the direction's, 0 where
// the parameters did not move.
func (*LBFGS) Gauges() []Reading { return []Reading{GradientNorm, StepLength, Evaluations} }

// State implements Method.
func (b *LBFGS) State() []param.Array {
	return []param.Array{
		{Name: "lbfgs.steps", Data: b.steps},
		{Name: "lbfgs.changes", Data: b.changes},
		{Name: "lbfgs.gradient", Data: b.gradient},
		{Name: "lbfgs.numbers", Data: b.numbers},
	}
}

// Renew says that the next step is on another problem of the same parameters. What is
// known of the curvature stays, the rest is evaluated anew.
func (b *LBFGS) Renew() {
	b.numbers[lbfgsKnown] = 0
	b.numbers[lbfgsStalls] = 0
}

// Step implements Method. An objective that is not finite at the parameters of
// the first step is a *NonFiniteError; where it cannot be evaluated further on,
// the step becomes shorter.
func (b *LBFGS) Step(ctx context.Context, p Problem, step uint64) (Move, error) {
	p.Draw(step)
	b.line.begin(p)
	found, start, err := b.climb(ctx)
	if err != nil {
		b.line.goTo(0)
		return Move{}, err
	}
	b.accept(start, found)
	b.gauges[0] = norm(b.gradient)
	b.gauges[1] = found.at
	b.gauges[2] = float64(b.line.evaluations)
	return Move{Objective: found.value, Gauges: b.gauges, Converged: b.converged(found.value)}, nil
}

// climb returns where the step starts and where it ends, at the problem's last
// evaluation. They are the same place, at 0, when there is nothing higher, or
// nothing to be gained. The method's state changes only by what is known of the start.
func (b *LBFGS) climb(ctx context.Context) (found, start point, err error) {
	start, err = b.evaluateStart(ctx)
	if err != nil {
		return start, start, err
	}
	if !b.converged(start.value) {
		for pairs := b.pairs(); ; pairs = 0 {
			found, err = b.search(ctx, start.value, pairs)
			if err != nil || found.at > 0 {
				return found, start, err
			}
			if pairs == 0 {
				break
			}
		}
	}
	// A search that found nothing has evaluated other places since.
	again, err := b.line.evaluate(ctx, 0)
	return again, start, err
}

// evaluateStart returns the objective at the present parameters and sets the
// gradient, unless the step before has left both.
func (b *LBFGS) evaluateStart(ctx context.Context) (point, error) {
	if b.numbers[lbfgsKnown] == 1 {
		return point{value: b.numbers[lbfgsValue]}, nil
	}
	clear(b.line.direction)
	start, err := b.line.evaluateStrictly(ctx, 0)
	if err != nil {
		return point{}, err
	}
	copy(b.gradient, b.line.gradient)
	b.numbers[lbfgsKnown], b.numbers[lbfgsValue] = 1, start.value
	return start, nil
}

// search looks along the direction that the newest pairs give, the gradient when
// there are none. A direction that does not lead uphill finds nothing.
func (b *LBFGS) search(ctx context.Context, value float64, pairs int) (point, error) {
	b.direct(pairs)
	slope := dot(b.gradient, b.line.direction)
	if !(slope > 0) || math.IsInf(slope, 1) {
		return point{value: value}, nil
	}
	first := 1.0
	if pairs == 0 {
		// Nothing is known of the scale: the parameters, which are of order 1, move
		// by 1 at most.
		first = min(1, 1/norm(b.line.direction))
	}
	return b.line.search(ctx, point{value: value, slope: slope}, first)
}

// direct sets the direction to the inverse of the approximate negative Hessian
// times the gradient: algorithm 7.4, the two-loop recursion.
func (b *LBFGS) direct(pairs int) {
	d := b.line.direction
	copy(d, b.gradient)
	for k := range pairs {
		s, y := b.pair(k)
		b.weights[k] = dot(s, d) / dot(s, y)
		addScaled(d, -b.weights[k], y)
	}
	if pairs > 0 {
		s, y := b.pair(0)
		scale(d, dot(s, y)/dot(y, y))
	}
	for k := pairs - 1; k >= 0; k-- {
		s, y := b.pair(k)
		addScaled(d, b.weights[k]-dot(y, d)/dot(s, y), s)
	}
}

// pairs returns the number of steps that are remembered.
func (b *LBFGS) pairs() int { return int(b.numbers[lbfgsLength]) }

// pair returns the step that was taken k steps before the last one, and by how
// much the gradient fell in it.
func (b *LBFGS) pair(k int) (step, change []float64) {
	return b.row((int(b.numbers[lbfgsHead]) - 1 - k + 2*b.memory) % b.memory)
}

// row returns a row of both rings.
func (b *LBFGS) row(k int) (step, change []float64) {
	n := len(b.gradient)
	return b.steps[k*n : (k+1)*n], b.changes[k*n : (k+1)*n]
}

// accept enters the step from start to found into the state.
func (b *LBFGS) accept(start, found point) {
	copy(b.previous, b.gradient)
	copy(b.gradient, b.line.gradient)
	b.numbers[lbfgsValue] = found.value
	b.numbers[lbfgsCount]++
	rise, size := found.value-start.value, max(1, math.Abs(start.value))
	switch {
	case found.at > 0 && rise <= b.tolerances.Change*max(size, math.Abs(found.value)):
		b.numbers[lbfgsStalls] = maxStalls
	case rise > stallLevel*size:
		b.numbers[lbfgsStalls] = 0
	default:
		b.numbers[lbfgsStalls]++
	}
	if found.at > 0 {
		b.remember()
		return
	}
	// Not even the gradient leads uphill. That is the end, unless what was known of
	// the start belonged to another problem.
	b.numbers[lbfgsLength] = 0
	if found.value == start.value {
		b.numbers[lbfgsStalls] = maxStalls
	}
}

// remember enters the last step and its change of gradient into the rings, unless
// the curvature along it is not positive, which a search that ended early may leave.
func (b *LBFGS) remember() {
	head := int(b.numbers[lbfgsHead])
	step, change := b.row(head)
	for i, x := range b.line.set.Free {
		step[i] = x - b.line.origin[i]
		change[i] = b.previous[i] - b.gradient[i]
	}
	if dot(step, change) <= epsilon*dot(change, change) {
		return
	}
	b.numbers[lbfgsHead] = float64((head + 1) % b.memory)
	b.numbers[lbfgsLength] = min(b.numbers[lbfgsLength]+1, float64(b.memory))
}

// converged reports whether a further step would gain nothing.
func (b *LBFGS) converged(value float64) bool {
	return b.small(value) || b.numbers[lbfgsStalls] >= maxStalls
}

// small reports whether the gradient is within the tolerance.
func (b *LBFGS) small(value float64) bool {
	limit := b.tolerances.Gradient * max(1, math.Abs(value))
	for _, g := range b.gradient {
		if math.Abs(g) > limit {
			return false
		}
	}
	return true
}
