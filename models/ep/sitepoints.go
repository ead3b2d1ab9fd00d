package ep

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// points matches moments for a GP of the first layer, with known inputs. Since f is c^T v, with c =
// P k_u(x), the factor of a point has rank one. With alpha and beta the gradients of log Z with
// respect to the mean and the variance of f,
//
//	s = alpha^2 - 2 beta,  H = s / (1 - s c^T C c) c c^T,
//	h = (s a^T c + alpha) / (1 - s c^T C c) c.
type points struct {
	m        int
	marginal // of f, [1][1][B]
	c        *autodiff.Node
	spread   *autodiff.Node // c^T C c, [1][1][B]

	weights, linear, scaled []float64 // weights of H and h, [B]; c times the weights of H, [M][B]
}

// atPoints sets s.match for points x [1][D][B] and the given moments of f.
func (s *site) atPoints(t *autodiff.Tape, x *autodiff.Node, f marginal) {
	b, m := x.Cols, s.g.inducing
	p := &points{m: m, marginal: f, c: s.mirror.project(t, x),
		weights: make([]float64, b), linear: make([]float64, b), scaled: make([]float64, m*b)}
	p.spread = t.ColDots(p.c, t.MatMul(s.cavity.c, p.c))
	s.match = p
}

// sum implements matcher.
func (p *points) sum(h, hh []float64) (matched int) {
	alphas := p.mean.Grad()
	betas := p.vr.Grad()
	b := len(p.weights)
	for i, alpha := range alphas {
		s := alpha*alpha - 2*betas[i]
		left := 1 - s*p.spread.Value[i]
		if !(left > 0) {
			p.weights[i], p.linear[i] = 0, 0
			continue
		}
		matched++
		p.weights[i], p.linear[i] = s/left, (s*p.mean.Value[i]+alpha)/left
	}
	for a := range p.m {
		row := p.scaled[a*b : (a+1)*b]
		for i, c := range p.c.Row(a) {
			row[i] = c * p.weights[i]
		}
	}
	linalg.Gemm(false, true, p.m, p.m, b, 1, p.scaled, p.c.Value, 0, hh)
	linalg.Gemm(false, false, p.m, 1, b, 1, p.c.Value, p.linear, 0, h)
	linalg.Mirror(hh, p.m)
	return matched
}
