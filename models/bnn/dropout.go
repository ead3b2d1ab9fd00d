package bnn

import (
	"math/rand/v2"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/param"
	"dgplab/models/stats"
)

// dropout is the penalised log-likelihood of networks with random dropout of the inputs of every
// layer, including the inputs of the network:
//
//	(N/B) (1/S) sum_s sum_b log p(y_b | f(x_b; masks_sb)) - (keep l^2/2) sum |W|^2.
//
// Each point has its own masks, which are 1 with probability keep. Kept inputs are not rescaled,
// and biases are not penalised. Up to constants, the objective is a lower bound on the evidence of
// networks whose weights have the prior N(0, 1/l^2): Gal, Ghahramani, "Dropout as a Bayesian
// Approximation: Representing Model Uncertainty in Deep Learning", ICML 2016, arXiv:1506.02142,
// section 3 and eq. 1, multiplied by -N tau, where tau is the precision of the noise.
type dropout struct {
	fit
	net   *autodiff.Perceptron
	masks []*autodiff.Node // by layer, [1][inputs][S*B], sample by sample
	draws *stats.Streams
	// functions are the outputs for all masks, [1][P][S*B].
	functions *autodiff.Node
}

// newDropout returns the objective for data. Weights are initialised like the linear layers of
// PyTorch.
func newDropout(c config, data family.Data, seed uint64) (*dropout, error) {
	d := &dropout{fit: newFit(c, data, seed), draws: stats.NewStreams(seed, "masks")}
	t := d.tape
	d.net = autodiff.NewPerceptron(t, c.sizes, autodiff.ReLU)
	d.net.Start(stats.Stream(seed, "start", 0))
	x := d.x
	if c.samples > 1 {
		copies := make([]*autodiff.Node, c.samples)
		for s := range copies {
			copies[s] = d.x
		}
		x = t.StackCols(copies...)
	}
	d.functions, d.masks = recordMasked(t, d.net, x)
	var penalty *autodiff.Node
	for _, w := range d.net.W {
		of := t.Scale(t.Sum(t.Square(w)), 0.5*c.keep*c.lengthscale*c.lengthscale)
		if penalty != nil {
			of = t.Add(penalty, of)
		}
		penalty = of
	}
	d.addWeights("", d.net, param.Identity{})
	return d, d.finish(d.functions, penalty)
}

// recordMasked records the outputs of a perceptron at x with the inputs of each layer multiplied by
// a mask.
func recordMasked(
	t *autodiff.Tape, net *autodiff.Perceptron, x *autodiff.Node,
) (out *autodiff.Node, masks []*autodiff.Node) {
	for l, w := range net.W {
		slope := net.Slope
		if l == len(net.W)-1 {
			slope = autodiff.Linear
		}
		mask := t.Constant(1, x.Rows, x.Cols)
		masks = append(masks, mask)
		x = t.Affine(w, net.B[l], t.Mul(x, mask), slope)
	}
	return x, masks
}

// Draw implements infer.Problem. It draws the minibatch and the masks.
func (d *dropout) Draw(step uint64) {
	d.drawRows(step)
	drop(d.masks, d.keep, d.draws.At(step))
}

// drop draws masks that are 1 with probability keep.
func drop(masks []*autodiff.Node, keep float64, stream *rand.Rand) {
	for _, mask := range masks {
		for i := range mask.Value {
			mask.Value[i] = 0
			if stream.Float64() < keep {
				mask.Value[i] = 1
			}
		}
	}
}

// dropForAll draws masks that are 1 with probability keep and are shared by all points.
func dropForAll(masks []*autodiff.Node, keep float64, stream *rand.Rand) {
	for _, mask := range masks {
		for i := range mask.Rows {
			kept := 0.0
			if stream.Float64() < keep {
				kept = 1
			}
			row := mask.Row(i)
			for b := range row {
				row[b] = kept
			}
		}
	}
}

// Window implements train.WindowedProblem.
func (d *dropout) Window(start, end int, draws *rand.Rand) (sum, remainder float64, err error) {
	drop(d.masks, d.keep, draws)
	return d.window(start, end)
}

// sample implements networks. It copies the weights and draws masks.
func (d *dropout) sample(p *predictor, stream *rand.Rand, shared bool) {
	for l, w := range p.net.W {
		copy(w.Value, d.net.W[l].Value)
		copy(p.net.B[l].Value, d.net.B[l].Value)
	}
	if shared {
		dropForAll(p.masks, d.keep, stream)
	} else {
		drop(p.masks, d.keep, stream)
	}
}

// hyper implements networks.
func (d *dropout) hyper() []family.Quantity {
	return []family.Quantity{rootMeanSquares("weights", d.net)}
}
