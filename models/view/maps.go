package view

import (
	"fmt"

	"dgplab/models/number"
)

// Maps is what the GPs of a model make of the inputs of their own layer, and where the
// training inputs are by the time that they arrive there.
type Maps struct {
	GPs []Map `json:"gps"`
	// Points are some of the Of training inputs, as many in every map.
	Of int `json:"of"`
	// More is the number of GPs that are not among these.
	More int `json:"more,omitempty"`
}

// Map is one GP, both numbers from 0, as a function of one or two inputs of its layer, in
// standardised units; the others are at the means of what arrives.
type Map struct {
	Layer int `json:"layer"`
	GP    int `json:"gp"`
	// Axes are the inputs that move, from 0, and Names what they are called.
	Axes  []int    `json:"axes"`
	Names []string `json:"names"`
	// X and Y are the grid, [A] and [B]; Y is empty where there is one input. Mean and SD
	// are those of f without noise, [A] or [B][A].
	X    number.Rounded `json:"x"`
	Y    number.Rounded `json:"y,omitempty"`
	Mean number.Rounded `json:"mean"`
	SD   number.Rounded `json:"sd"`
	// Data are the means of the training inputs as they arrive, a list for each axis, and
	// Out what the GP makes of them; in the last layer what was observed.
	Data []number.Rounded `json:"data"`
	Out  number.Rounded   `json:"out"`
	// Inducing are the coordinates of the M inducing inputs, a list for each axis.
	Inducing []number.Rounded `json:"inducing"`
	// Strength is how strong the factor of the GP is at each inducing point: the decimal
	// logarithm of the prior variance of the inducing output over that of its posterior, [M].
	Strength number.Rounded `json:"strength"`
}

// Check returns an error unless the parts of every map fit together.
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
