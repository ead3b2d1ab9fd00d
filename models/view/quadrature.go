package view

import (
	"fmt"
)

// Quadrature holds the learned points and weights that replace random draws in a model: sample s of
// output t of a hidden layer is its mean plus Points[t][s] standard deviations, for all inputs. The
// points start as standard normal draws, and the weights start equal.
type Quadrature struct {
	// Weights holds the weights, [S], which are positive and add up to 1. All layers share them.
	Weights Rounded `json:"weights"`
	// Layers lists the hidden layers, first to last.
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
