package view

import (
	"fmt"
)

// Maps shows the GPs of a model as functions of the inputs of their layers, with the training
// inputs propagated to each layer.
type Maps struct {
	GPs []Map `json:"gps"`
	// Total is the number of training inputs. Every map shows the same number of them.
	Total int `json:"of"`
	// More is the number of GPs that are not shown.
	More int `json:"more,omitempty"`
}

// Map shows one GP as a function of one or two inputs of its layer, in standardised units. The
// other inputs are held at their means, and categories at their most frequent level. Layer and GP
// count from 0.
type Map struct {
	Layer int `json:"layer"`
	GP    int `json:"gp"`
	// Axes are the varied inputs, from 0, and Names are their names.
	Axes  []int    `json:"axes"`
	Names []string `json:"names"`
	// X and Y are the grid, [A] and [B]; Y is empty for one input. Mean and SD describe f without
	// noise, [A] or [B][A].
	X    Rounded `json:"x"`
	Y    Rounded `json:"y,omitempty"`
	Mean Rounded `json:"mean"`
	SD   Rounded `json:"sd"`
	// Data holds the means of the propagated training inputs, one list per axis. Out holds the mean
	// outputs of the GP or, in the last layer, the observed targets.
	Data []Rounded `json:"data"`
	Out  Rounded   `json:"out"`
	// Inducing holds the coordinates of the M inducing inputs, one list per axis.
	Inducing []Rounded `json:"inducing"`
	// Strength is the strength of the factor of the GP at each inducing point: log10 of the ratio
	// of prior to posterior variance of the inducing output, [M].
	Strength Rounded `json:"strength"`
}

// Check returns an error unless the parts of every map are consistent.
func (m *Maps) Check() error {
	for _, g := range m.GPs {
		if err := g.check(); err != nil {
			return fmt.Errorf("the map of GP %d of layer %d: %w", g.GP+1, g.Layer+1, err)
		}
	}
	return nil
}

func (g *Map) check() error {
	n := len(g.Axes)
	if n < 1 || n > 2 || len(g.Names) != n || len(g.Data) != n || len(g.Inducing) != n ||
		(n == 2) != (len(g.Y) > 0) {
		return fmt.Errorf("%d inputs with %d names", n, len(g.Names))
	}
	if cells := len(g.X) * max(len(g.Y), 1); len(g.Mean) != cells || len(g.SD) != cells {
		return fmt.Errorf("%d means and %d standard deviations on a grid of %d",
			len(g.Mean), len(g.SD), cells)
	}
	for k := range n {
		if len(g.Data[k]) != len(g.Out) || len(g.Inducing[k]) != len(g.Strength) {
			return fmt.Errorf("%d and %d points along input %d", len(g.Data[k]), len(g.Inducing[k]), k+1)
		}
	}
	return nil
}
