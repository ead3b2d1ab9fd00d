package view

import (
	"fmt"
)

// Quadrature holds the points and weights that a model has learned instead of using random draws:
// sample s of output t of a hidden layer is its mean plus Points[t][s] standard deviations, for all
// inputs alike. The points are initialised with standard normal draws, and the weights are
// initially equal.
type Quadrature struct {
	// Weights are positive and add up to 1, [S]; the layers share them.
	Weights Rounded `json:"weights"`
	// Layers are the hidden layers, first to last.
	Layers []QuadratureLayer `json:"layers"`
}

// QuadratureLayer holds the points of a layer for each output, [T][S].
type QuadratureLayer struct {
	Points []Rounded `json:"points"`
}

// Check returns an error unless every output has a point for each weight.
func (q *Quadrature) Check() error {
	for l, layer := range q.Layers {
		for t, points := range layer.Points {
			if len(points) != len(q.Weights) {
				return fmt.Errorf("output %d of layer %d has %d points but %d weights",
					t+1, l+1, len(points), len(q.Weights))
			}
		}
	}
	return nil
}
