package view

import (
	"fmt"
	"math"
	"slices"
)

// Weights summarises the posterior of the weights and biases of a network by layer.
type Weights struct {
	Layers []WeightLayer `json:"layers"`
}

// WeightLayer summarises one layer of a network.
type WeightLayer struct {
	// Inputs is the number of inputs of the layer, and Units is its number of outputs.
	Inputs  int           `json:"inputs"`
	Units   int           `json:"units"`
	Weights WeightsSpread `json:"weights"`
	Biases  WeightsSpread `json:"biases"`
}

// WeightsSpread summarises a group of weights by quantiles of their posterior means and standard
// deviations.
type WeightsSpread struct {
	Means Spread `json:"means"`
	SDs   Spread `json:"sds"`
	// RMS is the root mean square of the weights under the posterior.
	RMS Float `json:"rms"`
	// Sure is the share of weights whose absolute mean exceeds their standard deviation, that is,
	// whose signal-to-noise ratio exceeds 1 (Blundell, Cornebise, Kavukcuoglu, Wierstra, "Weight
	// Uncertainty in Neural Networks", ICML 2015, arXiv:1505.05424, section 5.1).
	Sure Float `json:"sure"`
	// Histogram counts the means in equal bins from Min to Max.
	Min       Float `json:"min"`
	Max       Float `json:"max"`
	Histogram []int `json:"histogram"`
}

// NewWeightsSpread summarises weights with the given posterior means and standard deviations.
func NewWeightsSpread(mean, sd []float64) WeightsSpread {
	var squares float64
	sure := 0
	for i, m := range mean {
		squares += m*m + sd[i]*sd[i]
		if math.Abs(m) > sd[i] {
			sure++
		}
	}
	n := float64(len(mean))
	means := slices.Sorted(slices.Values(mean))
	low, high := means[0], means[len(means)-1]
	return WeightsSpread{
		Means: NewSpread(means), SDs: NewSpread(slices.Sorted(slices.Values(sd))),
		RMS: Float(math.Sqrt(squares / n)), Sure: Float(float64(sure) / n),
		Min: Float(low), Max: Float(high), Histogram: histogram(mean, low, high),
	}
}

// Check returns an error unless every layer has inputs and units.
func (w *Weights) Check() error {
	for l, layer := range w.Layers {
		if layer.Inputs < 1 || layer.Units < 1 {
			return fmt.Errorf("layer %d of the network has %d inputs and %d units",
				l+1, layer.Inputs, layer.Units)
		}
	}
	return nil
}
