package likelihood

import "dgplab/models/autodiff"

// RecordMixture records the log-likelihood of B points, [1][1][B], as computed by Mixture,
// unscaled. y is [1][P][B]. mean and vr are [1][P][S*B], or [1][K][S*B] for classes, with sample s
// of point b in column s*B + b. noise has one entry or one per output, and is nil for a likelihood
// without noise; logWeights has S entries. y is not differentiated.
func RecordMixture(
	t *autodiff.Tape, l Likelihood, form Form, y, mean, vr, noise, logWeights *autodiff.Node,
) *autodiff.Node {
	m := NewMixture(l, form, y.Rows, mean.Cols/y.Cols, y.Cols)
	inputs := []*autodiff.Node{mean, vr, logWeights}
	var variances []float64
	if noise != nil {
		inputs, variances = append(inputs, noise), noise.Value
	}
	out := t.Output(1, 1, y.Cols, inputs...)
	return t.Record(out, func() error {
		m.Forward(out.Value, y.Value, mean.Value, vr.Value, variances, logWeights.Value)
		return nil
	}, func() {
		g := MixtureGrad{Mean: gradOf(mean), Var: gradOf(vr), LogWeights: gradOf(logWeights)}
		if noise != nil {
			g.Noise = gradOf(noise)
		}
		m.Backward(g, out.Grad())
	})
}

// gradOf returns the gradient of n, or nil if n needs none.
func gradOf(n *autodiff.Node) []float64 {
	if !n.Wanted() {
		return nil
	}
	return n.Grad()
}
