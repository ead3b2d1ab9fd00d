package view

import "dgplab/models/number"

// Functions are functions of the posterior along one direction of the inputs, the
// others held at the mean of the training inputs.
type Functions struct {
	// Input is the column of the inputs that moves, from 0; Grid its values, in
	// standardised units, [G].
	Input int            `json:"input"`
	Grid  number.Rounded `json:"grid"`
	Items []Function     `json:"items"`
}

// Function is one function: its mean and its standard deviation, without noise, in
// standardised units, [G].
type Function struct {
	Name string         `json:"name"`
	Mean number.Rounded `json:"mean"`
	SD   number.Rounded `json:"sd"`
}
