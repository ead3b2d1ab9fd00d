package deep

import (
	"fmt"

	"dgplab/models/autodiff"
	"dgplab/models/layer"
)

// Rule says what the inference functions of a layer see of the layer below: the
// amortization rules of Meng, Zhang, "Amortized Variational Inference for Deep
// Gaussian Processes", 2024, section 4.
type Rule int

const (
	// OfSamples is their AR1: the sample itself, so that every sample has inducing
	// points of its own (eq. 4.8).
	OfSamples Rule = iota
	// OfMeans is their AR2: the weighted mean over samples of the means of the layer
	// below, so that the samples of a point share its inducing points (eq. 4.10).
	OfMeans
)

// stack is layers on top of each other, and what is learned beside them.
type stack struct {
	tape       *autodiff.Tape // of the parameters
	layers     []layer.Layer
	inputs     int // D_0
	rule       Rule
	quadrature *quadrature    // nil where samples are random
	trend      *trend         // nil where there is none
	noise      *autodiff.Node // noise variance, [1][1][1]; nil where there is none
}

// quadrature is learned points in place of random draws (Jankowiak, Pleiss, Gardner,
// "Deep Sigma Point Processes", UAI 2020, section 3.2, arXiv:2002.09112).
type quadrature struct {
	points     []*autodiff.Node // of each hidden layer, [1][S][T_l]
	logits     *autodiff.Node   // [1][1][S]
	logWeights *autodiff.Node   // log softmax of logits
}

// newQuadrature returns s points that are all zero, with equal weights.
func newQuadrature(t *autodiff.Tape, layers []layer.Layer, s int) *quadrature {
	q := &quadrature{logits: t.Variable(1, 1, s)}
	for _, l := range layers[:len(layers)-1] {
		q.points = append(q.points, t.Variable(1, s, l.Outputs()))
	}
	q.logWeights = recordLogSoftmax(t, q.logits)
	return q
}

// pass is what a stack says at B points with S samples, recorded once.
type pass struct {
	tape *autodiff.Tape
	b, s int
	x    *autodiff.Node // inputs, [1][D_0][B]
	// eps are the standard normal draws of the hidden layers, [1][T_l][S*B]; nil
	// with quadrature.
	eps        []*autodiff.Node
	logWeights *autodiff.Node // of the samples, [1][1][S]
	moments    []layer.Moments
	seen, in   []*autodiff.Node // what the layers were recorded at
}

// last returns the moments of the last layer.
func (p *pass) last() layer.Moments { return p.moments[len(p.moments)-1] }

// record records the propagation of b points with s samples on t, which is replayed
// after the tape of the parameters where it is another one. With quadrature there
// are as many samples as points; a single layer has one.
func (st *stack) record(t *autodiff.Tape, b, s int) *pass {
	p := &pass{tape: t, b: b, s: s, x: t.Constant(1, st.inputs, b)}
	st.weigh(p)
	var weights *autodiff.Node
	if st.rule == OfMeans {
		weights = t.Exp(p.logWeights)
	}
	in, seen := p.x, p.x
	for l, of := range st.layers {
		p.in = append(p.in, in)
		p.seen = append(p.seen, seen)
		m := of.Record(t, in, seen)
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
			seen = m.Mean // the same for all samples
		default:
			seen = recordWeighted(t, m.Mean, weights)
		}
	}
	return p
}

// weigh settles the samples of a pass and their weights.
func (st *stack) weigh(p *pass) {
	if len(st.layers) == 1 {
		p.s = 1
	}
	if st.quadrature != nil {
		p.s, p.logWeights = st.quadrature.logits.Cols, st.quadrature.logWeights
		return
	}
	p.logWeights = equalWeights(p.tape, p.s)
}

// varianceOf names the variances of layer l in counts of rescues.
func varianceOf(l int) string { return fmt.Sprintf("variance of layer %d", l+1) }

// draw records the samples of hidden layer l.
func (st *stack) draw(p *pass, l int) *autodiff.Node {
	d := &draw{tape: p.tape, moments: p.moments[l], b: p.b, s: p.s, place: varianceOf(l)}
	if st.quadrature != nil {
		d.points = st.quadrature.points[l]
	} else {
		d.eps = p.tape.Constant(1, d.moments.Mean.Rows, p.s*p.b)
		p.eps = append(p.eps, d.eps)
	}
	return d.record()
}
