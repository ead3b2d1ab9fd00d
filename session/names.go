package session

import "dgplab/models/view"

// name replaces column numbers in views by column names.
func (t *trainer) name(v view.Views) {
	if v.Functions != nil {
		for _, l := range v.Functions.Lines() {
			if l.Input < len(t.columns.inputs) {
				l.Name = t.columns.inputs[l.Input]
			}
		}
	}
	if v.Maps != nil {
		t.nameMaps(v.Maps)
	}
	if v.Network != nil {
		t.nameNetwork(v.Network)
	}
	t.nameOutputs(v)
}

// nameMaps sets the names of the inputs of the first layer.
func (t *trainer) nameMaps(m *view.Maps) {
	for _, g := range m.GPs {
		for k, input := range g.Axes {
			if g.Layer == 0 {
				g.Names[k] = nameOf(t.columns.inputs, "input", input)
			}
		}
	}
}

// nameOutputs names the units of the last layer after the targets if there are several.
func (t *trainer) nameOutputs(v view.Views) {
	if len(v.Units) == 0 || len(t.columns.targets) < 2 {
		return
	}
	if units := v.Units[len(v.Units)-1].Units; len(units) == len(t.columns.targets) {
		for k := range units {
			units[k].Name = t.columns.targets[k]
		}
	}
}

// nameNetwork sets the column names of a network and converts its inputs to original units.
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
