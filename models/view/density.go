package view

import "fmt"

// Density is the predictive density of a target along a line, in original units, with all other inputs
// at their medians.
type Density struct {
	// Y holds the centres of cells of the target, ascending, [B]. They cover the training targets.
	Y Rounded `json:"y"`
	// Values holds the probability of each cell divided by its width, [B][G], rows with ascending Y.
	Values Rounded `json:"values"`
}

// check returns an error unless there is a value for each cell at n points.
func (d *Density) check(n int) error {
	if len(d.Y) < 2 || len(d.Values) != len(d.Y)*n {
		return fmt.Errorf("a density has %d values in %d cells at %d points", len(d.Values), len(d.Y), n)
	}
	return nil
}
