package deep

import (
	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/layer"
)

// sizeOf returns the size and the cost of a model with these layers for n points of the given numbers
// of inputs and targets.
func sizeOf(layers []layer.Costed, widths []int, c Config, n, inputs, targets int) family.Size {
	var size family.Size
	b, s := min(c.Batch, n), c.Samples
	if len(layers) == 1 && c.Latents == 0 {
		s = 1
	}
	var trained, macs float64
	rows, draws := family.PredictionSize(n)
	predicted := 0.4 * rows * float64(inputs) // scaled inputs
	if c.Quadrature {
		draws = rows * float64(s)
	}
	for l, current := range layers {
		points, groups := b, b
		predictedPoints, predictedGroups := rows, rows
		if l > 0 || c.Latents > 0 {
			points = s * b
			predictedPoints = draws
		}
		if l > 0 && c.Rule == OfSamples {
			groups = points
			predictedGroups = draws
		}
		cost := current.Cost(points, groups)
		size.Variational += cost.Variational
		size.Parameters += cost.Parameters
		macs += cost.MACs
		size.Elementwise += 2 * 3 * cost.Elementwise
		size.Shape = cost.Shape
		// Samples of the layer, with their draws and standard deviations.
		trained += cost.Stored + 4*float64(s*b*widths[l])
		predicted += current.Cost(int(predictedPoints), int(predictedGroups)).Stored +
			4*predictedPoints*float64(widths[l])
		if c.Quadrature && l < len(layers)-1 {
			size.Parameters += s * widths[l]
		}
	}
	if c.Quadrature && len(layers) > 1 {
		size.Parameters += s
	}
	if c.Latents > 0 {
		weights := autodiff.NumWeights(encoderSizes(inputs, targets, c.Latents))
		size.Variational += weights
		size.Parameters += weights
		macs += float64(b * weights)
		// Inputs with their latents, per sample; predictions also keep them divided by the lengthscales.
		trained += float64(s * b * (inputs + c.Latents))
		predicted += 2 * draws * float64(inputs+c.Latents)
		for _, width := range widths[:len(widths)-1] { // covariances of samples, with four operations
			trained += 4 * float64(width*b*s*s)
		}
	}
	size.Parameters++ // the noise variance
	// Each parameter comes with its gradient, three numbers of the optimiser, and copies of all of
	// these for the kept state and for checkpoints.
	size.Memory = 8 * (2*trained + predicted + 4*float64(size.Parameters))
	size.StepFLOPs = 2 * 3 * macs
	return size
}
