package dgp

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// divergence is the tape operation KL(q(f_M) || p(f_M)), which in whitened coordinates is 1/2
// (|mu|^2 + |L_S|_F^2 - sum_i M_i) - sum log diag L_S, [1][1][1]. The forward pass runs in parallel
// over GPs, the backward pass over blocks of L_S.
type divergence struct {
	p                *posterior
	out              *autodiff.Node
	diagonal         []bool    // reports which blocks of L_S are on the diagonal
	parts            []float64 // the contribution of each GP
	d                float64   // gradient of out during backward
	grad             []float64 // gradient of L_S during backward
	beta             float64   // 0 if grad must be overwritten
	forward, reverse linalg.Loop
}

// recordKL records KL(q(f_M) || p(f_M)).
func (p *posterior) recordKL() *autodiff.Node {
	inputs := []*autodiff.Node{p.factor}
	for _, layer := range p.layers {
		inputs = append(inputs, layer.mu)
	}
	k := &divergence{p: p, out: p.tape.Output(1, 1, 1, inputs...)}
	k.diagonal = make([]bool, p.NumBlocks())
	k.parts = make([]float64, p.NumGPs())
	for i := range p.rows {
		k.diagonal[p.blockOf(i, i)] = true
	}
	k.forward.Body = func(i int) { k.parts[i] = p.klOf(i) }
	k.reverse.Body = k.differentiate
	return p.tape.Record(k.out, func() error {
		k.forward.Run(len(k.parts))
		k.out.Value[0] = 0
		for _, part := range k.parts {
			k.out.Value[0] += part
		}
		return nil
	}, func() {
		k.d = k.out.Grad()[0]
		for _, layer := range p.layers {
			addScaled(layer.mu.Grad(), layer.mu.Value, k.d)
		}
		k.grad, k.beta = p.factor.GradBeta()
		k.reverse.Run(len(k.diagonal))
	})
}

// klOf returns the expected KL divergence of the inducing outputs of GP i, conditional on the GPs
// before it. By the chain rule this is the contribution of row i of L_S and of its mean.
func (p *posterior) klOf(i int) float64 {
	m := p.points(i)
	sum := sumSquares(p.layers[p.layer[i]].mu.Row(p.position(i))) - float64(m)
	var logs float64
	for _, j := range p.rows[i] {
		f := p.factorOf(i, j).Data
		if j < i {
			sum += sumSquares(f)
			continue
		}
		for r := range m {
			sum += sumSquares(f[r*m : r*m+r+1])
			logs += math.Log(f[r*m+r])
		}
	}
	return 0.5*sum - logs
}

// differentiate adds the gradient of a block of L_S.
func (k *divergence) differentiate(block int) {
	at := k.p.factors[block]
	f := at.view(k.p.factor.Value).Data
	grad := at.view(k.grad).Data
	if k.beta == 0 {
		vec.Scaled(grad, f, k.d)
	} else {
		addScaled(grad, f, k.d)
	}
	if k.diagonal[block] {
		for i := 0; i < len(f); i += at.rows + 1 {
			grad[i] -= k.d / f[i]
		}
	}
}
