package view

import (
	"fmt"

	"dgplab/models/number"
)

// Prior is functions drawn from a model's prior, by depth: what the first layer alone
// makes of the inputs, the first two, and so on, at the present hyperparameters. The
// inputs move along one direction, in standardised units.
//
// Deep priors without mean functions flatten as layers are added: Duvenaud, Rippel,
// Adams, Ghahramani, "Avoiding Pathologies in Very Deep Networks", AISTATS 2014,
// section 3, arXiv:1402.5836; Meng, Zhang, "Amortized Variational Inference for Deep
// Gaussian Processes", 2024, Fig. 3.
type Prior struct {
	// Direction names the line, for example "first principal direction". Grid is where
	// the points are on it, rising, [G].
	Direction string         `json:"direction"`
	Grid      number.Rounded `json:"grid"`
	// Kinds are the priors that there are.
	Kinds []PriorKind `json:"kinds"`
}

// PriorKind is draws from one prior.
type PriorKind struct {
	// Name says which, for example "conventional" or "amortized".
	Name string `json:"name"`
	// Depths has the curves of each depth, from 1: those of the first output of its last
	// layer, [L][C][G]. Curve c of a depth is the next layer's of curve c of the depth
	// before.
	Depths [][]number.Rounded `json:"depths"`
}

// Check returns an error unless every curve has a value for each point of the grid.
func (p *Prior) Check() error {
	for _, kind := range p.Kinds {
		for l, curves := range kind.Depths {
			for _, c := range curves {
				if len(c) != len(p.Grid) {
					return fmt.Errorf("a curve of the %s prior at depth %d has %d values on a grid of %d",
						kind.Name, l+1, len(c), len(p.Grid))
				}
			}
		}
	}
	return nil
}
