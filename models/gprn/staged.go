package gprn

import (
	"context"

	"dgplab/models/infer"
	"dgplab/models/param"
)

// startIterations is the number of iterations after which starts are compared.
const startIterations = 20

// staged is L-BFGS on the posterior alone at first, then on everything. The first steps
// try starting points, each with iterations of a method of its own.
type staged struct {
	*infer.LBFGS
	npv    *npv
	starts *starts
	method func() *infer.LBFGS
	backup []float64 // of the parameters
	phase  string    // of the last step
}

// newStaged returns the method for a posterior.
func newStaged(m *npv, s *starts, method func() *infer.LBFGS) *staged {
	return &staged{LBFGS: method(), npv: m, starts: s, method: method, backup: make([]float64, m.set.Size())}
}

// State implements infer.Method.
func (s *staged) State() []param.Array { return append(s.LBFGS.State(), s.starts.state()) }

// Step implements infer.Method.
func (s *staged) Step(ctx context.Context, p infer.Problem, step uint64) (infer.Move, error) {
	if step < s.starts.count() {
		return s.begin(ctx, step)
	}
	s.phase = ""
	if step < s.npv.hold {
		s.phase = "posterior alone"
	}
	if step == s.npv.hold {
		s.Renew() // The gradient has entries now that were held at zero.
	}
	move, err := s.LBFGS.Step(ctx, p, step)
	move.Converged = move.Converged && step >= s.npv.hold
	return move, err
}

// begin tries a starting point, and leaves the best so far.
func (s *staged) begin(ctx context.Context, step uint64) (infer.Move, error) {
	m := s.npv
	copy(s.backup, m.set.Free)
	move, err := s.climb(ctx, step)
	if err != nil {
		s.back()
		return infer.Move{}, err
	}
	bound := move.Objective
	if !s.starts.better(step, bound) {
		s.back()
		move.Objective, err = m.Evaluate(nil)
		if err != nil {
			return infer.Move{}, err
		}
	}
	s.phase = s.starts.record(step, bound)
	return move, nil
}

// climb takes the first iterations from a starting point.
func (s *staged) climb(ctx context.Context, step uint64) (move infer.Move, err error) {
	if err := s.npv.look(); err != nil {
		return move, err
	}
	if err := s.npv.start(int(step), s.starts.stream(step)); err != nil {
		return move, err
	}
	at, _ := s.npv.set.Range(numVariational)
	copy(s.npv.set.Free[at:], s.backup[at:]) // What is held keeps its bits.
	method := s.method()
	for range startIterations {
		move, err = method.Step(ctx, s.npv, step)
		if err != nil {
			return move, err
		}
	}
	move.Converged = false
	return move, nil
}

// back makes the parameters those before the step.
func (s *staged) back() {
	copy(s.npv.set.Free, s.backup)
	s.npv.set.Forward()
}
