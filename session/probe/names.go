package probe

import (
	"fmt"

	"dgplab/datasets"
	"dgplab/models/view"
)

// columnNames holds the names of inputs and targets, and their units in files. The lists of units can be
// shorter. encoded holds the columns that the inputs encode, and is nil if all are numbers.
type columnNames struct {
	inputs, targets         []string
	inputUnits, targetUnits []string
	encoded                 []datasets.InputColumn
}

// columnUnit returns the unit of a column, or "" if it has none.
func columnUnit(units []string, column int) string {
	if column < len(units) {
		return units[column]
	}
	return ""
}

// name replaces column numbers in views with column names.
func (p *Probe) name(v view.Views) {
	if v.Functions != nil {
		for _, l := range v.Functions.Lines() {
			l.Name = p.inputName(l.Input)
		}
	}
	for k := range v.Units {
		v.Units[k].Name = p.inputName(v.Units[k].Input)
	}
	if v.Maps != nil {
		p.nameMaps(v.Maps)
	}
	if v.Network != nil {
		p.nameNetwork(v.Network)
	}
	p.nameOutputs(v)
}

// inputName returns the name of the column that an input encodes, or "" if it has none.
func (p *Probe) inputName(input int) string {
	for _, c := range p.columns.encoded {
		if c.Category() && input == c.First {
			return c.Name
		}
	}
	if input < len(p.columns.inputs) {
		return p.columns.inputs[input]
	}
	return ""
}

// nameMaps sets the names of the inputs of the first layer.
func (p *Probe) nameMaps(m *view.Maps) {
	for _, g := range m.GPs {
		for k, input := range g.Axes {
			if g.Layer == 0 {
				g.Names[k] = nameOf(p.columns.inputs, "input", input)
			}
		}
	}
}

// nameOutputs names the units of the last layer after the targets if there are several.
func (p *Probe) nameOutputs(v view.Views) {
	if len(v.Units) == 0 || len(p.columns.targets) < 2 {
		return
	}
	if units := v.Units[len(v.Units)-1].Units; len(units) == len(p.columns.targets) {
		for k := range units {
			units[k].Name = p.columns.targets[k]
		}
	}
}

// nameNetwork sets the column names of a network and converts its inputs to original units.
func (p *Probe) nameNetwork(n *view.Network) {
	for d := range n.Inputs {
		n.Inputs[d] = nameOf(p.columns.inputs, "input", d)
	}
	for i := range n.Outputs {
		n.Outputs[i] = nameOf(p.columns.targets, "target", i)
	}
	scale := p.Data.Scaling
	for _, p := range n.Points {
		for d, v := range p.X {
			p.X[d] = scale.Input(d, v)
		}
	}
}

// nameOf returns the name of column k, or "KIND k+1" if it has none.
func nameOf(names []string, kind string, k int) string {
	if k < len(names) {
		return names[k]
	}
	return fmt.Sprintf("%s %d", kind, k+1)
}
