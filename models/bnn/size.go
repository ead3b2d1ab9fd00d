package bnn

import (
	"dgplab/models/family"
	"dgplab/models/network"
)

// cost returns the weights and biases of the networks that values describe, the
// operations of a gradient at so many points (a forward pass and two products of its size
// backward, but for inputs) and the numbers that it keeps.
func cost(v family.Values, rows, d, p int) (weights int, flops, kept float64) {
	sizes := network.Sizes(d, p, v.Int("hidden_layers"), v.Int("hidden_width"))
	points := float64(rows)
	for l := 1; l < len(sizes); l++ {
		products := 3
		if l == 1 {
			products = 2
		}
		flops += 2 * points * float64(products*sizes[l]*sizes[l-1])
		kept += 2 * points * float64(sizes[l])
	}
	return network.Numbers(sizes), flops, kept + points*float64(d)
}

// sizeVariational implements family.Spec.Size.
func sizeVariational(v family.Values, n, d, p int) (family.Size, error) {
	weights, flops, kept := cost(v, min(v.Int("batch"), n)*v.Int("samples"), d, p)
	// Draws, their noise and their products, values and gradients of three, and of the
	// parameters what the optimiser keeps; a draw is a multiply-add either way.
	draws := float64(weights * v.Int("samples"))
	parameters := 2*weights + 1 // with the noise
	return family.Size{Variational: 2 * weights, Parameters: parameters, StepFLOPs: flops + 8*draws,
		Memory: 8 * (kept + 5*draws + 10*float64(parameters))}, nil
}

// sizeDropout implements family.Spec.Size.
func sizeDropout(v family.Values, n, d, p int) (family.Size, error) {
	weights, flops, kept := cost(v, min(v.Int("batch"), n)*v.Int("samples"), d, p)
	// Masks and masked inputs are as many numbers as the inputs.
	return family.Size{
		Parameters: weights + 1,
		StepFLOPs:  flops,
		Memory:     8 * (3*kept + 6*float64(weights)),
	}, nil
}

// sizeFilter implements family.Spec.Size.
func sizeFilter(v family.Values, n, d, p int) (family.Size, error) {
	weights := network.Numbers(network.Sizes(d, p, v.Int("hidden_layers"), v.Int("hidden_width")))
	parameters := 2*weights + 2 // with the noise
	// Of a weight at a point: 9 operations forward, 20 backward, 9 to move it.
	return family.Size{Variational: 2 * weights, Parameters: parameters,
		StepFLOPs: 38 * float64(weights) * float64(min(v.Int("batch"), n)),
		Memory:    8 * (3*float64(parameters) + 4*float64(weights))}, nil
}

// sizeTrajectories implements family.Spec.Size: a step is a trajectory of every chain.
func sizeTrajectories(v family.Values, n, d, p int) (family.Size, error) {
	variances := 0
	for _, name := range []string{"noise", "weights"} {
		if v.Text(name) == "sampled" {
			variances++
		}
	}
	return sizeChains(v, n, d, p, v.Int("leapfrog_steps"), variances), nil
}

// sizeLangevin implements family.Spec.Size.
func sizeLangevin(v family.Values, n, d, p int) (family.Size, error) {
	return sizeChains(v, min(v.Int("batch"), n), d, p, 1, 1), nil
}

// sizeChains returns the size of chains that take so many gradients at so many points in a
// step, of networks and so many variances.
func sizeChains(v family.Values, points, d, p, gradients, variances int) family.Size {
	weights, flops, kept := cost(v, points, d, p)
	chains, parameters := float64(v.Int("chains")), weights+variances
	// Of a chain: what a gradient keeps, samples, and vectors of the method and of the set.
	numbers := 3*kept + float64(parameters)*float64(v.Int(family.Kept)+12)
	return family.Size{
		Parameters: parameters,
		StepFLOPs:  chains * float64(gradients) * flops,
		Memory:     8 * chains * numbers,
	}
}
