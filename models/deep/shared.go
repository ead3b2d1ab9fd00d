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

// ReadShared returns the layers that Settings describe for n points of d inputs and p
// targets, each with at most n inducing points, and notes on numbers of these that are
// larger. What else there is of Shared is for the family to say.
func ReadShared(v family.Values, n, d, p int) (s Shared, notes []string, err error) {
	s.Shape, err = ReadShape(v, d, p, n)
	if err != nil {
		return s, nil, err
	}
	kind, err := kernel.Parse(v.Text("kernel"))
	s.Kernel = kernel.Kernel{Kind: kind}
	s.ARD = v.Bool("ard")
	s.Whiten = v.Bool("whiten")
	s.Jitter = v.Float("jitter")
	return s, Fewer(v, n), err
}

// Fewer returns a note if n points are fewer than the inducing points asked for.
func Fewer(v family.Values, n int) []string {
	if slices.Max(v.Ints("inducing")) <= n {
		return nil
	}
	return []string{fmt.Sprintf("inducing=%s is more than the %d training points; a layer has at most %d",
		v.Text("inducing"), n, n)}
}

// configs returns the form of each layer.
func (s Shared) configs() []layer.GlobalConfig {
	var list []layer.GlobalConfig
	for l, width := range s.Widths {
		list = append(list, layer.GlobalConfig{
			Place: fmt.Sprintf("layer %d", l+1), Kernel: s.Kernel,
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

// New implements Layers: the inducing inputs of a layer are found by k-means
// (inducing.KMeans) on the training inputs, pushed through the linear maps of the layers
// below (inducing.LinearMap), which mean functions start at.
func (s Shared) New(t *autodiff.Tape, x *mat.Dense, unit float64, seed uint64) ([]layer.Layer, error) {
	var layers []layer.Layer
	for l, config := range s.configs() {
		g := layer.NewGlobal(t, config)
		start := layer.GlobalStart{Variance: s.Variances[l], Lengthscale: s.Lengthscales[l], Spread: 1,
			Noise: meanNoise, Seed: seed, Index: l,
			Z: inducing.KMeans(x, config.Inducing+config.Orthogonal,
				random.Stream(seed, "k-means", uint64(l)))}
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
