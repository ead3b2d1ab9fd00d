package gprn

import (
	"context"

	"dgplab/models/infer"
	"dgplab/models/param"
)

// startIterations is the number of iterations from each starting point before starting points are
// compared.
const startIterations = 20

// staged runs L-BFGS on the posterior first and then on all parameters. The first steps try
// starting points, each with a separate L-BFGS.
type staged struct {
	*infer.LBFGS
	npv    *npv
	starts *starts
	method func() *infer.LBFGS
	backup []float64 // copy of the parameters
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
		s.phase = "posterior only"
	}
	if step == s.npv.hold {
		s.Restart() // entries of the gradient that were zero now vary
	}
	move, err := s.LBFGS.Step(ctx, p, step)
	move.Converged = move.Converged && step >= s.npv.hold
	return move, err
}

// begin tries a starting point and keeps the best so far.
func (s *staged) begin(ctx context.Context, step uint64) (infer.Move, error) {
	m := s.npv
	copy(s.backup, m.set.Free)
	move, err := s.iterate(ctx, step)
	if err != nil {
		s.restore()
		return infer.Move{}, err
	}
	bound := move.Objective
	if !s.starts.better(step, bound) {
		s.restore()
		move.Objective, err = infer.Evaluate(m, nil)
		if err != nil {
			return infer.Move{}, err
		}
	}
	s.phase = s.starts.record(step, bound)
	return move, nil
}

// iterate runs the first iterations from a starting point.
func (s *staged) iterate(ctx context.Context, step uint64) (move infer.Move, err error) {
	if err := s.npv.refreshQuietly(); err != nil {
		return move, err
	}
	if err := s.npv.start(int(step), s.starts.stream(step)); err != nil {
		return move, err
	}
	at, _ := s.npv.set.Range(numVariational)
	copy(s.npv.set.Free[at:], s.backup[at:]) // keep the bits of fixed parameters
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

// restore resets the parameters to their values before the step.
func (s *staged) restore() {
	copy(s.npv.set.Free, s.backup)
	s.npv.set.Forward()
}
