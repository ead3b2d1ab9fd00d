package dgp

import (
	"fmt"
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/param"
	"dgplab/models/train"
)

// A deep GP with given whitened inducing outputs v has no q(f_M). Each layer is Gaussian given v
// and the samples below: its mean is the mean function plus a_n^T v, and its variance is the
// residual prior variance (Havasi, Hernández-Lobato, Murillo-Fuentes, "Inference in Deep Gaussian
// Processes using Stochastic Gradient Hamiltonian Monte Carlo", 2018, section 2, arXiv:1806.05490).

// withFreeOutputs returns a copy of the posterior on tape t. The inducing outputs are new
// variables, and all other values are constants shared with p. Anything recorded on t is
// differentiated only with respect to the inducing outputs. The tape must be replayed after the
// tape of p.
func (p *posterior) withFreeOutputs(t *autodiff.Tape) *posterior {
	out := p.on(t, (*autodiff.Node).Frozen)
	for l, n := range p.layers {
		v := t.Variable(1, n.qMu.Rows, n.qMu.Cols)
		out.layers[l].qMu, out.layers[l].mu = v, v
	}
	out.operands = newOperands(out)
	return out
}

// addOutputs adds the inducing outputs to the parameters, stacked by layer and GP.
func (p *posterior) addOutputs(to *train.Leaves) {
	for l, n := range p.layers {
		to.Add(fmt.Sprintf("layer.%d.v", l), n.qMu, param.Identity{})
	}
}

// recordNegLogPrior records -log N(v; 0, I) of the inducing outputs.
func (p *posterior) recordNegLogPrior(t *autodiff.Tape) *autodiff.Node {
	var inputs []*autodiff.Node
	for _, layer := range p.layers {
		inputs = append(inputs, layer.mu)
	}
	out := t.Output(1, 1, 1, inputs...)
	return t.Record(out, func() error {
		out.Value[0] = 0.5 * float64(p.outputs()) * math.Log(2*math.Pi)
		for _, v := range inputs {
			out.Value[0] += 0.5 * sumSquares(v.Value)
		}
		return nil
	}, func() {
		for _, v := range inputs {
			addScaled(v.Grad(), v.Value, out.Grad()[0])
		}
	})
}
