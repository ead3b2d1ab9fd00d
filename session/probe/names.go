package probe

import (
	"fmt"
	"slices"

	"dgplab/datasets"
	"dgplab/models/view"
)

// columnNames holds the names of inputs and targets, and their units in files. The lists of units
// can be shorter. encoded holds the columns that the inputs encode, or nil if all are numbers.
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

// name replaces column numbers in views by column names.
func (p *Probe) name(v view.Views) {
	if v.Functions != nil {
		p.preferNumbers(v.Functions)
		for _, l := range v.Functions.Lines() {
			if l.Input < len(p.columns.inputs) {
				l.Name = p.columns.inputs[l.Input]
			}
		}
	}
	if v.Maps != nil {
		p.nameMaps(v.Maps)
	}
	if v.Network != nil {
		p.nameNetwork(v.Network)
	}
	p.nameOutputs(v)
}

// preferNumbers leaves out functions along the indicators of categories, whose values between two levels
// mean nothing, unless there are no others.
func (p *Probe) preferNumbers(f *view.Functions) {
	var numbers []view.Functions
	for _, l := range f.Lines() {
		category := slices.ContainsFunc(p.columns.encoded, func(c datasets.InputColumn) bool {
			return c.Category() && l.Input >= c.First && l.Input < c.First+c.Width
		})
		if !category {
			one := *l
			one.Others = nil
			numbers = append(numbers, one)
		}
	}
	if len(numbers) > 0 {
		*f = numbers[0]
		f.Others = numbers[1:]
	}
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
