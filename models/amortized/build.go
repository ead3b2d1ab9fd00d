package amortized

import (
	"dgplab/models/autodiff"
	"dgplab/models/deep"
	"dgplab/models/family"
	"dgplab/models/kernel"
	"dgplab/models/layer"
	"dgplab/models/likelihood"
)

// plan is a model before it is built: its layers, where they start and what is done
// with them.
type plan struct {
	layers []layer.LocalConfig
	starts []layer.Start
	config deep.Config
}

// planner makes the plan of a family for d inputs and p targets.
type planner func(v family.Values, d, p int) (*plan, error)

// newPlan returns the plan of layers with what both families have, for d inputs and p
// targets.
func newPlan(v family.Values, d, p int) (*plan, error) {
	shape, err := deep.ReadShape(v, d, p, mostInducing)
	if err != nil {
		return nil, err
	}
	spreads, err := family.Each("spread", v.Floats("spread"), len(shape.Widths), "layers")
	if err != nil {
		return nil, err
	}
	kind, err := kernel.Parse(v.Text("kernel"))
	if err != nil {
		return nil, err
	}
	made := &plan{config: deep.Config{
		Objective: objective, Samples: 1, Batch: v.Int("batch"), Rule: deep.OfMeans, Beta: 1,
		Noise: v.Float("noise_variance"), Schedule: deep.Schedule(v),
	}}
	for l, width := range shape.Widths {
		made.layers = append(made.layers, layer.LocalConfig{
			Inputs: shape.Inputs[l], Outputs: width, Inducing: shape.Inducing[l], Kernel: kind, ARD: v.Bool("ard"), Whiten: v.Bool("whiten"),
			Hidden: v.Int("hidden_layers"), Width: v.Int("hidden_width"), Jitter: v.Float("jitter"), Index: l,
		})
		made.starts = append(made.starts, layer.Start{
			Lengthscale: shape.Lengthscales[l], Variance: shape.Variances[l], Spread: spreads[l], Noise: v.Float("offset"),
		})
	}
	return made, nil
}

// planDeep is the plan of an avdgp of d inputs and p targets.
func planDeep(v family.Values, d, p int) (*plan, error) {
	plan, err := newPlan(v, d, p)
	if err != nil {
		return nil, err
	}
	for l := range len(plan.layers) - 1 {
		plan.layers[l].LinearMean = v.Text("mean_function") == "linear"
	}
	c := &plan.config
	c.Samples = v.Int("samples")
	switch v.Text("rule") {
	case "ar1":
		c.Rule, c.Samples = deep.OfSamples, v.Int("ar1_samples")
	case "ar2p":
		c.Quadrature = true
	case "ar2pp":
		c.Quadrature, c.Form = true, likelihood.LogExpected
	}
	return plan, nil
}

// planShallow is the plan of an idsgp of d inputs and p targets.
func planShallow(v family.Values, d, p int) (*plan, error) {
	plan, err := newPlan(v, d, p)
	if err != nil {
		return nil, err
	}
	if v.Text("inference") == "network" {
		plan.layers[0].Inference = layer.ByNetwork
	}
	plan.layers[0].Full = v.Text("covariance") == "full"
	return plan, nil
}

// size returns what a model on n points would hold.
func (p *plan) size(n int) family.Size {
	var layers []layer.Costed
	var widths []int
	for _, c := range p.layers {
		layers, widths = append(layers, c), append(widths, c.Outputs)
	}
	return deep.Size(layers, widths, p.config, n)
}

// build returns a model at its start.
func (p *plan) build(data family.Data, seed uint64) (family.Model, error) {
	p.config.Task = data.Task
	tape := autodiff.NewTape()
	var layers []layer.Layer
	for l, c := range p.layers {
		p.starts[l].Seed = seed
		layers = append(layers, layer.NewLocal(tape, c, p.starts[l]))
	}
	model, err := deep.New(tape, layers, p.config, data, seed)
	if err != nil {
		return nil, err // Not model: a nil *Model is no nil Model.
	}
	return model, nil
}

// sizes returns a family's Spec.Size.
func (plan planner) sizes() func(v family.Values, n, d, p int) (family.Size, error) {
	return func(v family.Values, n, d, p int) (family.Size, error) {
		made, err := plan(v, d, p)
		if err != nil {
			return family.Size{}, err
		}
		return made.size(n), nil
	}
}

// models returns a family's Spec.New.
func (plan planner) models() func(v family.Values, data family.Data, seed uint64) (family.Model, error) {
	return func(v family.Values, data family.Data, seed uint64) (family.Model, error) {
		_, d := data.X.Dims()
		_, p := data.Y.Dims()
		made, err := plan(v, d, p)
		if err != nil {
			return nil, err
		}
		return made.build(data, seed)
	}
}
