package infer

import (
	"context"
	"fmt"
	"math"

	"dgplab/models/param"
)

const (
	// stallLevel is the largest change of the objective, relative to max(1, |objective|), that
	// counts as rounding. After maxStalls consecutive steps with such changes the method has
	// converged.
	stallLevel = 64 * epsilon
	maxStalls  = 5
	// epsilon is the distance from 1 to the next larger number.
	epsilon = 0x1p-52
)

// LBFGS maximises a deterministic objective by the limited-memory method of Broyden, Fletcher,
// Goldfarb and Shanno: Nocedal and Wright, "Numerical Optimization", 2nd edition, 2006, algorithms
// 7.4 and 7.5, doi:10.1007/978-0-387-40065-5. One Step is one iteration: a direction and a line
// search along it.
//
// It converges when it meets its Tolerances or when no progress is possible: the objective changes
// only by rounding error for several steps, or a search along the gradient finds no higher value.
// Steps after convergence do not move the parameters.
//
// When Step returns without an error, the Problem was last evaluated at its current parameters.
type LBFGS struct {
	tolerances Tolerances
	memory     int // largest number of pairs kept

	// steps and changes are ring buffers of memory rows of n numbers: the changes of the free
	// parameters and the decreases of the gradient.
	steps, changes []float64
	gradient       []float64 // at the current parameters
	numbers        []float64 // indexed by the constants below

	line     line
	previous []float64 // gradient before the step
	weights  []float64 // of the pairs, in the two-loop recursion
	gauges   []float64
}

// Indices of LBFGS.numbers.
const (
	lbfgsKnown  = iota // 1 if value and gradient belong to the current parameters
	lbfgsValue         // objective
	lbfgsLength        // number of pairs in the rings
	lbfgsHead          // row for the next pair
	lbfgsStalls        // consecutive steps whose change was rounding; maxStalls once converged
	lbfgsCount         // steps taken
	lbfgsNumbers
)

// Tolerances are the convergence criteria of LBFGS. Meeting either one suffices.
type Tolerances struct {
	// Gradient bounds every entry of the gradient over the free parameters, relative to max(1,
	// |objective|).
	Gradient float64
	// Change bounds the increase of the objective in a step, relative to the largest of 1 and its
	// absolute values before and after; 0 disables the criterion. It is factr*epsmch of Zhu, Byrd,
	// Lu, Nocedal, "Algorithm 778: L-BFGS-B", 1997, doi:10.1145/279232.279236, and ftol of SciPy,
	// with default 2.2e-9.
	Change float64
}

// NewLBFGS returns a method for n free parameters that stores at most memory pairs. It panics
// unless n, memory and the gradient tolerance are positive.
func NewLBFGS(n, memory int, tolerances Tolerances) *LBFGS {
	if n < 1 || memory < 1 || !(tolerances.Gradient > 0) {
		panic(fmt.Sprintf("infer: invalid L-BFGS arguments: %d parameters, memory %d, tolerances %+v",
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

// Gauges implements Method. The step length is a multiple of the direction, and 0 if the parameters
// did not move.
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

// Restart prepares for a different problem with the same parameters. It keeps the curvature pairs;
// the next step evaluates the objective again.
func (b *LBFGS) Restart() {
	b.numbers[lbfgsKnown] = 0
	b.numbers[lbfgsStalls] = 0
}

// Step implements Method. An objective that is not finite at the start of the first step is
// returned as a *NonFiniteError; if it cannot be evaluated farther along the line, the step is
// shortened.
func (b *LBFGS) Step(ctx context.Context, p Problem, step uint64) (Move, error) {
	p.Draw(step)
	b.line.begin(p)
	known := b.numbers[lbfgsKnown]
	found, start, err := b.maximise(ctx)
	if err != nil {
		// If the step is repeated, after a checkpoint or not, it evaluates the start again: otherwise it
		// would report one evaluation less than a step that was not interrupted.
		b.numbers[lbfgsKnown] = known
		b.line.goTo(0)
		return Move{}, err
	}
	b.accept(start, found)
	b.gauges[0] = norm(b.gradient)
	b.gauges[1] = found.at
	b.gauges[2] = float64(b.line.evaluations)
	return Move{Objective: found.value, Gauges: b.gauges, Converged: b.converged(found.value)}, nil
}

// maximise returns the start and the end of the step; the end is the problem's last evaluation. If
// no higher value was found or the method has converged, both are the point at 0. Of the state of
// the method, only the stored value and gradient of the start change.
func (b *LBFGS) maximise(ctx context.Context) (found, start point, err error) {
	start, err = b.evaluateStart(ctx)
	if err != nil {
		return start, start, err
	}
	if !b.converged(start.value) {
		for pairs := int(b.numbers[lbfgsLength]); ; pairs = 0 {
			found, err = b.search(ctx, start.value, pairs)
			if err != nil || found.at > 0 {
				return found, start, err
			}
			if pairs == 0 {
				break
			}
		}
	}
	// The search has evaluated other points since, so the start must be evaluated again.
	again, err := b.line.evaluate(ctx, 0)
	return again, start, err
}

// evaluateStart returns the objective at the current parameters and sets the gradient. It reuses
// the stored values if they are still valid.
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

// search searches along the direction given by the newest pairs, or along the gradient if there are
// none. If the direction is not an ascent direction, it returns the start.
func (b *LBFGS) search(ctx context.Context, value float64, pairs int) (point, error) {
	b.direct(pairs)
	slope := dot(b.gradient, b.line.direction)
	if !(slope > 0) || math.IsInf(slope, 1) {
		return point{value: value}, nil
	}
	first := 1.0
	if pairs == 0 {
		// The scale of the problem is unknown. Parameters are of order 1, so the first trial moves
		// them by at most 1.
		first = min(1, 1/norm(b.line.direction))
	}
	return b.line.search(ctx, point{value: value, slope: slope}, first)
}

// direct sets the direction to the inverse of the approximate negative Hessian times the gradient:
// algorithm 7.4, the two-loop recursion.
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

// pair returns the parameter change k steps before the last one, and the decrease of the gradient
// in that step.
func (b *LBFGS) pair(k int) (step, change []float64) {
	return b.row((int(b.numbers[lbfgsHead]) - 1 - k + 2*b.memory) % b.memory)
}

// row returns row k of both rings.
func (b *LBFGS) row(k int) (step, change []float64) {
	n := len(b.gradient)
	return b.steps[k*n : (k+1)*n], b.changes[k*n : (k+1)*n]
}

// accept adds the step from start to found to the state.
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
	// No higher value was found, even along the gradient. The method has converged unless the
	// stored value of the start belongs to a different problem.
	b.numbers[lbfgsLength] = 0
	if found.value == start.value {
		b.numbers[lbfgsStalls] = maxStalls
	}
}

// remember adds the last step and its change of gradient to the rings. It skips steps without
// positive curvature, which occur if a search ended early.
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

// converged reports whether the convergence criteria are met.
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
