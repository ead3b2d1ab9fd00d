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

// factorChange is by how much the factors moved in a step, relative to their size: the
// largest of all GPs and points.
var factorChange = infer.Reading{Key: "factor_change", Name: "factor change"}

// stochastic is stochastic EP as an infer.Method: passes over the data, in which the
// points of a step move the factors, all from the same cavities, and between them steps of
// Adam on the energy of minibatches for the hyperparameters (appendices B and C). With
// one point in a step it is the paper's.
//
// Li, Hernandez-Lobato, Turner, "Stochastic Expectation Propagation", NIPS 2015,
// arXiv:1506.04132.
type stochastic struct {
	problem *problem
	adam    *infer.Adam
	plan    plan
	points  *train.Minibatches

	tape        *autodiff.Tape // of the points of a step
	pass        *pass
	y           *autodiff.Node
	logZ, total *autodiff.Node // of each point, and of all
	sites       []*site

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

// share returns that of the way that the points of a step move a factor to the mean of
// theirs: as far as they would one after another.
func (p plan) share() float64 { return 1 - math.Pow(1-p.damping, float64(p.points)) }

// at returns the number of a step among those of passes, or whether it is one of Adam.
func (p plan) at(step int) (pass int, adam bool) {
	round, place := step/(p.passSteps+p.hyperSteps), step%(p.passSteps+p.hyperSteps)
	return round*p.passSteps + place, place >= p.passSteps
}

// newStochastic returns the method for a problem whose factors are its state.
func newStochastic(
	p *problem, l likelihood.Likelihood, adam *infer.Adam, plan plan, seed uint64,
) *stochastic {
	n, _ := p.data.X.Dims()
	s := &stochastic{problem: p, adam: adam, plan: plan, points: train.NewMinibatches(seed+1, n, plan.points),
		tape: autodiff.NewTape(), gauges: make([]float64, 3)}
	cavities := map[*gp]*state{}
	p.eachGP(func(_, _ int, g *gp) {
		own := newSite(s.tape, g)
		s.sites, cavities[g] = append(s.sites, own), own.cavity
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

// recordMatches records what matching moments needs beside log Z.
func (s *stochastic) recordMatches() {
	at := 0
	for l, out := range s.pass.layers {
		sites := s.sites[at : at+len(out.of)]
		at += len(out.of)
		if l == 0 {
			for k, f := range out.of {
				sites[k].atPoints(s.tape, s.pass.x, f)
			}
			continue
		}
		in := s.pass.layers[l-1]
		var deep []*gaussians
		for k, f := range out.of {
			own := sites[k].atGaussians(s.tape, in, f)
			if out.covariance != nil {
				for j, earlier := range deep {
					row := k*(k-1)/2 + j
					own.beside(s.tape, in, earlier, false, out.covariance, row)
					earlier.beside(s.tape, in, own, true, out.covariance, row)
				}
			}
			deep = append(deep, own)
		}
	}
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
	value, err := s.sweep(int(step), s.points.Rows(pass))
	if err != nil {
		for i, a := range s.problem.state {
			copy(a.Data, s.backup[i])
		}
		return infer.Move{}, err
	}
	s.gauges[0], s.gauges[1] = s.adam.Rate(), 0
	return infer.Move{Objective: value, Gauges: s.gauges}, nil
}

// sweep lets rows of the data move the factors, and returns their energy before that.
func (s *stochastic) sweep(step int, rows []int) (float64, error) {
	p := s.problem
	if err := p.tape.ForwardTo(p.parametersOnly); err != nil {
		return 0, err
	}
	for _, own := range s.sites {
		own.reflect()
	}
	train.Columns(s.pass.x.Value, p.data.X, rows)
	train.Columns(s.y.Value, p.data.Y, rows)
	if err := s.tape.Forward(); err != nil {
		return 0, err
	}
	n, _ := p.data.X.Dims()
	p.terms[0], p.terms[1] = float64(n)/float64(len(rows))*s.total.Value[0], p.factors.Value[0]
	value := p.terms[0] + p.terms[1]
	if value-value != 0 {
		return 0, &infer.NonFiniteError{Index: infer.Objective, Value: value}
	}
	s.tape.Backward(s.total)
	for _, own := range s.sites {
		if !s.update(own) {
			return 0, &family.NonFiniteError{Where: "the factor of " + own.g.name, Step: step}
		}
	}
	return value, nil
}

// update moves the factor of one GP. It returns false where that would not be finite.
func (s *stochastic) update(own *site) bool {
	t, points := s.problem.tape, s.plan.points
	matched, finite := own.aim(points)
	if !finite {
		return false
	}
	if matched < points {
		t.CountRescues(own.ofMoments, points-matched)
	}
	halvings, change := own.move(s.plan.share())
	if halvings > 0 {
		t.CountRescues(own.ofUpdate, halvings)
	}
	s.gauges[2] = max(s.gauges[2], change)
	return true
}
