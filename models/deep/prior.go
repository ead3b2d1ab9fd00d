package deep

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/layer"
	"dgplab/models/prior"
	"dgplab/models/view"
)

// The names of the priors given inducing outputs u of single inputs.
const (
	amortizedAtMeans = "amortized, u at its mean"
	amortizedDrawn   = "amortized, u from p(u)"
)

// drawPrior draws from the prior of the GPs by depth, and from those given inducing outputs
// where all layers have inference functions; nil for a single layer without.
func (m *Model) drawPrior(probe *mat.Dense, seed uint64) (*view.Prior, error) {
	layers := m.stack().layers
	kinds := []prior.Kind{{Name: prior.Conventional}, {Name: amortizedAtMeans}, {Name: amortizedDrawn}}
	for _, l := range layers {
		kinds[0].Layers = append(kinds[0].Layers, layer.Prior(l))
		for k := range kinds[1:] {
			if p, ok := layer.AmortizedPrior(l, k == 0); ok {
				kinds[1+k].Layers = append(kinds[1+k].Layers, p)
			}
		}
	}
	if len(kinds[1].Layers) < len(layers) {
		kinds = kinds[:1]
		if len(layers) == 1 {
			return nil, nil
		}
	}
	return prior.Draws(probe, seed, kinds...)
}
