package likelihood

import "dgplab/models/autodiff"

// RecordMixture records the log-likelihood of B points, [1][1][B], as computed by Mixture,
// unscaled. y is [1][P][B]. mean and vr are [1][P*K][S*B], with sample s of point b in column s*B +
// b. params is [1][1][Q], or nil for a likelihood without parameters; logWeights has S entries. y is
// not differentiated. rows holds what is known about the points; their weights multiply the result.
func RecordMixture(
	t *autodiff.Tape, l Likelihood, form Form, y, mean, vr, params, logWeights *autodiff.Node, rows Rows,
) *autodiff.Node {
	m := NewMixture(l, form, y.Rows, mean.Cols/y.Cols, y.Cols)
	if rows.Noise != nil {
		m.known = rows
		m.variances = make([]float64, y.Cols)
	}
	inputs := []*autodiff.Node{mean, vr, logWeights}
	if params != nil {
		inputs = append(inputs, params)
	}
	out := t.Output(1, 1, y.Cols, inputs...)
	out = t.Record(out, func() error {
		m.Forward(out.Value, y.Value, mean.Value, vr.Value, Values(params), logWeights.Value)
		return nil
	}, func() {
		g := MixtureGrad{Mean: gradOf(mean), Var: gradOf(vr), LogWeights: gradOf(logWeights)}
		if params != nil {
			g.Params = gradOf(params)
		}
		m.Backward(g, out.Grad())
	})
	if rows.Weights != nil {
		return t.Mul(out, rows.Weights)
	}
	return out
}

// gradOf returns the gradient of n, or nil if n needs none.
func gradOf(n *autodiff.Node) []float64 {
	if !n.Wanted() {
		return nil
	}
	return n.Grad()
}
