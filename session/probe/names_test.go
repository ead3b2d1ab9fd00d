package probe

import (
	"reflect"
	"testing"

	"dgplab/datasets"
	"dgplab/models/view"
)

// Displayed networks have column names, if there are any, and inputs in original units.
func TestNetworkNames(t *testing.T) {
	p := &Probe{}
	p.columns = columnNames{inputs: []string{"Xloc"}, targets: []string{"Cd", "Ni"}}
	p.Data = &datasets.Prepared{
		Scaling: datasets.Scaling{InputMean: []float64{10, 0}, InputSD: []float64{2, 1}},
	}
	n := &view.Network{
		Inputs:  make([]string, 2),
		Outputs: make([]string, 2),
		Points:  []view.NetworkPoint{{X: view.Rounded{-1, 0.5}}, {X: view.Rounded{0, 0}}},
	}
	f := &view.Functions{Input: 1, Others: []view.Functions{{Input: 0}}}
	m := &view.Maps{
		GPs: []view.Map{{Axes: []int{0, 1}, Names: make([]string, 2)},
			{Layer: 1, Axes: []int{0}, Names: []string{"unit 1"}}},
	}
	p.name(view.Views{Network: n, Functions: f, Maps: m})
	if f.Name != "" || f.Others[0].Name != "Xloc" {
		t.Errorf("functions along %q and %q", f.Name, f.Others[0].Name)
	}
	if a, b := m.GPs[0].Names,
		m.GPs[1].Names; !reflect.DeepEqual(a, []string{"Xloc", "input 2"}) || b[0] != "unit 1" {
		t.Errorf("maps over %q and %q", a, b)
	}
	if want := []string{"Xloc", "input 2"}; !reflect.DeepEqual(n.Inputs, want) {
		t.Errorf("inputs %q, want %q", n.Inputs, want)
	}
	if want := []string{"Cd", "Ni"}; !reflect.DeepEqual(n.Outputs, want) {
		t.Errorf("outputs %q, want %q", n.Outputs, want)
	}
	if a, b := n.Points[0].X, n.Points[1].X; a[0] != 8 || a[1] != 0.5 || b[0] != 10 {
		t.Errorf("points at %v and %v", a, b)
	}
}
