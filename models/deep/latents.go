package deep

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/stats"
)

// latents are latent variables w of every point with the prior N(0, I), which are additional inputs
// of the first layer (Salimbeni, Dutordoir, Hensman, Deisenroth, "Deep Gaussian Processes with
// Importance-Weighted Variational Inference", ICML 2019, arXiv:1905.05435, section 3).
type latents struct {
	width int // of w
	// posterior records the mean and the standard deviation of q(w), [1][width][B], given inputs and
	// targets.
	posterior func(t *autodiff.Tape, x, y *autodiff.Node) (mean, sd *autodiff.Node)
}

// record records S samples of the inputs of the first layer, x followed by w. If y is nil, w is
// drawn from its prior. Otherwise w is drawn from q(w), and p.logRatio is log p(w) - log q(w) of
// each sample or, for a single sample, its expectation, the negative KL of q(w) from the prior.
func (q *latents) record(p *pass, y *autodiff.Node) *autodiff.Node {
	t := p.tape
	eps := t.Constant(1, q.width, p.s*p.b)
	p.eps = append(p.eps, eps)
	w := eps
	if y != nil {
		mean, sd := q.posterior(t, p.x, y)
		if p.s == 1 {
			half := t.Scale(t.AddScalar(t.Add(t.Square(mean), t.Square(sd)), -1), -0.5)
			p.logRatio = t.SumRows(t.Add(t.Log(sd), half))
		}
		mean = repeat(t, mean, p.s)
		sd = repeat(t, sd, p.s)
		w = t.Add(mean, t.Mul(sd, eps))
		if p.s > 1 {
			half := t.Scale(t.Sub(t.Square(eps), t.Square(w)), 0.5)
			p.logRatio = t.SumRows(t.Add(t.Log(sd), half))
		}
	}
	return t.StackRows(repeat(t, p.x, p.s), w)
}

// repeat records s copies of the columns of n.
func repeat(t *autodiff.Tape, n *autodiff.Node, s int) *autodiff.Node {
	return t.StackCols(slices.Repeat([]*autodiff.Node{n}, s)...)
}

// encoder computes q(w) of a point from its input and targets: a perceptron of tanh units, where a
// hidden layer adds its input to its output if they have the same width.
type encoder struct{ net *autodiff.Perceptron }

// encoderWidth and encoderLayers are the width and the number of the hidden layers, as in the
// authors' code (https://github.com/hughsalimbeni/DGPs_with_IWVI).
const encoderWidth, encoderLayers = 20, 2

// encoderSizes returns the sizes of the layers for the given numbers of inputs, targets and latent
// variables.
func encoderSizes(inputs, targets, latents int) []int {
	return autodiff.PerceptronSizes(inputs+targets, 2*latents, encoderLayers, encoderWidth)
}

// newEncoder returns an encoder with weights N(0, 2/(inputs + outputs)) (Glorot, Bengio,
// "Understanding the Difficulty of Training Deep Feedforward Neural Networks", 2010) and no biases.
func newEncoder(t *autodiff.Tape, sizes []int, rng *rand.Rand) *encoder {
	e := &encoder{autodiff.NewPerceptron(t, sizes, autodiff.Linear)}
	for _, w := range e.net.W {
		scale := math.Sqrt(2 / float64(w.Rows+w.Cols))
		for i := range w.Value {
			w.Value[i] = scale * rng.NormFloat64()
		}
	}
	return e
}

// sdShift is subtracted from the outputs that become standard deviations, which start near 0.05.
const sdShift = 3

// record implements latents.posterior.
func (e *encoder) record(t *autodiff.Tape, x, y *autodiff.Node) (mean, sd *autodiff.Node) {
	h := t.StackRows(x, y)
	for l, w := range e.net.W {
		out := t.Affine(w, e.net.B[l], h, autodiff.Linear)
		if l < len(e.net.W)-1 {
			out = t.Tanh(out)
			if out.Rows == h.Rows {
				out = t.Add(out, h)
			}
		}
		h = out
	}
	width := h.Rows / 2
	return t.SliceRows(h, 0, width), t.Softplus(t.AddScalar(t.SliceRows(h, width, h.Rows), -sdShift))
}

// withLatents returns data with draws of the latent variables from their prior as additional input
// columns, for the initialisation of layers.
func withLatents(data family.Data, count int, seed uint64) family.Data {
	n, d := data.X.Dims()
	x := mat.NewDense(n, d+count, nil)
	rng := stats.Stream(seed, "latents", 0)
	for i := range n {
		row := x.RawRowView(i)
		stats.Normals(row[copy(row, data.X.RawRowView(i)):], rng)
	}
	if data.Inputs != nil {
		data.Inputs = slices.Clone(data.Inputs)
		for k := range count {
			data.Inputs = append(data.Inputs, fmt.Sprintf("w%d", k+1))
		}
	}
	data.X = x
	return data
}
