package deep

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/inducing"
	"dgplab/models/kernel"
	"dgplab/models/layer"
	"dgplab/models/stats"
)

// Shared describes stacks of layers with inducing inputs shared by all points (layer.Global).
type Shared struct {
	Shape
	// Kernels holds the kernel of each layer.
	Kernels []kernel.Kernel
	// Orthogonal is the number of orthogonal inducing inputs of every layer.
	Orthogonal int
	// ARD, LinearMean (for hidden layers), Diagonal, Whiten and Jitter are fields of
	// layer.GlobalConfig.
	ARD, LinearMean, Diagonal, Whiten bool
	Jitter                            float64
	// HiddenSpread is the initial standard deviation of q(u) in hidden layers, relative to the
	// prior. The last layer starts at the prior.
	HiddenSpread float64
}

// meanNoise is the initial spread of the means of q(u), which breaks the symmetry between the
// outputs of a layer (mean_init_std of GPyTorch's variational distributions,
// https://docs.gpytorch.ai/en/stable/variational.html).
const meanNoise = 1e-3

// ReadShared returns the layers that Settings describe for n points of d inputs and p targets, with
// at most n inducing points each, and a note if more are requested. Families set the other fields
// of Shared.
func ReadShared(v family.Values, n, d, p int) (s Shared, notes []string, err error) {
	s.Shape, err = ReadShape(v, d, p, n)
	if err != nil {
		return s, nil, err
	}
	s.Kernels, err = family.ParseKernels(v, "kernel", len(s.Widths))
	if err != nil {
		return s, nil, err
	}
	if err := family.CheckKernels("kernel", s.Kernels, s.Widths); err != nil {
		return s, nil, err
	}
	s.ARD = v.Bool("ard")
	s.Whiten = v.Bool("whiten")
	s.Jitter = v.Float("jitter")
	return s, InducingNotes(v, n), nil
}

// InducingNotes returns a note if more inducing points are requested than the n training points.
func InducingNotes(v family.Values, n int) []string {
	if slices.Max(v.Ints("inducing")) <= n {
		return nil
	}
	return []string{fmt.Sprintf("inducing=%s exceeds the %d training points; each layer uses at most %d",
		v.Text("inducing"), n, n)}
}

// configs returns the configuration of each layer.
func (s Shared) configs() []layer.GlobalConfig {
	var list []layer.GlobalConfig
	for l, width := range s.Widths {
		list = append(list, layer.GlobalConfig{
			Layer: fmt.Sprintf("layer %d", l+1), Kernel: s.Kernels[l],
			Inputs: s.Inputs[l], Outputs: width, Inducing: s.Inducing[l], Orthogonal: s.Orthogonal,
			ARD: s.ARD, LinearMean: s.LinearMean && l < len(s.Widths)-1, Diagonal: s.Diagonal,
			Whiten: s.Whiten, Jitter: s.Jitter})
	}
	return list
}

// Forms implements Layers.
func (s Shared) Forms() (forms []layer.Costed, outputs []int) {
	for _, config := range s.configs() {
		forms = append(forms, config)
	}
	return forms, s.Widths
}

// New implements Layers. The inducing inputs of a layer come from k-means (inducing.KMeans) on the
// training inputs, propagated through the linear maps of the layers below (inducing.LinearMap),
// which are also the initial mean functions.
func (s Shared) New(
	t *autodiff.Tape, data family.Data, unit float64, seed uint64,
) (layers []layer.Layer, err error) {
	x := data.X
	s.Kernels, err = data.BindKernels("kernel", s.Kernels, s.Inputs)
	if err != nil {
		return nil, err
	}
	for l, config := range s.configs() {
		g := layer.NewGlobal(t, config)
		start := layer.GlobalStart{Variance: s.Variances[l], Lengthscale: s.Lengthscales[l], Spread: 1,
			Noise: meanNoise, Seed: seed, Index: l,
			Z: inducing.KMeans(x, config.Inducing+config.Orthogonal,
				stats.Stream(seed, "k-means", uint64(l)))}
		if l < len(s.Widths)-1 {
			start.Spread = s.HiddenSpread
			w := inducing.LinearMap(x, config.Outputs)
			if config.LinearMean {
				start.MeanW = w
			}
			pushed := new(mat.Dense)
			pushed.Mul(x, w)
			x = pushed
		} else {
			start.Variance = InUnits(start.Variance, unit)
		}
		if err := g.Start(t, start); err != nil {
			return nil, err
		}
		layers = append(layers, g)
	}
	return layers, nil
}
