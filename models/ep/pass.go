package ep

import (
	"dgplab/models/autodiff"
	"dgplab/models/kernel"
)

// layer is a layer of GPs, each with its own kernel, inducing inputs and factor. They share the
// noise, which is nil for the last layer with classes.
type layer struct {
	gps   []*gp
	noise *autodiff.Node // [1][1][1]
}

// stack holds the layers of a deep GP.
type stack struct {
	tape   *autodiff.Tape
	layers []*layer
	inputs int
	// correlated selects a full covariance of the outputs of a point.
	correlated bool
	jitter     float64 // added to every K_uu
}

// outputs returns the number of GPs of the last layer.
func (s *stack) outputs() int { return len(s.layers[len(s.layers)-1].gps) }

// eachGP calls visit for each GP, layer by layer.
func (s *stack) eachGP(visit func(l, k int, g *gp)) {
	for l, current := range s.layers {
		for k, g := range current.gps {
			visit(l, k, g)
		}
	}
}

// moments are the Gaussian moments of the outputs of a layer at B points.
type moments struct {
	mean, vr *autodiff.Node // [1][T][B]; vr includes the noise of hidden layers
	// covariance holds the covariance of outputs i and j < i in row i(i-1)/2 + j, [1][T(T-1)/2][B].
	// It is nil if outputs are independent.
	covariance *autodiff.Node
	// gps holds the moments of each GP, [1][1][B], without noise.
	gps []marginal
}

// marginal holds the mean and the variance of f of one GP.
type marginal struct{ mean, vr *autodiff.Node }

// pass propagates Gaussian inputs of B points through the layers. After each layer the output
// distribution is replaced by independent Gaussians with the same moments.
//
// Bui, Hernandez-Lobato, Li, Hernandez-Lobato, Turner, "Deep Gaussian Processes for Regression
// using Approximate Expectation Propagation", ICML 2016, section 5.
type pass struct {
	x      *autodiff.Node // [1][D][B]
	layers []moments
}

// last returns the moments of the outputs.
func (p *pass) last() moments { return p.layers[len(p.layers)-1] }

// record records a pass of b points. The function `of` selects the cavity or the posterior of a GP.
// The variance of the outputs excludes the output noise.
func (s *stack) record(t *autodiff.Tape, b int, of func(*gp) *state) *pass {
	p := &pass{x: t.Constant(1, s.inputs, b)}
	in := moments{mean: p.x}
	for l, current := range s.layers {
		out := current.propagate(t, in, of, l == 0)
		if last := l == len(s.layers)-1; !last {
			out.vr = t.Add(out.vr, current.noise)
		} else if s.correlated && l > 0 && len(current.gps) > 1 {
			out.covariance = current.covariances(t, in, out, of)
		}
		p.layers = append(p.layers, out)
		in = out
	}
	return p
}

// propagate records the moments of f of a layer. The inputs are points for the first layer and
// Gaussians for the others.
func (l *layer) propagate(t *autodiff.Tape, in moments, of func(*gp) *state, first bool) moments {
	var means, vars []*autodiff.Node
	var each []marginal
	for _, g := range l.gps {
		s := of(g)
		var f marginal
		if first {
			f.mean, f.vr = s.atPoints(t, in.mean)
		} else {
			f.mean, f.vr = s.atGaussians(t, in)
		}
		means = append(means, f.mean)
		vars = append(vars, f.vr)
		each = append(each, f)
	}
	return moments{mean: t.StackRows(means...), vr: t.StackRows(vars...), gps: each}
}

// atGaussians records the moments of f, without noise, at independent Gaussian inputs. With A and B
// as in meanWeights and squareWeights,
//
//	mean = A psi_1, variance = psi_0 + tr(B psi_2) - mean^2.
func (s *state) atGaussians(t *autodiff.Tape, in moments) (mean, vr *autodiff.Node) {
	g := s.gp
	a := s.meanWeights(t)
	mean = kernel.ExpectedSum(t, kernel.FirstBumps(t, g.RBFNodes, a), in.mean, in.vr)
	second := kernel.ExpectedSum(t, kernel.SquareBumps(t, g.RBFNodes, s.squareWeights(t, a)), in.mean, in.vr)
	return mean, matchedVariance(t, g, second, mean)
}

// roundingShare is the largest relative size of a negative variance that counts as rounding error.
// Such errors arise because large entries of B, of the size of K_uu^-1, cancel.
const roundingShare = 1e-7

// matchedVariance records k(h, h) + second - mean^2, [1][1][B]. The exact result is never negative.
// A negative result is replaced by the constant zero, and counted as a rescue unless it is rounding
// error.
func matchedVariance(t *autodiff.Tape, g *gp, second, mean *autodiff.Node) *autodiff.Node {
	out := t.Output(1, 1, mean.Cols, g.Variance, second, mean)
	matrix := g.nameOf("moment-matched variance")
	return t.Record(out, func() error {
		prior, rescues := g.Variance.Value[0], 0
		for b, m := range mean.Value {
			v := prior + second.Value[b] - m*m
			if v < -roundingShare*prior {
				rescues++
			}
			out.Value[b] = max(v, 0) // keeps NaN
		}
		if rescues > 0 {
			t.CountRescues(matrix, rescues)
		}
		return nil
	}, func() {
		ds := second.Grad()
		dm := mean.Grad()
		var total float64
		for b, v := range out.Grad() {
			if out.Value[b] == 0 {
				continue
			}
			total += v
			ds[b] += v
			dm[b] -= 2 * mean.Value[b] * v
		}
		if g.Variance.Wanted() {
			g.Variance.Grad()[0] += total
		}
	})
}

// covariances records the covariances of the outputs of a layer, which share their input: A_i^T
// E[k_i(h) k_j(h)^T] A_j - mean_i mean_j (appendix G).
func (l *layer) covariances(t *autodiff.Tape, in, out moments, of func(*gp) *state) *autodiff.Node {
	var rows []*autodiff.Node
	for i, gi := range l.gps {
		si := of(gi)
		ai := si.meanWeights(t)
		for j, gj := range l.gps[:i] {
			sj := of(gj)
			weights := t.MatMul(ai, sj.meanWeights(t), autodiff.TransA)
			products := kernel.ProductBumps(t, si.gp.RBFNodes, sj.gp.RBFNodes, weights)
			both := kernel.ExpectedSum(t, products, in.mean, in.vr)
			rows = append(rows, t.Sub(both,
				t.Mul(t.SliceRows(out.mean, i, i+1), t.SliceRows(out.mean, j, j+1))))
		}
	}
	return t.StackRows(rows...)
}
