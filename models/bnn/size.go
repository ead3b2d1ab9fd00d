package bnn

import (
	"dgplab/models/autodiff"
	"dgplab/models/family"
)

// cost returns the number of weights and biases of a network configured by v, the number of
// operations of a gradient at the given number of points, and the number of stored values. A
// gradient takes a forward pass and, for the backward pass, two products of the same size per
// layer; the first layer needs only one.
func cost(v family.Values, rows, d, p int) (weights int, flops, kept float64) {
	sizes := autodiff.PerceptronSizes(d, p, v.Int("hidden_layers"), v.Int("hidden_width"))
	points := float64(rows)
	for l := 1; l < len(sizes); l++ {
		products := 3
		if l == 1 {
			products = 2
		}
		flops += 2 * points * float64(products*sizes[l]*sizes[l-1])
		kept += 2 * points * float64(sizes[l])
	}
	return autodiff.NumWeights(sizes), flops, kept + points*float64(d)
}

// shape returns the shape of the largest products at the given number of points.
func shape(v family.Values, points, d int) family.Shape {
	s := family.Shape{Rows: v.Int("hidden_width"), Inner: d, Cols: points}
	if v.Int("hidden_layers") > 1 {
		s.Inner = s.Rows
	}
	return s
}

// sizeVariational implements family.Spec.Size.
func sizeVariational(v family.Values, n, d, p int) (family.Size, error) {
	weights, flops, kept := cost(v, min(v.Int("batch"), n)*v.Int("samples"), d, p)
	// Memory holds the draws, their noise, their products with values and gradients, and the state
	// of the optimiser. Drawing a weight takes one multiply-add per pass.
	draws := float64(weights * v.Int("samples"))
	parameters := 2*weights + 1 // with the noise
	return family.Size{Variational: 2 * weights, Parameters: parameters, StepFLOPs: flops + 8*draws,
		Shape: shape(v, min(v.Int("batch"), n), d), Elementwise: 8 * draws,
		Memory: 8 * (kept + 5*draws + 10*float64(parameters))}, nil
}

// sizeDropout implements family.Spec.Size.
func sizeDropout(v family.Values, n, d, p int) (family.Size, error) {
	weights, flops, kept := cost(v, min(v.Int("batch"), n)*v.Int("samples"), d, p)
	// Masks and masked inputs have the size of the inputs.
	return family.Size{
		Parameters: weights + 1,
		StepFLOPs:  flops,
		Shape:      shape(v, min(v.Int("batch"), n)*v.Int("samples"), d),
		Memory:     8 * (3*kept + 6*float64(weights)),
	}, nil
}

// sizeFilter implements family.Spec.Size.
func sizeFilter(v family.Values, n, d, p int) (family.Size, error) {
	sizes := autodiff.PerceptronSizes(d, p, v.Int("hidden_layers"), v.Int("hidden_width"))
	weights := autodiff.NumWeights(sizes)
	parameters := 2*weights + 2 // with the noise
	// Each weight and point takes 9 operations forward, 20 backward and 9 for the update. The normal
	// distribution function and density of a hidden unit take as many as three exponentials.
	units := float64(v.Int("hidden_layers") * v.Int("hidden_width"))
	flops := float64(min(v.Int("batch"), n)) * (38*float64(weights) + 120*units)
	return family.Size{Variational: 2 * weights, Parameters: parameters,
		StepFLOPs: flops, Elementwise: flops,
		Memory: 8 * (3*float64(parameters) + 4*float64(weights))}, nil
}

// sizeTrajectories implements family.Spec.Size. A step is one trajectory of every chain.
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

// sizeChains returns the size of chains that evaluate gradients gradients per step, each at the
// given number of points. variances is the number of sampled variances.
func sizeChains(v family.Values, points, d, p, gradients, variances int) family.Size {
	weights, flops, kept := cost(v, points, d, p)
	chains, parameters := float64(v.Int("chains")), weights+variances
	// A chain stores the values of a gradient, the samples, and the vectors of the method and the
	// parameter set.
	numbers := 3*kept + float64(parameters)*float64(v.Int(family.Kept)+12)
	return family.Size{
		Parameters: parameters,
		StepFLOPs:  chains * float64(gradients) * flops,
		Shape:      shape(v, points, d),
		Memory:     8 * chains * numbers,
	}
}
