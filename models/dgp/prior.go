package dgp

import (
	"dgplab/models/prior"
	"dgplab/models/view"
)

// drawPrior draws from the prior by depth, at the present hyperparameters; nil for a
// single layer. The posterior must be fresh.
func (m *Model) drawPrior(seed uint64) (*view.Prior, error) {
	if len(m.arch.Layers) < 2 {
		return nil, nil
	}
	layers := make([]prior.Layer, len(m.arch.Layers))
	for l, layer := range m.arch.Layers {
		layers[l] = prior.Layer{
			Numbers: func(n int) int { return layer.GPs * n },
			Draw:    func(in, eps []float64) ([]float64, error) { return m.drawLayerPrior(l, in, eps) },
		}
	}
	return prior.Draws(m.probe, seed, prior.Kind{Name: prior.Conventional, Layers: layers})
}

// drawLayerPrior returns a draw from the prior of layer l at in, [D_l][n], for eps
// [T_l][n]: [T_l][n].
func (m *Model) drawLayerPrior(l int, in, eps []float64) ([]float64, error) {
	layer, variance := m.arch.Layers[l], m.post().layers[l].variance.Value[0]
	n := len(in) / layer.Inputs
	f := meanAt(layer, in, n)
	return f, prior.AddGPs(f, m.covarianceAt(l, in), variance, eps, n)
}
