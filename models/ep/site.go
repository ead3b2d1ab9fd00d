package ep

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/infer"
	"dgplab/models/linalg"
)

// site is the factor of one GP in stochastic EP, and what follows for it from points
// that all see the same cavity.
//
// With g and D the gradients of a point's log Z with respect to the mean a and the
// covariance C of the cavity, the cavity times the likelihood has the moments (appendix C)
//
//	a' = a + C g, C' = C - C (g g^T - 2 D) C,
//
// which the cavity has with the factor H = C'^-1 - C^-1, h = C'^-1 a' - C^-1 a. With the
// root L of the cavity's precision, L L^T = C^-1, and F the inverse of the whitened C',
//
//	F = (I - L^-1 (g g^T - 2 D) L^-T)^-1,  H = L (F - I) L^T,  h = H a + L F L^-1 g.
type site struct {
	g      *gp
	mirror *gp    // what g is given, as constants
	cavity *state // of mirror, with a and c variables
	root   *autodiff.Node
	match  matcher

	// The places of rescues.
	ofMoments, ofUpdate string

	step, first []float64 // where the factor goes, H [M][M] and h [M]
	w, factor   []float64 // [M][M]
}

// matcher finds the factors that points leave behind.
type matcher interface {
	// sum sets h [M] and hh [M][M] to the sums of the factors of points, given the
	// gradients of log Z, and returns their number: without those whose moments are none,
	// for C' is not positive definite.
	sum(h, hh []float64) int
}

// newSite records what a pass needs of g on a tape of its own.
func newSite(t *autodiff.Tape, g *gp) *site {
	m, d := g.inducing, g.Z.Cols
	s := &site{g: g, ofMoments: g.place("moment-matched covariance"),
		ofUpdate: g.place("update of the factor"),
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

// reflect takes over the present hyperparameters and the cavity.
func (s *site) reflect() {
	for _, n := range [][2]*autodiff.Node{{s.mirror.Z, s.g.Z}, {s.mirror.Lengthscales, s.g.Lengthscales},
		{s.mirror.Variance, s.g.Variance}, {s.mirror.inverse, s.g.inverse}, {s.root, s.g.cavity.root},
		{s.cavity.a, s.g.cavity.a}, {s.cavity.c, s.g.cavity.c}} {
		copy(n[0].Value, n[1].Value)
	}
}

// aim finds the step of the factor to the mean of those of the given number of points,
// where a point without moments asks for none. It returns how many have them, and whether
// all numbers of the step are.
func (s *site) aim(points int) (matched int, finite bool) {
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

// maxHalvings bounds how often a step of a factor is halved.
const maxHalvings = 20

// move takes a share of the step, or half of that, and so on, until the posterior is
// positive definite. It returns the number of halvings, and by how much the factor moved
// relative to its size, which is the larger of those before and after.
func (s *site) move(share float64) (halvings int, change float64) {
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
