package view

import (
	"fmt"
	"math"

	"dgplab/models/number"
)

// Network is how the outputs of a model y(x) = W(x) f(x) + noise, of independent latent
// functions f, hang together.
type Network struct {
	// Inputs and Outputs name the columns of the data, [D] and [P], and Latents the latent
	// functions, [Q].
	Inputs  []string `json:"inputs"`
	Outputs []string `json:"outputs"`
	Latents []string `json:"latents"`
	// Noise is the variance of the noise, in standardised units.
	Noise number.Float `json:"noise"`
	// Points are some of the Of training inputs; Average is the average over all of them.
	Points  []NetworkPoint `json:"points"`
	Average NetworkPoint   `json:"average"`
	Of      int            `json:"of"`
}

// NetworkPoint is what there is of a network at an input, or on the average. The moments
// are exact ones of the posterior, in standardised units.
type NetworkPoint struct {
	// X is the input, in original units, [D]; nil for the average.
	X number.Rounded `json:"x,omitempty"`
	// Weights are the root mean squares of the weights, E[w_ij^2]^1/2, [P][Q].
	Weights []number.Rounded `json:"weights"`
	// Signal is E[W K W^T] with K the prior variances of the latent functions, [P][P]: the
	// covariance of the outputs without noise at an input, for latent functions that are
	// drawn from their prior. Given W it is that of Wilson, Knowles, Ghahramani, "Gaussian
	// Process Regression Networks", 2012, arXiv:1110.4411, section 2; here W is averaged
	// over too.
	Signal []number.Rounded `json:"signal"`
}

// Correlations returns those of the outputs, [P][P], with so much noise: NaN where an
// output has no variance.
func (p NetworkPoint) Correlations(noise float64) [][]float64 {
	out := make([][]float64, len(p.Signal))
	for i, row := range p.Signal {
		out[i] = make([]float64, len(row))
		for k, v := range row {
			if i == k {
				v += noise
			}
			out[i][k] = v / math.Sqrt((row[i]+noise)*(p.Signal[k][k]+noise))
		}
	}
	return out
}

// Check returns an error unless every point has all of its numbers.
func (n *Network) Check() error {
	for _, p := range append(n.Points[:len(n.Points):len(n.Points)], n.Average) {
		if !fits(p.Weights, len(n.Outputs), len(n.Latents)) ||
			!fits(p.Signal, len(n.Outputs), len(n.Outputs)) {
			return fmt.Errorf("a point of the network does not have the weights and covariances of %d "+
				"outputs and %d latent functions", len(n.Outputs), len(n.Latents))
		}
	}
	for _, p := range n.Points {
		if len(p.X) != len(n.Inputs) {
			return fmt.Errorf("a point of the network has %d inputs, want %d", len(p.X), len(n.Inputs))
		}
	}
	return nil
}

// fits reports whether a matrix has so many rows and columns.
func fits(m []number.Rounded, rows, columns int) bool {
	if len(m) != rows {
		return false
	}
	for _, row := range m {
		if len(row) != columns {
			return false
		}
	}
	return true
}
