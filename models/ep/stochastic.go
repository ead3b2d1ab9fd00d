package ep

import (
	"context"
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/likelihood"
	"dgplab/models/param"
	"dgplab/models/train"
)

// factorChange is the relative change of the factors in a step: the maximum over GPs.
var factorChange = infer.Reading{Key: "factor_change", Name: "factor change"}

// stochastic is stochastic EP as an infer.Method. In passes over the data, the points of a step
// update the factors, all from the same cavities. Between passes, steps of Adam on the energy of
// minibatches update the hyperparameters (appendices B and C). With one point per step, this is the
// algorithm of the paper.
//
// Li, Hernandez-Lobato, Turner, "Stochastic Expectation Propagation", NIPS 2015, arXiv:1506.04132.
type stochastic struct {
	problem *problem
	adam    *infer.Adam
	plan    plan
	points  *train.Minibatches

	tape        *autodiff.Tape // for the points of a step
	pass        *pass
	y           *autodiff.Node
	logZ, total *autodiff.Node // of each point, and their sum
	sites       []*site

	gauges   []float64
	backup   [][]float64 // copies of the factors
	adamStep bool        // the last step was a step of Adam
}

// plan describes the schedule of stochastic EP.
type plan struct {
	// points is the number of points per step of a pass, passSteps is the number of steps of a
	// pass, and hyperSteps is the number of Adam steps after it.
	points, passSteps, hyperSteps int
	// damping is the step size of one point's update of a factor.
	damping float64
}

// share returns the step size for all points of a step, equivalent to successive updates by single
// points.
func (p plan) share() float64 { return 1 - math.Pow(1-p.damping, float64(p.points)) }

// at returns the index of a step among the steps of passes and reports whether it is a step of
// Adam.
func (p plan) at(step int) (pass int, adam bool) {
	round, within := step/(p.passSteps+p.hyperSteps), step%(p.passSteps+p.hyperSteps)
	return round*p.passSteps + within, within >= p.passSteps
}

// newStochastic returns the method for a problem with the factors as its state.
func newStochastic(
	p *problem, l likelihood.Likelihood, adam *infer.Adam, plan plan, seed uint64,
) *stochastic {
	n, _ := p.data.X.Dims()
	s := &stochastic{problem: p, adam: adam, plan: plan, points: train.NewMinibatches(seed+1, n, plan.points),
		tape: autodiff.NewTape(), gauges: make([]float64, 3)}
	cavities := map[*gp]*state{}
	p.eachGP(func(_, _ int, g *gp) {
		site := newSite(s.tape, g)
		s.sites, cavities[g] = append(s.sites, site), site.cavity
	})
	s.y = s.tape.Constant(1, p.y.Rows, plan.points)
	s.pass = p.record(s.tape, plan.points, func(g *gp) *state { return cavities[g] })
	s.logZ = p.recordLogZ(s.tape, l, s.pass.last(), s.y)
	s.total = s.tape.Sum(s.logZ)
	s.recordMatches()
	p.counted = append(p.counted, s.tape)
	for _, a := range p.state {
		s.backup = append(s.backup, make([]float64, len(a.Data)))
	}
	return s
}

// recordMatches records the nodes that moment matching needs in addition to log Z.
func (s *stochastic) recordMatches() {
	at := 0
	for l, out := range s.pass.layers {
		sites := s.sites[at : at+len(out.gps)]
		at += len(out.gps)
		if l == 0 {
			for k, f := range out.gps {
				sites[k].atPoints(s.tape, s.pass.x, f)
			}
			continue
		}
		in := s.pass.layers[l-1]
		var deep []*gaussians
		for k, f := range out.gps {
			current := sites[k].atGaussians(s.tape, in, f)
			if out.covariance != nil {
				for j, earlier := range deep {
					row := k*(k-1)/2 + j
					current.addCorrelated(s.tape, in, earlier, false, out.covariance, row)
					earlier.addCorrelated(s.tape, in, current, true, out.covariance, row)
				}
			}
			deep = append(deep, current)
		}
	}
}

// Gauges implements infer.Method.
func (*stochastic) Gauges() []infer.Reading {
	return []infer.Reading{infer.LearningRate, infer.GradientNorm, factorChange}
}

// RateSchedule implements infer.Scheduled.
func (s *stochastic) RateSchedule() *infer.Schedule { return s.adam.RateSchedule() }

// State implements infer.Method. The factors are part of the state of the problem.
func (s *stochastic) State() []param.Array { return s.adam.State() }

// Step implements infer.Method.
func (s *stochastic) Step(ctx context.Context, p infer.Problem, step uint64) (infer.Move, error) {
	pass, adam := s.plan.at(int(step))
	s.adamStep = adam
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
	value, err := s.sweep(int(step), s.points.Rows(pass))
	if err != nil {
		for i, a := range s.problem.state {
			copy(a.Data, s.backup[i])
		}
		return infer.Move{}, err
	}
	s.gauges[0], s.gauges[1] = s.adam.Schedule.At(int(step)+1), 0
	return infer.Move{Objective: value, Gauges: s.gauges}, nil
}

// sweep updates the factors from the given rows of the data and returns the energy before the
// update.
func (s *stochastic) sweep(step int, rows []int) (float64, error) {
	p := s.problem
	if err := p.tape.ForwardTo(p.parametersOnly); err != nil {
		return 0, err
	}
	for _, site := range s.sites {
		site.copyState()
	}
	train.Columns(s.pass.x.Value, p.data.X, rows)
	train.Columns(s.y.Value, p.data.Y, rows)
	if err := s.tape.Forward(); err != nil {
		return 0, err
	}
	n, _ := p.data.X.Dims()
	p.terms[0], p.terms[1] = float64(n)/float64(len(rows))*s.total.Value[0], p.factors.Value[0]
	value := p.terms[0] + p.terms[1] + p.Set.LogPrior(nil)
	if value-value != 0 {
		return 0, &infer.NonFiniteError{Index: infer.Objective, Value: value}
	}
	s.tape.Backward(s.total)
	for _, site := range s.sites {
		if !s.update(site) {
			return 0, &family.NonFiniteError{Where: "the factor of " + site.g.name, Step: step}
		}
	}
	return value, nil
}

// update moves the factor of one GP. It returns false if the step is not finite.
func (s *stochastic) update(site *site) bool {
	t, points := s.problem.tape, s.plan.points
	matched, finite := site.computeStep(points)
	if !finite {
		return false
	}
	if matched < points {
		t.CountRescues(site.ofMoments, points-matched)
	}
	halvings, change := site.applyStep(s.plan.share())
	if halvings > 0 {
		t.CountRescues(site.ofUpdate, halvings)
	}
	s.gauges[2] = max(s.gauges[2], change)
	return true
}
