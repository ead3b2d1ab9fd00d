package ep

import (
	"dgplab/models/autodiff"
	"dgplab/models/likelihood"
)

// energy is the approximate EP energy of N data points, estimated on a minibatch of B points:
//
//	F = (1-N) phi(posterior) + N phi(cavity) - phi(prior) + N/B sum_b log Z_b
//
// (Bui et al. 2016, section 4.2). It approximates the log evidence and is not a bound.
type energy struct {
	*stack
	likelihood likelihood.Likelihood

	pass    *pass
	y       *autodiff.Node // [1][P][B]
	logZ    *autodiff.Node // [1][1][B]
	scaled  *autodiff.Node // N/B sum log Z, [1][1][1]
	factors *autodiff.Node // the terms in phi, [1][1][1]
	value   *autodiff.Node
	// parametersOnly is the length of the part of the tape that needs no data.
	parametersOnly int
}

// newEnergy records the energy of n data points in minibatches of b, with p targets.
func newEnergy(s *stack, l likelihood.Likelihood, n, b, p int) *energy {
	t := s.tape
	e := &energy{stack: s, likelihood: l, y: t.Constant(1, p, b)}
	s.eachGP(func(_, _ int, g *gp) {
		// The log|L| terms of the three phi cancel.
		terms := t.Add(t.Scale(g.posterior.phi, float64(1-n)), t.Scale(g.cavity.phi, float64(n)))
		if e.factors == nil {
			e.factors = terms
			return
		}
		e.factors = t.Add(e.factors, terms)
	})
	e.parametersOnly = t.Mark()
	e.pass = s.record(t, b, func(g *gp) *state { return g.cavity })
	e.logZ = s.recordLogZ(t, l, e.pass.last(), e.y)
	e.scaled = t.Scale(t.Sum(e.logZ), float64(n)/float64(b))
	e.value = t.Add(e.scaled, e.factors)
	return e
}

// recordLogZ records log Z, [1][1][B], of points with targets y [1][P][B] and the given moments of
// the outputs. Missing targets are NaN.
func (s *stack) recordLogZ(
	t *autodiff.Tape, l likelihood.Likelihood, outputs moments, y *autodiff.Node,
) *autodiff.Node {
	noise := s.layers[len(s.layers)-1].noise
	if outputs.covariance != nil {
		return recordJoint(t, y, outputs, noise, "covariance of the outputs")
	}
	return likelihood.RecordMixture(t, l, likelihood.LogExpected, y, outputs.mean, outputs.vr,
		noise, t.Constant(1, 1, 1), likelihood.Rows{})
}
