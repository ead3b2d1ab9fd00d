package gprn

import (
	"context"
	"math"

	"dgplab/models/infer"
	"dgplab/models/param"
)

// relativeChange is the increase of the bound in a round of training, relative to max(1, |bound|).
// A round ends with an update of the hyperparameters. If these are fixed, a round is one sweep.
var relativeChange = infer.Reading{Key: "relative_change", Name: "relative change"}

// em is variational expectation maximisation. A step is a sweep; every few steps, an extrapolation
// and some iterations of L-BFGS on the hyperparameters follow the sweep. The first steps try
// starting points.
type em struct {
	network    *network
	starts     *starts
	lbfgs      *infer.LBFGS
	every      int // 0 if hyperparameters are fixed
	iterations int
	ftol       float64
	numbers    []float64 // see the constants below
	gauges     []float64
	phase      string      // result of the last step for display, if it tried a starting point
	backup     [][]float64 // copy of the state
	arrays     [][]float64 // the state
	// precision and linear are the values before an extrapolation.
	precision, linear []float64
}

// Indices of em.numbers.
const (
	emKnown   = iota // 1 if a round has ended
	emBound          // bound at the end of the last round
	emChange         // relative increase in the last round
	emLength         // length of the next extrapolation, in sweeps; 0 before the first
	emNumbers        // number of entries
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
		_ = e.undo() // the step failed anyway
	}
	return move, err
}

// undo restores the state before the step and recomputes derived values.
func (e *em) undo() error {
	for i, a := range e.arrays {
		copy(a, e.backup[i])
	}
	e.network.set.Forward()
	return e.network.refresh()
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
		if err := e.extrapolate(); err != nil {
			return infer.Move{}, err
		}
		if err := e.maximise(ctx); err != nil {
			return infer.Move{}, err
		}
	}
	if err := infer.CheckFinite(m.terms); err != nil {
		return infer.Move{}, &infer.NonFiniteError{Index: infer.Objective, Value: m.bound()}
	}
	objective := m.objective()
	converged := e.round(objective, turn)
	e.gauges[0] = e.numbers[emChange]
	return infer.Move{Objective: objective, Gauges: e.gauges, Converged: converged}, nil
}

// begin tries a starting point and keeps the best so far.
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
		if err := e.undo(); err != nil {
			return infer.Move{}, err
		}
	}
	e.phase = e.starts.record(step, bound)
	e.gauges[0] = 0
	return infer.Move{Objective: m.objective(), Gauges: e.gauges}, nil
}

// maximise updates the hyperparameters.
func (e *em) maximise(ctx context.Context) error {
	e.lbfgs.Restart()
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

// round records the bound if this step completes a round, and reports whether the relative increase
// of the bound in this round is at most ftol.
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
