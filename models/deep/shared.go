package deep

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/inducing"
	"dgplab/models/kernel"
	"dgplab/models/layer"
	"dgplab/models/random"
)

// Shared is stacks of layers whose points share inducing inputs (layer.Global).
type Shared struct {
	Shape
	Kernel kernel.Kernel
	// Orthogonal is the number of inducing inputs of a second set, in every layer.
	Orthogonal int
	// ARD, LinearMean (of hidden layers), Diagonal, Whiten and Jitter are those of
	// layer.GlobalConfig.
	ARD, LinearMean, Diagonal, Whiten bool
	Jitter                            float64
	// HiddenSpread is the standard deviation of q(u) in hidden layers at the start,
	// relative to the prior's; that of the last layer is the prior's.
	HiddenSpread float64
}

// meanNoise is the spread of the means of q(u) at the start, by which equal outputs of a
// layer become different (mean_init_std of GPyTorch's variational distributions,
// https://docs.gpytorch.ai/en/stable/variational.html).
const meanNoise = 1e-3

// configs returns the form of each layer.
func (s Shared) configs() []layer.GlobalConfig {
	var list []layer.GlobalConfig
	for l, width := range s.Widths {
		list = append(list, layer.GlobalConfig{
			Place: fmt.Sprintf("layer %d", l+1), Kernel: s.Kernel,
			Inputs: s.Inputs[l], Outputs: width, Inducing: s.Inducing[l], Orthogonal: s.Orthogonal,
			ARD: s.ARD, LinearMean: s.LinearMean && l < len(s.Widths)-1, Diagonal: s.Diagonal, Whiten: s.Whiten, Jitter: s.Jitter})
	}
	return list
}

// New returns a model of such layers at their start: the inducing inputs of a layer are
// found by k-means (inducing.Centers) on the training inputs, pushed through the linear
// maps of the layers below (inducing.LinearMap), which mean functions start at.
func (s Shared) New(c Config, data family.Data, seed uint64) (*Model, error) {
	tape := autodiff.NewTape()
	var layers []layer.Layer
	x := data.X
	for l, config := range s.configs() {
		g := layer.NewGlobal(tape, config)
		start := layer.GlobalStart{Variance: s.Variances[l], Lengthscale: s.Lengthscales[l], Spread: 1, Noise: meanNoise, Seed: seed, Index: l,
			Z: inducing.KMeans(x, config.Inducing+config.Orthogonal, random.Stream(seed, "k-means", uint64(l)))}
		if l < len(s.Widths)-1 {
			start.Spread = s.HiddenSpread
			w := inducing.LinearMap(x, config.Outputs)
			if config.LinearMean {
				start.MeanW = w
			}
			pushed := new(mat.Dense)
			pushed.Mul(x, w)
			x = pushed
		}
		if err := g.Start(tape, start); err != nil {
			return nil, err
		}
		layers = append(layers, g)
	}
	return New(tape, layers, c, data, seed)
}

// Size returns what such a model of n points would hold and compute; see Size.
func (s Shared) Size(c Config, n int) family.Size {
	var layers []layer.Costed
	for _, config := range s.configs() {
		layers = append(layers, config)
	}
	return Size(layers, s.Widths, c, n)
}
