package ep

import (
	"dgplab/models/autodiff"
	"dgplab/models/kernel"
)

// gp is one sparse GP with its tied factor g(u). The posterior of its inducing outputs u has N
// copies of the factor in addition to the prior, and the cavity has N-1.
//
// Whitened coordinates are v = L^-1 u, with L L^T = K_uu and P = L^-1. The factor has natural
// parameters h = L^T T1 and H = L^T T2 L. With t copies of the factor, v ~ N(a, C) with
//
//	C = (I + t H)^-1,  a = t C h,  phi = log|L| - 1/2 log|I + t H| + 1/2 t^2 h^T C h.
type gp struct {
	kernel.RBFNodes
	inducing int // M
	copies   int // N
	name     string

	root, inverse *autodiff.Node // L and P, [1][M][M]
	h, hh         *autodiff.Node // of the factor: h [1][M][1] and H [1][M][M]
	logRoot       *autodiff.Node // log|L|, which is phi of the prior, [1][1][1]
	identity      *autodiff.Node

	cavity, posterior *state
}

// state is the distribution of a GP's inducing outputs under a given number of copies of its
// factor.
type state struct {
	gp   *gp
	root *autodiff.Node // the lower Cholesky factor of I + t H, [1][M][M]
	a    *autodiff.Node // the whitened mean, [1][M][1]
	c    *autodiff.Node // the whitened covariance, [1][M][M]
	phi  *autodiff.Node // [1][1][1], without log|L|
	half *autodiff.Node // t root^-1 h, [1][M][1]
}

// newGP records a GP for n data points with m inducing inputs of d dimensions. The factor is set by
// setFactor.
func newGP(t *autodiff.Tape, name string, n, m, d int, jitter float64) *gp {
	g := &gp{inducing: m, copies: n, name: name, identity: t.Constant(1, m, m)}
	for i := range m {
		g.identity.Value[i*m+i] = 1
	}
	g.RBFNodes = kernel.RBFNodes{
		Z:            t.Variable(1, m, d),
		Lengthscales: t.Variable(1, 1, d),
		Variance:     t.Variable(1, 1, 1),
	}
	kuu := kernel.RecordKuu(t, kernel.RBF, g.Z, g.Lengthscales, g.Variance, jitter)
	g.root = t.Cholesky(kuu, g.nameOf("K_uu"))
	g.logRoot = t.LogDiag(g.root)
	g.inverse = t.SolveLower(g.root, g.identity)
	return g
}

// nameOf returns the name of a matrix of the GP in errors and rescue counts.
func (g *gp) nameOf(matrix string) string { return matrix + " of " + g.name }

// setFactor records the states that the energy depends on, given the whitened factor.
func (g *gp) setFactor(t *autodiff.Tape, h, hh *autodiff.Node) {
	g.h, g.hh = h, hh
	g.cavity = g.with(t, g.copies-1, "cavity")
	g.posterior = g.with(t, g.copies, "posterior")
	g.cavity.complete(t)
}

// with records phi of the state with the given number of copies of the factor.
func (g *gp) with(t *autodiff.Tape, copies int, name string) *state {
	s := &state{gp: g}
	s.root = t.Cholesky(t.AddDiagConstant(t.Scale(g.hh, float64(copies)), 1), g.nameOf(name))
	s.half = t.Scale(t.SolveLower(s.root, g.h), float64(copies))
	s.phi = t.Sub(t.Scale(t.Sum(t.Square(s.half)), 0.5), t.LogDiag(s.root))
	return s
}

// complete records the mean and the covariance of a state.
func (s *state) complete(t *autodiff.Tape) {
	inverse := t.SolveLower(s.root, s.gp.identity)
	s.c = t.MatMul(inverse, inverse, autodiff.TransA)
	s.a = t.MatMul(inverse, s.half, autodiff.TransA)
}

// project records c = P k_u(x) at points x [1][D][B], [1][M][B].
func (g *gp) project(t *autodiff.Tape, x *autodiff.Node) *autodiff.Node {
	k := kernel.RecordKuf(t, kernel.RBF, g.Z, x, g.Lengthscales, g.Variance)
	return t.MatMul(g.inverse, k)
}

// atPoints records the moments of f, without noise, at points x [1][D][B], each [1][1][B]. With c
// as in project,
//
//	mean = a^T c, variance = k(x, x) - |c|^2 + c^T C c
func (s *state) atPoints(t *autodiff.Tape, x *autodiff.Node) (mean, vr *autodiff.Node) {
	c := s.gp.project(t, x)
	mean = t.MatMul(s.a, c, autodiff.TransA)
	vr = t.Add(t.Sub(s.gp.Variance, t.ColDots(c, c)), t.ColDots(c, t.MatMul(s.c, c)))
	return mean, vr
}

// meanWeights records A = K_uu^-1 m = P^T a, [1][1][M], for u ~ N(m, V).
func (s *state) meanWeights(t *autodiff.Tape) *autodiff.Node {
	return t.MatMul(s.a, s.gp.inverse, autodiff.TransA)
}

// squareWeights records B = K_uu^-1 (V + m m^T) K_uu^-1 - K_uu^-1 = P^T (C - I) P + A A^T,
// [1][M][M], given A.
func (s *state) squareWeights(t *autodiff.Tape, a *autodiff.Node) *autodiff.Node {
	p := s.gp.inverse
	b := t.MatMul(p, t.MatMul(t.AddDiagConstant(s.c, -1), p), autodiff.TransA)
	return t.Add(b, t.MatMul(a, a, autodiff.TransA))
}
