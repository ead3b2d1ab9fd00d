package view

import (
	"fmt"
)

// Plane shows predictions, and posterior functions if the model has them, over the plane of two
// inputs, in original units.
type Plane struct {
	// Step is the step of the predictions, which may be older than the other views.
	Step int `json:"step"`
	// Inputs names the horizontal and the vertical input. Units are their units, or "" for none. X
	// and Y are the grid values, ascending, [A] and [B].
	Inputs [2]string `json:"inputs"`
	Units  [2]string `json:"units,omitzero"`
	X      Rounded   `json:"x"`
	Y      Rounded   `json:"y"`
	// XCategory and YCategory describe the levels of categorical inputs; they are nil for numeric
	// inputs. The values of a categorical input are indices of its levels, or NaN for any other
	// cell.
	XCategory *Category `json:"x_category,omitempty"`
	YCategory *Category `json:"y_category,omitempty"`
	// Others is the number of other inputs, which are held at their medians. Categories is the
	// number of categorical inputs among them, which are held at their most frequent level.
	Others     int `json:"others,omitempty"`
	Categories int `json:"categories,omitempty"`
	// Fields holds the predictions on the grid.
	Fields []Field `json:"fields"`
	// Samples is the number of components of each prediction; 1 if predictions are not estimated
	// from draws.
	Samples int `json:"samples"`
	// Points holds some of the Total training points, in one group or grouped by class.
	Points []PlanePoints `json:"points"`
	Total  int           `json:"of"`
}

// Field holds a number for each point of a grid, [B][A], in rows of ascending y.
type Field struct {
	Name string `json:"name"`
	// Probability marks a probability, with a decision boundary at 0.5.
	Probability bool `json:"probability,omitempty"`
	// Function marks a posterior function, in standardised units, as opposed to a prediction.
	Function bool `json:"function,omitempty"`
	// Classes names the classes if the values are class numbers, from 0.
	Classes []string `json:"classes,omitempty"`
	Values  Rounded  `json:"values"`
}

// PlanePoints is a group of points in the plane.
type PlanePoints struct {
	// Name is the name of the class, or "" for a single group.
	Name string  `json:"name"`
	X    Rounded `json:"x"`
	Y    Rounded `json:"y"`
}

// Check returns an error unless every field has a value for each point of the grid.
func (p *Plane) Check() error {
	a := len(p.X)
	b := len(p.Y)
	if c := p.XCategory; c != nil && (len(c.Names) != a || len(c.Counts) != a) {
		return fmt.Errorf("there are %d names and %d counts of %d levels", len(c.Names), len(c.Counts), a)
	}
	if c := p.YCategory; c != nil && (len(c.Names) != b || len(c.Counts) != b) {
		return fmt.Errorf("there are %d names and %d counts of %d levels", len(c.Names), len(c.Counts), b)
	}
	for _, f := range p.Fields {
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
