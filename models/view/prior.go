package view

import (
	"fmt"
)

// Prior shows functions drawn from a model's prior at each depth: the output of the first layer
// alone, of the first two layers, and so on, at the current hyperparameters. The inputs vary along
// one direction, in standardised units.
//
// Deep priors without mean functions flatten as layers are added: Duvenaud, Rippel, Adams,
// Ghahramani, "Avoiding Pathologies in Very Deep Networks", AISTATS 2014, section 3,
// arXiv:1402.5836; Meng, Zhang, "Amortized Variational Inference for Deep Gaussian Processes",
// 2024, Fig. 3.
type Prior struct {
	// Direction names the line, for example "first principal direction". Grid holds the positions
	// on it, ascending, [G].
	Direction string  `json:"direction"`
	Grid      Rounded `json:"grid"`
	// Kinds lists the priors.
	Kinds []PriorKind `json:"kinds"`
}

// PriorKind holds draws from one prior.
type PriorKind struct {
	// Name identifies the prior, for example "conventional" or "amortized".
	Name string `json:"name"`
	// Depths holds the curves at each depth, from 1: the first output of the last layer, [L][C][G].
	// Curve c at one depth is the input of curve c at the next.
	Depths [][]Rounded `json:"depths"`
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
