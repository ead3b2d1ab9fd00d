package deep

import (
	"fmt"

	"dgplab/models/autodiff"
	"dgplab/models/layer"
)

// Rule selects the inputs of the inference functions: the amortization rules of Meng, Zhang,
// "Amortized Variational Inference for Deep Gaussian Processes", 2024, section 4.
type Rule int

const (
	// OfSamples is rule AR1: the samples of the layer below, so every sample has its own inducing
	// points (eq. 4.8).
	OfSamples Rule = iota
	// OfMeans is rule AR2: the weighted mean over samples of the means of the layer below, so the
	// samples of a point share its inducing points (eq. 4.10).
	OfMeans
)

// stack holds the layers and the other parameters of a model.
type stack struct {
	tape       *autodiff.Tape // records the parameters
	layers     []layer.Layer
	inputs     int // D_0
	rule       Rule
	quadrature *quadrature // nil if samples are random
	trend      *trend      // nil if there is none
	latents    *latents    // nil if there are none
	encoder    *encoder    // computes q of the latent variables, or nil
	jitter     float64     // added to the variances of joint samples
	// observation holds the parameters of the likelihood, [1][1][Q], or is nil if it has none.
	observation *autodiff.Node
}

// quadrature holds learned points that replace random draws (Jankowiak, Pleiss, Gardner, "Deep
// Sigma Point Processes", UAI 2020, section 3.2, arXiv:2002.09112).
type quadrature struct {
	points     []*autodiff.Node // of each hidden layer, [1][S][T_l]
	logits     *autodiff.Node   // [1][1][S]
	logWeights *autodiff.Node   // log softmax of logits
}

// newQuadrature returns s points at zero, with equal weights.
func newQuadrature(t *autodiff.Tape, layers []layer.Layer, s int) *quadrature {
	q := &quadrature{logits: t.Variable(1, 1, s)}
	for _, l := range layers[:len(layers)-1] {
		q.points = append(q.points, t.Variable(1, s, l.Outputs()))
	}
	q.logWeights = recordLogSoftmax(t, q.logits)
	return q
}

// pass propagates B points with S samples through a stack. It is recorded once.
type pass struct {
	tape *autodiff.Tape
	b, s int
	x    *autodiff.Node // inputs, [1][D_0][B]
	// eps holds the standard normal draws of the latent variables, if there are any, and of the
	// hidden layers, [1][T_l][S*B]. It is nil with quadrature.
	eps        []*autodiff.Node
	logWeights *autodiff.Node // of the samples, [1][1][S]
	// logRatio is log p(w) - log q(w) of the latent variables of each sample, [1][1][S*B], or nil.
	logRatio *autodiff.Node
	moments  []layer.Moments
	seen, in []*autodiff.Node // inputs of the inference functions and of the layers
}

// last returns the moments of the last layer.
func (p *pass) last() layer.Moments { return p.moments[len(p.moments)-1] }

// record records the propagation of b points with s samples on t. If t is not the tape of the
// parameters, it must be replayed after that tape. With quadrature S is the number of learned
// points; a single layer without latent variables has one sample.
//
// Latent variables are drawn from q(w) given the targets y, [1][P][B], and the samples of a point
// are joint draws of the functions. If y is nil, as in predictions, latent variables are drawn from
// their prior, and samples are independent.
func (st *stack) record(t *autodiff.Tape, b, s int, y *autodiff.Node) *pass {
	p := &pass{tape: t, b: b, s: s, x: t.Constant(1, st.inputs, b)}
	st.setWeights(p)
	var weights *autodiff.Node
	if st.rule == OfMeans {
		weights = t.Exp(p.logWeights)
	}
	in, seen := p.x, p.x
	if st.latents != nil {
		residual := y
		if st.trend != nil && y != nil {
			residual = t.Sub(y, st.trend.record(t, p.x, b))
		}
		in = st.latents.record(p, residual)
		seen = in
	}
	joint := st.latents != nil && y != nil && p.s > 1
	for l, current := range st.layers {
		p.in = append(p.in, in)
		p.seen = append(p.seen, seen)
		var m layer.Moments
		if joint && l < len(st.layers)-1 {
			m = current.(jointLayer).RecordJoint(t, in, p.s)
		} else {
			m = current.Record(t, in, seen)
		}
		if st.trend != nil && l == len(st.layers)-1 {
			m.Mean = t.Add(m.Mean, st.trend.record(t, p.x, m.Mean.Cols))
		}
		p.moments = append(p.moments, m)
		if l == len(st.layers)-1 {
			break
		}
		in = st.draw(p, l)
		switch {
		case st.rule == OfSamples:
			seen = in
		case m.Mean.Cols == b:
			seen = m.Mean // all samples share it
		default:
			seen = recordWeighted(t, m.Mean, weights)
		}
	}
	return p
}

// setWeights sets the number of samples of a pass and their weights.
func (st *stack) setWeights(p *pass) {
	if len(st.layers) == 1 && st.latents == nil {
		p.s = 1
	}
	if st.quadrature != nil {
		p.s, p.logWeights = st.quadrature.logits.Cols, st.quadrature.logWeights
		return
	}
	p.logWeights = equalWeights(p.tape, p.s)
}

// varianceOf returns the name of the variances of layer l in rescue counts.
func varianceOf(l int) string { return fmt.Sprintf("variance of layer %d", l+1) }

// jointLayer is implemented by layers with covariances between the samples of a point.
type jointLayer interface {
	RecordJoint(t *autodiff.Tape, in *autodiff.Node, samples int) layer.Moments
}

// draw records the samples of hidden layer l.
func (st *stack) draw(p *pass, l int) *autodiff.Node {
	d := &draw{tape: p.tape, moments: p.moments[l], b: p.b, s: p.s, matrix: varianceOf(l)}
	if st.quadrature != nil {
		d.points = st.quadrature.points[l]
		return d.record()
	}
	d.eps = p.tape.Constant(1, d.moments.Mean.Rows, p.s*p.b)
	p.eps = append(p.eps, d.eps)
	if blocks := d.moments.Blocks; blocks != nil {
		return recordJointDraw(p.tape, d.moments.Mean, blocks, d.eps, st.jitter, d.matrix)
	}
	return d.record()
}
