package gprn

import (
	"context"
	"math"

	"dgplab/models/infer"
	"dgplab/models/param"
)

// relativeChange is by how much the bound rose in a round of training, relative to
// max(1, |bound|). A round ends with the hyperparameters' turn; without one it is a
// sweep.
var relativeChange = infer.Reading{Key: "relative_change", Name: "relative change"}

// em is variational expectation maximisation: a step is a sweep, followed, after every
// so many, by a leap and some iterations of L-BFGS on the hyperparameters. The first steps
// try starting points.
type em struct {
	network    *network
	starts     *starts
	lbfgs      *infer.LBFGS
	every      int // 0: hyperparameters stay
	iterations int
	ftol       float64
	numbers    []float64 // see the constants below
	gauges     []float64
	phase      string      // of the last step: what came of a start
	backup     [][]float64 // of the state
	arrays     [][]float64 // the state
	// precision and linear are those of the network before a leap.
	precision, linear []float64
}

// What em.numbers holds.
const (
	emKnown   = iota // 1 when there is a round before
	emBound          // the bound after it
	emChange         // by how much it rose
	emLeap           // the length of the next leap, in sweeps; 0 before the first
	emNumbers        // their number
)

// newEM returns the method for a network.
func newEM(m *network, s *starts, every, iterations, history int, ftol float64) *em {
	e := &em{network: m, starts: s, every: every, iterations: iterations, ftol: ftol,
		lbfgs: infer.NewLBFGS(m.set.Size(), history, infer.Tolerances{
			Gradient: math.SmallestNonzeroFloat64,
		}),
		numbers: make([]float64, emNumbers), gauges: make([]float64, 2),
		precision: make([]float64, len(m.precision)), linear: make([]float64, len(m.linear))}
	e.arrays = append(e.arrays, m.set.Free)
	for _, a := range append(e.State(), m.State()...) {
		e.arrays = append(e.arrays, a.Data)
	}
	for _, a := range e.arrays {
		e.backup = append(e.backup, make([]float64, len(a)))
	}
	return e
}

// Gauges implements infer.Method.
func (*em) Gauges() []infer.Reading { return []infer.Reading{relativeChange, infer.Evaluations} }

// State implements infer.Method.
func (e *em) State() []param.Array {
	return append(e.lbfgs.State(), e.starts.state(), param.Array{Name: "em.numbers", Data: e.numbers})
}

// Step implements infer.Method.
func (e *em) Step(ctx context.Context, _ infer.Problem, step uint64) (infer.Move, error) {
	for i, a := range e.arrays {
		copy(e.backup[i], a)
	}
	move, err := e.step(ctx, step)
	if err != nil {
		e.undo()
	}
	return move, err
}

// undo makes the state that before the step. What follows from it is recomputed: it
// could be computed then, so that it can be now.
func (e *em) undo() {
	for i, a := range e.arrays {
		copy(a, e.backup[i])
	}
	e.network.set.Forward()
	_ = e.network.refresh()
}

func (e *em) step(ctx context.Context, step uint64) (infer.Move, error) {
	m := e.network
	e.gauges[1] = 0
	if step < e.starts.count() {
		return e.begin(ctx, step)
	}
	if err := m.sweep(); err != nil {
		return infer.Move{}, err
	}
	turn := e.every > 0 && (step-e.starts.count()+1)%uint64(e.every) == 0
	e.phase = ""
	if turn {
		if err := e.leap(); err != nil {
			return infer.Move{}, err
		}
		if err := e.maximise(ctx); err != nil {
			return infer.Move{}, err
		}
	}
	if err := infer.CheckFinite(m.terms); err != nil {
		return infer.Move{}, &infer.NonFiniteError{Index: infer.Objective, Value: m.bound()}
	}
	converged := e.round(m.bound(), turn)
	e.gauges[0] = e.numbers[emChange]
	return infer.Move{Objective: m.bound(), Gauges: e.gauges, Converged: converged}, nil
}

// begin tries a starting point, and leaves the best so far.
func (e *em) begin(ctx context.Context, step uint64) (infer.Move, error) {
	m := e.network
	if err := m.begin(ctx, int(step), e.starts.stream(step)); err != nil {
		return infer.Move{}, err
	}
	if err := infer.CheckFinite(m.terms); err != nil {
		return infer.Move{}, &infer.NonFiniteError{Index: infer.Objective, Value: m.bound()}
	}
	bound := m.bound()
	if !e.starts.better(step, bound) {
		e.undo()
	}
	e.phase = e.starts.record(step, bound)
	e.gauges[0] = 0
	return infer.Move{Objective: m.bound(), Gauges: e.gauges}, nil
}

// maximise gives the hyperparameters their turn.
func (e *em) maximise(ctx context.Context) error {
	e.lbfgs.Renew()
	for range e.iterations {
		move, err := e.lbfgs.Step(ctx, e.network, 0)
		if err != nil {
			return err
		}
		e.gauges[1] += move.Gauges[2]
		if move.Converged {
			break
		}
	}
	return nil
}

// round ends a round, if this is where one ends, and reports whether the bound rose by
// no more than ftol in it.
func (e *em) round(bound float64, turn bool) bool {
	if e.every > 0 && !turn {
		return false
	}
	before, known := e.numbers[emBound], e.numbers[emKnown] == 1
	e.numbers[emBound], e.numbers[emKnown] = bound, 1
	if !known {
		return false
	}
	e.numbers[emChange] = (bound - before) / max(1, math.Abs(bound))
	return e.numbers[emChange] <= e.ftol
}
