package session

import "dgplab/models/view"

// nameNetwork gives a view of a network, of a model that knows columns by their numbers
// and standardised units, what people read.
func (t *trainer) nameNetwork(n *view.Network) {
	for d := range n.Inputs {
		n.Inputs[d] = nameOf(t.columns.inputs, "input", d)
	}
	for i := range n.Outputs {
		n.Outputs[i] = nameOf(t.columns.targets, "target", i)
	}
	scale := t.prepared.Scaling
	for _, p := range n.Points {
		for d, v := range p.X {
			p.X[d] = scale.InputMean[d] + scale.InputSD[d]*v
		}
	}
}
