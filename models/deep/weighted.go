package deep

import (
	"maps"
	"slices"

	"dgplab/models/family"
	"dgplab/models/infer"
)

const (
	weightedPaper   = "Salimbeni, Dutordoir, Hensman, Deisenroth 2019"
	weightedProgram = "program of Salimbeni et al. 2019"
)

// weightedObjective is the importance-weighted bound. It is tighter than the ELBO of the same model.
var weightedObjective = family.MinibatchObjective("importance-weighted bound", family.Bound, infer.Reading{
	Key:  "weighted_log_lik",
	Name: "importance-weighted log-likelihood",
})

// weightedFamilies returns the dgp-iw family.
func weightedFamilies() []family.Spec {
	list := LayerSettings("", "5", "128")
	list[0].Default = "2"
	papers := map[string]string{"layers": "1 to 3", "width": "5, mixed to the number of inputs"}
	for i := range list {
		if paper, has := papers[list[i].Name]; has {
			list[i].Paper = paper
		}
	}
	list = append(list, weightedHyperparameters()...)
	changed := map[string][2]string{ // default and value of the paper
		"kernel": {"rbf", "rbf"}, "ard": {"on", "on"}, "lengthscale": {"0", "0"}, "batch": {"128", "512"},
		"noise_variance": {"0.1", "0.01"}, "learning_rate": {"0.02", "0.005"}, "decay_rate": {"1", "0.98"},
	}
	classes := family.Names(family.LikelihoodHyperparameters())
	for _, h := range Settings(weightedProgram, family.PerLayer|family.PerGP) {
		if slices.Contains(classes, h.Name) {
			continue
		}
		if to, has := changed[h.Name]; has {
			h.Default, h.Paper = to[0], to[1]
			if to[0] != to[1] {
				h.Source = ""
			}
		}
		list = append(list, h)
	}
	spec := Spec(family.Spec{
		Name: "dgp-iw", Title: "Importance-weighted deep GP",
		Summary: "a latent variable of every point as a further input, for predictive densities of any " +
			"form; the bound is importance-weighted",
		Source: weightedPaper, Group: factorisedGroup, Objective: weightedObjective,
		Hyperparameters: list,
		Training: map[string]family.Default{
			"test_samples":       {Value: "200", Source: defaultsPage},
			"validation_samples": {Value: "50", Source: defaultsPage},
		},
		Scaling: []family.Exponent{{Hyperparameter: "inducing", Power: 2}, {Hyperparameter: "samples",
			Power: 1}, {Hyperparameter: "layers", Power: 1}, {Hyperparameter: "width", Power: 1}},
	}, planWeighted)
	spec.Accepts = family.Accepts{Regression: true, Outputs: true, Noise: true, Weights: true}
	spec.Presets = []family.Preset{weightedPreset(list)}
	return []family.Spec{spec}
}

// weightedHyperparameters returns the hyperparameters that only this family has, and shared
// hyperparameters whose defaults differ.
func weightedHyperparameters() []family.Hyperparameter {
	return []family.Hyperparameter{
		{Name: "latent_inputs", Section: family.ModelSection, First: true, Kind: family.Int, Default: "1",
			Source: weightedPaper, Min: 1, Max: 16, Help: "latent variables of every point", Paper: "1"},
		{Name: "samples", Section: family.InferenceSection, First: true, Kind: family.Int, Default: "5",
			Source: weightedPaper, Min: 1, Max: 256,
			Help: "importance samples K per point and training step; 1: the ordinary bound", Paper: "5"},
		{Name: "mean_function", Section: family.ModelSection, Kind: family.Choice, Default: "linear",
			Source: weightedProgram, Choices: []string{"linear", "zero"},
			Help: "mean function of hidden layers: linear (learned, starts at identity or principal " +
				"directions) or zero", Paper: "identity"},
		{Name: "inner_scale", Section: family.InferenceSection, Kind: family.Float, Default: "1e-2",
			Min: 1e-8, Max: 1, Help: "initial spread of q(u) in hidden layers, relative to the prior",
			Paper: "1e-5"},
		{Name: "whiten", Section: family.InferenceSection, Kind: family.Bool, Default: "on",
			Source: weightedProgram, Help: "parametrise q over v with u = L_K v"},
	}
}

// weightedPreset returns the settings of the paper for a model of two layers.
func weightedPreset(list []family.Hyperparameter) family.Preset {
	values := map[string]string{
		"steps": "100000", "epochs": "0", "early_stopping": "off", "validation": "0",
		"stop_overfitting": "off", "keep": "last", "validation_every": "1000", "validation_samples": "50",
		"validation_points": "0", "test_samples": "2000",
	}
	for _, h := range list {
		values[h.Name] = h.Default
	}
	maps.Copy(values, map[string]string{
		"noise_variance": "0.01", "batch": "512", "learning_rate": "0.005",
		"schedule": string(infer.Stairs), "decay_rate": "0.98",
		"inner_scale": "1e-5",
	})
	return family.Preset{Name: "salimbeni2019", Title: "settings of the paper", Source: weightedPaper,
		Values: values}
}

// planWeighted returns the plan of a model for n points of d inputs and p targets.
func planWeighted(v family.Values, n, d, p int) (*Plan, error) {
	latents := v.Int("latent_inputs")
	layers, notes, err := ReadShared(v, n, d+latents, p)
	if err != nil {
		return nil, err
	}
	layers.LinearMean = v.Text("mean_function") == "linear"
	layers.HiddenSpread = v.Float("inner_scale")
	c := ReadConfig(v, weightedObjective)
	c.Latents = latents
	c.Samples = v.Int("samples")
	c.Jitter = v.Float("jitter")
	c.Notes = notes
	return &Plan{Layers: layers, Config: c}, nil
}
