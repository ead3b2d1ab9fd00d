// Package orthogonal is the sparse GP with two sets of inducing inputs, SOLVE-GP: one
// layer.Global with a second set on the engine of models/deep.
package orthogonal

import (
	"fmt"

	"dgplab/models/deep"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/kernel"
	"dgplab/models/likelihood"
)

const amortized = "Meng, Zhang 2024, appendix C.1"

var objective = family.Objective{
	Name: "ELBO", Kind: family.Bound, Noisy: true,
	Terms:  []infer.Reading{family.ExpectedLogLik, family.KL},
	Gauges: []infer.Reading{infer.LearningRate, infer.GradientNorm},
}

// Families returns solve-gp.
func Families() []family.Spec {
	list := append([]family.Hyperparameter{
		{Name: "inducing", Section: family.ModelSection, First: true, Kind: family.Int, Default: "512", Source: amortized, Min: 1, Max: 4096,
			Help: "inducing points Z", Paper: "512"},
		{Name: "orthogonal", Section: family.ModelSection, First: true, Kind: family.Int, Default: "512", Source: amortized, Min: 0, Max: 4096,
			Help: "inducing points O for what is independent of the outputs at Z; 0 for none", Paper: "512"},
		{Name: "whiten", Section: family.InferenceSection, Kind: family.Bool, Default: "on",
			Help: "q is over v with u = L v, for each set of inducing points"},
	}, deep.Settings(amortized)...)
	return []family.Spec{{
		Name: "solve-gp", Title: "Orthogonal sparse GP",
		Summary:         "one layer: a second set of inducing points for what the first cannot explain",
		Source:          "Shi, Titsias, Mnih 2020, Sparse Orthogonal Variational Inference",
		Group:           "sparse and exact GPs",
		Objective:       objective,
		Accepts:         family.Accepts{Regression: true, Binary: true, Outputs: true},
		Hyperparameters: list,
		Presets:         []family.Preset{deep.Preset(list)},
		Size: func(v family.Values, n, d, p int) (family.Size, error) {
			s, err := shared(v, n, d, p)
			if err != nil {
				return family.Size{}, err
			}
			return s.Size(config(v), n), nil
		},
		New: func(v family.Values, data family.Data, seed uint64) (family.Model, error) {
			model, err := build(v, data, seed)
			if err != nil {
				return nil, err // Not model: a nil *Model is no nil Model.
			}
			return model, nil
		},
	}}
}

// shared returns the one layer: together, Z and O are no more points than there are.
func shared(v family.Values, n, d, p int) (deep.Shared, error) {
	shape, err := deep.ReadShape(v, d, p, n)
	if err != nil {
		return deep.Shared{}, err
	}
	kind, err := kernel.Parse(v.Text("kernel"))
	return deep.Shared{Shape: shape, Kernel: kernel.Kernel{Kind: kind}, ARD: v.Bool("ard"),
		Orthogonal: min(v.Int("orthogonal"), n-shape.Inducing[0]), Whiten: v.Bool("whiten"), Jitter: v.Float("jitter")}, err
}

// config returns what is done with it.
func config(v family.Values) deep.Config {
	return deep.Config{Objective: objective, Samples: 1, Batch: v.Int("batch"), Form: likelihood.ExpectedLog,
		Beta: 1, Noise: v.Float("noise_variance"), Schedule: deep.Schedule(v)}
}

// build returns a model at its start.
func build(v family.Values, data family.Data, seed uint64) (*deep.Model, error) {
	n, d := data.X.Dims()
	_, p := data.Y.Dims()
	s, err := shared(v, n, d, p)
	if err != nil {
		return nil, err
	}
	c := config(v)
	c.Task, c.Notes = data.Task, deep.Fewer(v, n)
	if asked := v.Int("orthogonal"); s.Orthogonal < asked {
		c.Notes = append(c.Notes, fmt.Sprintf("inducing and orthogonal are more than the %d training points together; orthogonal=%d is used", n, s.Orthogonal))
	}
	return s.New(c, data, seed)
}
