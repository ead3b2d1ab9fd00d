package view

import "dgplab/models/number"

// Units says what samples do in one layer.
type Units struct {
	// Lengthscales and Variance are of the layer's shared kernel.
	Lengthscales number.Rounded `json:"lengthscales"`
	Variance     number.Float   `json:"variance"`
	// Grid is the first input direction, in standardised units, [G].
	Grid number.Rounded `json:"grid"`
	// Units has one entry per unit (GP) of the layer.
	Units []Unit `json:"units"`
	// Correlation is [T][T], over data points and samples.
	Correlation []number.Rounded `json:"correlation"`
}

// Unit says what the samples of one unit do, over training inputs.
type Unit struct {
	// Name is that of the output, where the unit is the one of several outputs.
	Name string       `json:"name,omitempty"`
	Mean number.Float `json:"mean"`
	SD   number.Float `json:"sd"`
	Min  number.Float `json:"min"`
	Max  number.Float `json:"max"`
	// Histogram counts the samples in equal bins from Min to Max.
	Histogram []int `json:"histogram"`
	// Share is the part of the variance over data and samples that is not the
	// mean function's, from 0 to 1.
	Share number.Float `json:"share"`
	// Collapsed marks a unit whose samples do nothing beyond its mean function, or
	// nothing at all.
	Collapsed bool `json:"collapsed"`
	// Curves holds a few joint function draws along Grid, [C][G].
	Curves []number.Rounded `json:"curves"`
}
