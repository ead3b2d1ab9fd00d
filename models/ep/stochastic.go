package ep

import (
	"context"

	"dgplab/models/autodiff"
	"dgplab/models/infer"
	"dgplab/models/likelihood"
	"dgplab/models/param"
	"dgplab/models/train"
)

// factorChange is by how much the factors moved in a step, relative to their size: the
// largest of all GPs and points.
var factorChange = infer.Reading{Key: "factor_change", Name: "factor change"}

// stochastic is stochastic EP as an infer.Method: passes over the data, in which every
// point moves the factors, and between them steps of Adam on the energy of minibatches
// for the hyperparameters (appendices B and C).
//
// Li, Hernandez-Lobato, Turner, "Stochastic Expectation Propagation", NIPS 2015,
// arXiv:1506.04132.
type stochastic struct {
	problem *problem
	adam    *infer.Adam
	plan    plan
	points  *train.Minibatches

	tape    *autodiff.Tape // of one point
	pass    *pass
	y, logZ *autodiff.Node
	sites   []*site

	gauges []float64
	backup [][]float64 // of the factors
	turn   bool        // the last step was one of Adam
}

// plan is what the steps of stochastic EP are.
type plan struct {
	// points are those of a step of a pass, passSteps the steps of a pass, and hyperSteps
	// those of Adam after it.
	points, passSteps, hyperSteps int
	// damping is the share of the way that one point moves a factor.
	damping float64
}

// at returns the number of a step among those of passes, or whether it is one of Adam.
func (p plan) at(step int) (pass int, adam bool) {
	round, place := step/(p.passSteps+p.hyperSteps), step%(p.passSteps+p.hyperSteps)
	return round*p.passSteps + place, place >= p.passSteps
}

// newStochastic returns the method for a problem whose factors are its state.
func newStochastic(p *problem, l likelihood.Likelihood, adam *infer.Adam, plan plan, seed uint64) *stochastic {
	n, _ := p.data.X.Dims()
	s := &stochastic{problem: p, adam: adam, plan: plan, points: train.NewMinibatches(seed+1, n, plan.points),
		tape: autodiff.NewTape(), gauges: make([]float64, 3)}
	cavities := map[*gp]*state{}
	p.eachGP(func(_, _ int, g *gp) {
		own := newSite(s.tape, g)
		s.sites, cavities[g] = append(s.sites, own), own.cavity
	})
	s.y = s.tape.Constant(1, p.y.Rows, 1)
	s.pass = p.record(s.tape, 1, func(g *gp) *state { return cavities[g] })
	s.logZ = p.recordLogZ(s.tape, l, s.pass.last(), s.y)
	for _, a := range p.state {
		s.backup = append(s.backup, make([]float64, len(a.Data)))
	}
	return s
}

// Gauges implements infer.Method.
func (*stochastic) Gauges() []infer.Reading {
	return []infer.Reading{infer.LearningRate, infer.GradientNorm, factorChange}
}

// State implements infer.Method; the factors are the problem's.
func (s *stochastic) State() []param.Array { return s.adam.State() }

// Step implements infer.Method.
func (s *stochastic) Step(ctx context.Context, p infer.Problem, step uint64) (infer.Move, error) {
	pass, adam := s.plan.at(int(step))
	s.turn = adam
	s.gauges[2] = 0
	if adam {
		move, err := s.adam.Step(ctx, p, step)
		copy(s.gauges, move.Gauges)
		move.Gauges = s.gauges
		return move, err
	}
	for i, a := range s.problem.state {
		copy(s.backup[i], a.Data)
	}
	value, err := s.sweep(p, pass, step)
	if err != nil {
		for i, a := range s.problem.state {
			copy(a.Data, s.backup[i])
		}
		return infer.Move{}, err
	}
	s.gauges[0], s.gauges[1] = s.adam.Rate(), 0
	return infer.Move{Objective: value, Gauges: s.gauges}, nil
}

// sweep lets the points of a step of a pass move the factors, one after another, and
// returns the energy of a minibatch after that.
func (s *stochastic) sweep(p infer.Problem, pass int, step uint64) (float64, error) {
	main := s.problem.tape
	if err := main.ForwardTo(s.problem.parametersOnly); err != nil {
		return 0, err
	}
	for _, own := range s.sites {
		own.reflect()
	}
	for _, row := range s.points.Rows(pass) {
		if err := s.update(row); err != nil {
			return 0, err
		}
	}
	p.Draw(step)
	value, err := p.Evaluate(nil)
	if err == nil && value-value != 0 {
		err = &infer.NonFiniteError{Index: infer.Objective, Value: value}
	}
	return value, err
}

// update lets one point move the factors of all GPs.
func (s *stochastic) update(row int) error {
	main := s.problem.tape
	for _, own := range s.sites {
		if err := own.remove(main); err != nil {
			return err
		}
	}
	copy(s.pass.x.Value, s.problem.data.X.RawRowView(row))
	copy(s.y.Value, s.problem.data.Y.RawRowView(row))
	if err := s.tape.Forward(); err != nil {
		return err
	}
	s.tape.Backward(s.logZ)
	for _, own := range s.sites {
		if err := infer.CheckFinite(own.cavity.a.Grad()); err != nil {
			return &infer.NonFiniteError{Index: infer.Objective, Value: s.logZ.Value[0]}
		}
		if !own.match() {
			main.CountRescues(own.ofMoments, 1)
			continue
		}
		halvings, change := own.move(s.plan.damping)
		if halvings > 0 {
			main.CountRescues(own.ofUpdate, halvings)
		}
		s.gauges[2] = max(s.gauges[2], change)
	}
	return nil
}
