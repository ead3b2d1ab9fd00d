package ep

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/infer"
	"dgplab/models/linalg"
)

// site updates the factor of one GP in stochastic EP by moment matching, for points that share a
// cavity.
//
// With g and D the gradients of a point's log Z with respect to the mean a and the covariance C of
// the cavity, the cavity times the likelihood has the moments (appendix C)
//
//	a' = a + C g, C' = C - C (g g^T - 2 D) C,
//
// which equal the moments of the cavity times the factor H = C'^-1 - C^-1, h = C'^-1 a' - C^-1 a.
// With the root L of the cavity's precision, L L^T = C^-1, and F the inverse of the whitened C',
//
//	F = (I - L^-1 (g g^T - 2 D) L^-T)^-1,  H = L (F - I) L^T,  h = H a + L F L^-1 g.
type site struct {
	g      *gp
	mirror *gp    // a copy of g with constant parameters
	cavity *state // the state of mirror, with a and c as variables
	root   *autodiff.Node
	match  matcher

	// Names in rescue counts.
	ofMoments, ofUpdate string

	step, first []float64 // the step of the factor, H [M][M] and h [M]
	w, factor   []float64 // [M][M]
}

// matcher computes the factors of points by moment matching.
type matcher interface {
	// sum sets h [M] and hh [M][M] to the sums of the factors of the points, given the gradients of
	// log Z. It omits points without a positive definite C' and returns the number of points in the
	// sums.
	sum(h, hh []float64) int
}

// newSite records the nodes of g that a pass uses on the separate tape t.
func newSite(t *autodiff.Tape, g *gp) *site {
	m, d := g.inducing, g.Z.Cols
	s := &site{g: g, ofMoments: g.nameOf("moment-matched covariance"),
		ofUpdate: g.nameOf("update of the factor"),
		mirror:   &gp{name: g.name, inducing: m, copies: g.copies, inverse: t.Constant(1, m, m)},
		root:     t.Constant(1, m, m)}
	s.mirror.Z = t.Constant(1, m, d)
	s.mirror.Lengthscales = t.Constant(1, 1, d)
	s.mirror.Variance = t.Constant(1, 1, 1)
	s.cavity = &state{gp: s.mirror, a: t.Variable(1, m, 1), c: t.Variable(1, m, m)}
	s.step = make([]float64, m*m)
	s.w = make([]float64, m*m)
	s.factor = make([]float64, m*m)
	s.first = make([]float64, m)
	return s
}

// copyState copies the current hyperparameters and the cavity to the separate tape.
func (s *site) copyState() {
	for _, n := range [][2]*autodiff.Node{{s.mirror.Z, s.g.Z}, {s.mirror.Lengthscales, s.g.Lengthscales},
		{s.mirror.Variance, s.g.Variance}, {s.mirror.inverse, s.g.inverse}, {s.root, s.g.cavity.root},
		{s.cavity.a, s.g.cavity.a}, {s.cavity.c, s.g.cavity.c}} {
		copy(n[0].Value, n[1].Value)
	}
}

// computeStep computes the step from the current factor to the mean of the points' factors. points
// is the number of points. Points without valid moments contribute no step. It returns the number
// of points with valid moments and reports whether the step is finite.
func (s *site) computeStep(points int) (matched int, finite bool) {
	matched = s.match.sum(s.first, s.step)
	share := 1 / float64(points)
	stay := float64(matched)
	for i, v := range s.g.hh.Value {
		s.step[i] = share * (s.step[i] - stay*v)
	}
	for i, v := range s.g.h.Value {
		s.first[i] = share * (s.first[i] - stay*v)
	}
	return matched, infer.CheckFinite(s.first) == nil && infer.CheckFinite(s.step) == nil
}

// maxHalvings limits the number of halvings of a step.
const maxHalvings = 20

// applyStep applies the step times share, halving share until the posterior is positive definite.
// It returns the number of halvings and the change of the factor, relative to the larger of its
// norms before and after the step.
func (s *site) applyStep(share float64) (halvings int, change float64) {
	h, hh := s.g.h.Value, s.g.hh.Value
	m, copies := s.g.inducing, float64(s.g.copies)
	for ; halvings < maxHalvings; halvings++ {
		for i, v := range s.step {
			s.w[i] = copies * (hh[i] + share*v)
		}
		for i := range m {
			s.w[i*m+i]++
		}
		if linalg.TryCholesky(s.factor, s.w, m) {
			break
		}
		share *= 0.5
	}
	if halvings == maxHalvings {
		return halvings, 0
	}
	var moved, before, after float64
	for i, v := range s.step {
		before += hh[i] * hh[i]
		hh[i] += share * v
		after += hh[i] * hh[i]
		moved += share * v * share * v
	}
	for i, v := range s.first {
		h[i] += share * v
	}
	if moved == 0 {
		return halvings, 0
	}
	return halvings, math.Sqrt(moved / max(before, after))
}
