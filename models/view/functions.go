package view

import (
	"fmt"

	"dgplab/models/number"
)

// Functions are functions of the posterior along one direction of the inputs, the
// others held at the mean of the training inputs.
type Functions struct {
	// Input is the column of the inputs that moves, from 0, and Name its name, "" where
	// that is not known; Grid its values, in standardised units, [G].
	Input int            `json:"input"`
	Name  string         `json:"name,omitempty"`
	Grid  number.Rounded `json:"grid"`
	Items []Function     `json:"items"`
	// Others are the same functions along other inputs.
	Others []Functions `json:"others,omitempty"`
}

// Lines returns the functions along every input that there is.
func (f *Functions) Lines() []*Functions {
	list := []*Functions{f}
	for k := range f.Others {
		list = append(list, &f.Others[k])
	}
	return list
}

// Check returns an error unless all functions have their values, the same ones along all
// inputs.
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

// Function is one function: its mean and its standard deviation, without noise, in
// standardised units, [G].
type Function struct {
	Name string         `json:"name"`
	Mean number.Rounded `json:"mean"`
	SD   number.Rounded `json:"sd"`
}
