package ep

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// site is the factor of one GP in stochastic EP: its cavity, which the pass of one
// point reads, and what follows for the factor from the gradients of that point's log Z.
type site struct {
	g      *gp
	mirror *gp    // what g is given, as constants
	cavity *state // of mirror, with a and c variables

	// The places of rescues.
	ofCavity, ofMoments, ofUpdate string

	w, covariance, root, work []float64 // [M][M]
	mean, first               []float64 // [M]
	newH, newFirst            []float64 // the factor that moments match, H [M][M] and h [M]
}

// newSite records what a pass needs of g on a tape of its own.
func newSite(t *autodiff.Tape, g *gp) *site {
	m, d := g.inducing, g.Z.Cols
	s := &site{g: g, ofCavity: g.place("cavity"), ofMoments: g.place("moment-matched covariance"), ofUpdate: g.place("update of the factor"),
		mirror: &gp{name: g.name, inducing: m, copies: g.copies, inverse: t.Constant(1, m, m)}}
	s.mirror.Z, s.mirror.Lengthscales, s.mirror.Variance = t.Constant(1, m, d), t.Constant(1, 1, d), t.Constant(1, 1, 1)
	s.cavity = &state{gp: s.mirror, a: t.Variable(1, m, 1), c: t.Variable(1, m, m)}
	for _, square := range []*[]float64{&s.w, &s.covariance, &s.root, &s.work, &s.newH} {
		*square = make([]float64, m*m)
	}
	for _, vector := range []*[]float64{&s.mean, &s.first, &s.newFirst} {
		*vector = make([]float64, m)
	}
	return s
}

// reflect takes over the present hyperparameters.
func (s *site) reflect() {
	for _, n := range [][2]*autodiff.Node{{s.mirror.Z, s.g.Z}, {s.mirror.Lengthscales, s.g.Lengthscales},
		{s.mirror.Variance, s.g.Variance}, {s.mirror.inverse, s.g.inverse}} {
		copy(n[0].Value, n[1].Value)
	}
}

// remove makes the cavity, the posterior without one copy of the factor: precision W and
// covariance C = W^-1, and the mean (N-1) C h.
func (s *site) remove(t *autodiff.Tape) error {
	m, copies := s.g.inducing, float64(s.g.copies-1)
	s.precision(s.w, copies)
	rescues, err := linalg.Cholesky(s.root, s.w, m, s.ofCavity)
	if rescues > 0 {
		t.CountRescues(s.ofCavity, rescues)
	}
	if err != nil {
		return err
	}
	s.invert(s.cavity.c.Value)
	for i, h := range s.g.h.Value {
		s.first[i] = copies * h
	}
	linalg.Gemm(false, false, m, 1, m, 1, s.cavity.c.Value, s.first, 0, s.cavity.a.Value)
	return nil
}

// precision sets dst to I + copies H.
func (s *site) precision(dst []float64, copies float64) {
	m := s.g.inducing
	for i, v := range s.g.hh.Value {
		dst[i] = copies * v
	}
	for i := range m {
		dst[i*m+i]++
	}
}

// invert sets dst to the inverse of the matrix whose factor is root.
func (s *site) invert(dst []float64) {
	m := s.g.inducing
	copy(s.work, s.g.identity.Value)
	linalg.SolveLower(s.root, s.work, m, m, m)
	linalg.Gemm(true, false, m, m, m, 1, s.work, s.work, 0, dst)
}

// match sets newFirst and newH to the factor with which the cavity has the moments of
// the cavity times the likelihood of a point, given the gradients g and D of log Z with
// respect to the cavity's mean a and covariance C (appendix C):
//
//	a' = a + C g, C' = C - C (g g^T - 2 D) C;  H = C'^-1 - W, h = C'^-1 a' - W a.
//
// It returns false where C' is not positive definite.
func (s *site) match() bool {
	m, c := s.g.inducing, s.cavity.c.Value
	g, d := s.cavity.a.Grad(), s.cavity.c.Grad()
	for i := range m {
		for j := range m {
			s.work[i*m+j] = g[i]*g[j] - d[i*m+j] - d[j*m+i]
		}
	}
	linalg.Gemm(false, false, m, m, m, 1, c, s.work, 0, s.root)
	linalg.Gemm(false, false, m, m, m, -1, s.root, c, 0, s.covariance)
	for i := range m {
		for j := range i + 1 {
			v := c[i*m+j] + 0.5*(s.covariance[i*m+j]+s.covariance[j*m+i])
			s.covariance[i*m+j], s.covariance[j*m+i] = v, v
		}
	}
	linalg.Gemm(false, false, m, 1, m, 1, c, g, 0, s.mean)
	for i, a := range s.cavity.a.Value {
		s.mean[i] += a
	}
	if !linalg.TryCholesky(s.root, s.covariance, m) {
		return false
	}
	s.invert(s.newH)
	linalg.Gemm(false, false, m, 1, m, 1, s.newH, s.mean, 0, s.newFirst)
	for i, v := range s.w {
		s.newH[i] -= v
	}
	for i, v := range s.first {
		s.newFirst[i] -= v
	}
	return true
}

// maxHalvings bounds how often a step of a factor is halved.
const maxHalvings = 20

// move takes the factor a share of the way to the one that moments match, or half of
// that, and so on, until the posterior is positive definite. It returns the number of
// halvings, and by how much the factor moved relative to its size.
func (s *site) move(share float64) (halvings int, change float64) {
	h, hh := s.g.h.Value, s.g.hh.Value
	m, copies := s.g.inducing, float64(s.g.copies)
	var moved, size float64
	for i, v := range s.newH {
		s.newH[i] = v - hh[i]
	}
	for ; halvings < maxHalvings; halvings++ {
		for i, v := range s.newH {
			s.w[i] = copies * (hh[i] + share*v)
		}
		for i := range m {
			s.w[i*m+i]++
		}
		if linalg.TryCholesky(s.root, s.w, m) {
			break
		}
		share *= 0.5
	}
	if halvings == maxHalvings {
		return halvings, 0
	}
	for i, v := range s.newH {
		size += hh[i] * hh[i]
		hh[i] += share * v
		moved += share * v * share * v
	}
	for i, v := range s.newFirst {
		h[i] += share * (v - h[i])
	}
	return halvings, math.Sqrt(moved / max(size, math.SmallestNonzeroFloat64))
}
