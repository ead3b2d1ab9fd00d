package view

import (
	"fmt"
)

// Functions shows posterior functions along one column. Other numeric columns are held at the mean
// of the training inputs, and other categories at their most frequent level.
type Functions struct {
	// Input is the varied input, from 0, or the first input of a category. Name is the name of the
	// column, or "" if unknown. Grid holds its values in standardised units, or the indices of the
	// levels of a category, [G].
	Input int     `json:"input"`
	Name  string  `json:"name,omitempty"`
	Grid  Rounded `json:"grid"`
	// Category describes the levels of a category, or is nil for a number.
	Category *Category  `json:"category,omitempty"`
	Items    []Function `json:"items"`
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

// Check returns an error unless all columns have the same functions, with values on the whole grid, and a
// category has a name and a count for each level.
func (f *Functions) Check() error {
	for _, l := range f.Lines() {
		if len(l.Items) != len(f.Items) {
			return fmt.Errorf("there are %d functions along input %d, %d along input %d",
				len(l.Items), l.Input+1, len(f.Items), f.Input+1)
		}
		if c := l.Category; c != nil && (len(c.Names) != len(l.Grid) || len(c.Counts) != len(l.Grid)) {
			return fmt.Errorf("%d levels have %d names and %d counts",
				len(l.Grid), len(c.Names), len(c.Counts))
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

// OfFirstLayer names the functions after the first layer, unless it is the only one of the given number of
// layers.
func (f *Functions) OfFirstLayer(layers int) {
	for i := range f.Items {
		if layers > 1 {
			f.Items[i].Name = "layer 1, " + f.Items[i].Name
		}
	}
}
