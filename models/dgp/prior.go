package dgp

import (
	"dgplab/models/kernel"
	"dgplab/models/view"
)

// drawPrior draws from the prior at each depth, with the current hyperparameters. It returns nil
// for a single layer, and if no input is numeric. The posterior must be up to date.
func (d *deepGP) drawPrior(seed uint64) (*view.Prior, error) {
	if len(d.arch.Layers) < 2 || len(d.data.Numbers()) == 0 {
		return nil, nil
	}
	layers := make([]kernel.PriorLayer, len(d.arch.Layers))
	for l, layer := range d.arch.Layers {
		layers[l] = kernel.PriorLayer{
			NumNormals: func(n int) int { return layer.GPs * n },
			Draw:       func(in, eps []float64) ([]float64, error) { return d.drawLayerPrior(l, in, eps) },
		}
	}
	inputs := d.data.HoldCategories(d.probe)
	return kernel.DrawPriors(inputs, seed, kernel.PriorKind{Name: kernel.ConventionalPrior, Layers: layers})
}

// drawLayerPrior returns a draw from the prior of layer l at in, [D_l][n], given standard normal
// draws eps [T_l][n]: [T_l][n].
func (d *deepGP) drawLayerPrior(l int, in, eps []float64) ([]float64, error) {
	layer := d.arch.Layers[l]
	n := len(in) / layer.Inputs
	f := meanAt(layer, in, n)
	return f, kernel.AddGPs(f, d.covarianceAt(l, in), d.post.layers[l].kernel.Scale(0, in), eps, n)
}
