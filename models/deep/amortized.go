package deep

import (
	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/kernel"
	"dgplab/models/layer"
	"dgplab/models/likelihood"
)

// local is the configuration of a layer together with its starting values.
type local struct {
	layer.LocalConfig
	start layer.Start
}

// locals lists the layers of a model, the input layer first.
type locals []local

// Forms implements Layers.
func (list locals) Forms() (forms []layer.Costed, outputs []int) {
	for _, l := range list {
		forms = append(forms, l.LocalConfig)
		outputs = append(outputs, l.Outputs)
	}
	return forms, outputs
}

// New implements Layers.
func (list locals) New(
	t *autodiff.Tape, data family.Data, unit float64, seed uint64,
) (layers []layer.Layer, err error) {
	var kernels []kernel.Kernel
	var inputs []int
	for _, l := range list {
		kernels = append(kernels, l.Kernel)
		inputs = append(inputs, l.Inputs)
	}
	kernels, err = data.BindKernels("kernel", kernels, inputs)
	if err != nil {
		return nil, err
	}
	for i, l := range list {
		l.Kernel = kernels[i]
		if _, is := l.Kernel.Stationary(); !is {
			return nil, &family.ValueError{Name: "kernel", Value: l.Kernel.String(),
				Want: "want rbf, matern32 or matern52 of all columns, which have assembly for inducing " +
					"points of every input"}
		}
		l.start.Seed = seed
		if i == len(list)-1 {
			l.start.Variance = InUnits(l.start.Variance, unit)
		}
		layers = append(layers, layer.NewLocal(t, l.LocalConfig, l.start))
	}
	return layers, nil
}

// newLocals returns the layers for d inputs and p targets, configured by the hyperparameters that
// both families share.
func newLocals(v family.Values, d, p int) (locals, error) {
	shape, err := ReadShape(v, d, p, maxInducing)
	if err != nil {
		return nil, err
	}
	spreads, err := family.Expand("spread", v.Floats("spread"), len(shape.Widths), "layers")
	if err != nil {
		return nil, err
	}
	kernels, err := family.ParseKernels(v, "kernel", len(shape.Widths))
	if err != nil {
		return nil, err
	}
	var list locals
	for l, width := range shape.Widths {
		list = append(list, local{layer.LocalConfig{
			Inputs: shape.Inputs[l], Outputs: width, Inducing: shape.Inducing[l], Kernel: kernels[l],
			ARD: v.Bool("ard"), Whiten: v.Bool("whiten"),
			Hidden: v.Int("hidden_layers"), Width: v.Int("hidden_width"), Jitter: v.Float("jitter"), Index: l,
		}, layer.Start{
			Lengthscale: shape.Lengthscales[l], Variance: shape.Variances[l],
			Spread: spreads[l], Noise: v.Float("offset"),
			ZeroMean: l == len(shape.Widths)-1 && v.Text("trend") == "linear",
		}})
	}
	return list, nil
}

// planDeep returns the plan of an avdgp model with d inputs and p targets.
func planDeep(v family.Values, _, d, p int) (*Plan, error) {
	layers, err := newLocals(v, d, p)
	if err != nil {
		return nil, err
	}
	for l := range len(layers) - 1 {
		layers[l].LinearMean = v.Text("mean_function") == "linear"
	}
	c := ReadConfig(v, amortizedObjective)
	c.Beta = v.Float("beta")
	c.Rule, c.Samples = OfMeans, v.Int("samples")
	switch v.Text("rule") {
	case "ar1":
		c.Rule, c.Samples = OfSamples, v.Int("ar1_samples")
	case "ar2p":
		c.Quadrature = true
	case "ar2pp":
		c.Quadrature, c.Form = true, likelihood.LogExpected
	}
	return &Plan{Layers: layers, Config: c}, nil
}

// planShallow returns the plan of an idsgp model with d inputs and p targets.
func planShallow(v family.Values, _, d, p int) (*Plan, error) {
	layers, err := newLocals(v, d, p)
	if err != nil {
		return nil, err
	}
	if v.Text("inference") == "network" {
		layers[0].Inference = layer.ByNetwork
	}
	layers[0].Full = v.Text("covariance") == "full"
	c := ReadConfig(v, amortizedObjective)
	c.Beta = v.Float("beta")
	c.Rule = OfMeans
	return &Plan{Layers: layers, Config: c}, nil
}
