package deep

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/kernel"
	"dgplab/models/view"
)

// Names of the priors of f given the inducing outputs u that are inferred for each input.
const (
	amortizedAtMeans = "amortized, u at its mean"
	amortizedDrawn   = "amortized, u from p(u)"
)

// amortizedLayer is implemented by layers with inference functions.
type amortizedLayer interface {
	AmortizedPrior(atMeans bool) kernel.PriorLayer
}

// drawPrior draws from the GP prior at each depth, along a line through inputs, [N, D]. If all
// layers have inference functions it also draws from the priors given inducing outputs. It returns
// nil for a single layer without inference functions, and if no input is numeric. Latent variables
// are 0.
func (m *Model) drawPrior(inputs *mat.Dense, seed uint64) (*view.Prior, error) {
	if len(m.problem.data.Numbers()) == 0 {
		return nil, nil
	}
	layers := m.stack().layers
	if m.config.Latents > 0 {
		n, d := inputs.Dims()
		extended := mat.NewDense(n, d+m.config.Latents, nil)
		extended.Slice(0, n, 0, d).(*mat.Dense).Copy(inputs)
		inputs = extended
	}
	conventional := kernel.PriorKind{Name: kernel.ConventionalPrior}
	atMeans := kernel.PriorKind{Name: amortizedAtMeans}
	drawn := kernel.PriorKind{Name: amortizedDrawn}
	for _, l := range layers {
		conventional.Layers = append(conventional.Layers, l.Prior().Draws())
		if l, ok := l.(amortizedLayer); ok {
			atMeans.Layers = append(atMeans.Layers, l.AmortizedPrior(true))
			drawn.Layers = append(drawn.Layers, l.AmortizedPrior(false))
		}
	}
	switch {
	case len(drawn.Layers) == len(layers):
		return kernel.DrawPriors(inputs, seed, conventional, atMeans, drawn)
	case len(layers) > 1:
		return kernel.DrawPriors(inputs, seed, conventional)
	}
	return nil, nil
}
