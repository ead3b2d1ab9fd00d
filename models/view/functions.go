package view

import (
	"fmt"
)

// Functions shows posterior functions along one input, with the others held at the mean of the
// training inputs.
type Functions struct {
	// Input is the column of the varied input, from 0. Name is its name, or "" if unknown, and Grid
	// holds its values in standardised units, [G].
	Input int        `json:"input"`
	Name  string     `json:"name,omitempty"`
	Grid  Rounded    `json:"grid"`
	Items []Function `json:"items"`
	// Others holds the same functions along other inputs.
	Others []Functions `json:"others,omitempty"`
}

// Lines returns the functions along every input.
func (f *Functions) Lines() []*Functions {
	list := []*Functions{f}
	for k := range f.Others {
		list = append(list, &f.Others[k])
	}
	return list
}

// Check returns an error unless all inputs have the same functions, with values on the whole grid.
func (f *Functions) Check() error {
	for _, l := range f.Lines() {
		if len(l.Items) != len(f.Items) {
			return fmt.Errorf("there are %d functions along input %d, %d along input %d",
				len(l.Items), l.Input+1, len(f.Items), f.Input+1)
		}
		for _, item := range l.Items {
			if g := len(l.Grid); len(item.Mean) != g || len(item.SD) != g {
				return fmt.Errorf("function %q has %d means and %d standard deviations on a grid of %d",
					item.Name, len(item.Mean), len(item.SD), g)
			}
		}
	}
	return nil
}

// Function holds the mean and standard deviation of one function, without noise, in standardised
// units, [G].
type Function struct {
	Name string  `json:"name"`
	Mean Rounded `json:"mean"`
	SD   Rounded `json:"sd"`
	// Share is the share, from 0 to 1, of a term of a sum in the prior variance at the training
	// inputs. It is 0 for other functions.
	Share Float `json:"share,omitempty"`
}
