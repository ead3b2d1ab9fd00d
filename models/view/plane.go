package view

import (
	"fmt"

	"dgplab/models/number"
)

// Plane is what a model predicts over the plane of its two inputs, in original
// units, and what functions it has of its own there.
type Plane struct {
	// Step is that of the predictions, perhaps one before that of the other views.
	Step int `json:"step"`
	// Inputs names the inputs: across, up; Units are theirs, "" for one without. X and Y are
	// the values of each on a grid, rising, [A] and [B].
	Inputs [2]string      `json:"inputs"`
	Units  [2]string      `json:"units,omitzero"`
	X      number.Rounded `json:"x"`
	Y      number.Rounded `json:"y"`
	// Others is the number of other inputs, which are at their medians.
	Others int `json:"others,omitempty"`
	// Fields are what is predicted at every point of the grid.
	Fields []Field `json:"fields"`
	// Samples is the number of components of each prediction; 1 for one that is not
	// estimated from draws.
	Samples int `json:"samples"`
	// Points are some of the Of training points, in one group or by their class.
	Points []PlanePoints `json:"points"`
	Of     int           `json:"of"`
}

// Field is a number for each point of a grid, [B][A], rows with rising y.
type Field struct {
	Name string `json:"name"`
	// Probability says that it goes from 0 to 1 and that 0.5 decides.
	Probability bool `json:"probability,omitempty"`
	// Function says that it is of a function of the posterior, in standardised units,
	// rather than of a prediction.
	Function bool `json:"function,omitempty"`
	// Classes says that the values are numbers of these classes, from 0.
	Classes []string       `json:"classes,omitempty"`
	Values  number.Rounded `json:"values"`
}

// PlanePoints are points of a plane.
type PlanePoints struct {
	// Name is that of a class; "" if there is but one group.
	Name string         `json:"name"`
	X    number.Rounded `json:"x"`
	Y    number.Rounded `json:"y"`
}

// Check returns an error unless every field has a value for each point of the grid.
func (p *Plane) Check() error {
	for _, f := range p.Fields {
		a := len(p.X)
		b := len(p.Y)
		if len(f.Values) != a*b || a < 2 || b < 2 {
			return fmt.Errorf("%q has %d values on a grid of %d x %d", f.Name, len(f.Values), a, b)
		}
	}
	for _, g := range p.Points {
		if len(g.X) != len(g.Y) {
			return fmt.Errorf("points %q have %d and %d coordinates", g.Name, len(g.X), len(g.Y))
		}
	}
	return nil
}
