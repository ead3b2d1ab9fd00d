package deep

import (
	"dgplab/models/family"
	"dgplab/models/layer"
)

// sizeOf returns what a model of such layers on n points would hold and compute.
func sizeOf(layers []layer.Costed, widths []int, c Config, n int) family.Size {
	var size family.Size
	b, s := min(c.Batch, n), c.Samples
	if len(layers) == 1 {
		s = 1
	}
	numbers := 0.0 // kept by a training step
	var macs, predicted float64
	for l, of := range layers {
		points, groups, columns := b, b, predictColumns
		if l > 0 {
			points = s * b
		}
		if l > 0 && c.Rule == OfSamples {
			groups = points
		}
		cost := of.Cost(points, groups)
		size.Variational += cost.Variational
		size.Parameters += cost.Parameters
		macs += cost.MACs
		// Samples of the layer, with their draws and roots.
		numbers += cost.Numbers + 4*float64(s*b*widths[l])
		if c.Rule != OfSamples {
			columns = max(1, columns/s)
		}
		predicted += of.Cost(predictColumns, columns).Numbers + 4*float64(predictColumns*widths[l])
		if c.Quadrature && l < len(layers)-1 {
			size.Parameters += s * widths[l]
		}
	}
	if c.Quadrature && len(layers) > 1 {
		size.Parameters += s
	}
	size.Parameters++ // the noise
	// The optimiser has three numbers for each parameter.
	size.Memory = 8 * (2*numbers + predicted + 4*float64(size.Parameters))
	size.StepFLOPs = 2 * 3 * macs
	return size
}
