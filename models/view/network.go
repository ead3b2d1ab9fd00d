package view

import (
	"fmt"
	"math"
)

// Network shows the coupling of the outputs of a model y(x) = W(x) f(x) + noise with independent
// latent functions f.
type Network struct {
	// Inputs and Outputs name the columns of the data, [D] and [P]. Latents names the latent
	// functions, [Q].
	Inputs  []string `json:"inputs"`
	Outputs []string `json:"outputs"`
	Latents []string `json:"latents"`
	// Noise is the variance of the noise, in standardised units.
	Noise Float `json:"noise"`
	// Points holds some of the Total training inputs; Average is the average over all of them.
	Points  []NetworkPoint `json:"points"`
	Average NetworkPoint   `json:"average"`
	Total   int            `json:"of"`
}

// NetworkPoint describes a network at one input or on average. The moments are exact moments of the
// posterior, in standardised units.
type NetworkPoint struct {
	// X is the input in original units, [D]. It is nil for the average.
	X Rounded `json:"x,omitempty"`
	// Weights are the root mean squares of the weights, E[w_ij^2]^1/2, [P][Q].
	Weights []Rounded `json:"weights"`
	// Signal is E[W K W^T], [P][P], with K the prior variances of the latent functions: the
	// covariance of the noiseless outputs at an input if the latent functions are drawn from their
	// prior. Wilson, Knowles, Ghahramani, "Gaussian Process Regression Networks", 2012,
	// arXiv:1110.4411, section 2, give it conditional on W; here it is averaged over W.
	Signal []Rounded `json:"signal"`
}

// Correlations returns the correlations of the outputs with the given noise variance, [P][P]. They
// are NaN for an output without variance.
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

// Check returns an error unless every point is complete.
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

// fits reports whether m has the given numbers of rows and columns.
func fits(m []Rounded, rows, columns int) bool {
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
