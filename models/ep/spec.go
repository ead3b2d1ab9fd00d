package ep

import (
	"maps"

	"dgplab/models/deep"
	"dgplab/models/family"
	"dgplab/models/infer"
)

const (
	paper = "Bui et al. 2016"
	// mostInducing bounds the inducing inputs of a GP, for each pair of which there is a
	// bump at every point.
	mostInducing = 1024
	single       = "a prediction is one Gaussian"
)

// The parts of the energy.
var (
	logZ        = infer.Reading{Key: "log_z", Name: "log Z"}
	normalisers = infer.Reading{Key: "normalisers", Name: "normalisers"}
)

// objective is the approximate EP energy, which is no bound: it may lie above the log
// evidence or below.
var objective = family.Objective{
	Name: "EP energy", Kind: family.Energy, Noisy: true,
	Terms:  []infer.Reading{logZ, normalisers},
	Gauges: []infer.Reading{infer.LearningRate, infer.GradientNorm},
}

// Families returns the deep GP whose energy is maximised, and that of stochastic EP.
func Families() []family.Spec {
	list := hyperparameters()
	return []family.Spec{
		spec(family.Spec{
			Name: "aep", Title: "Deep GP by approximate EP",
			Summary: "FITC layers with noise, one tied factor for each GP; Gaussians go through the layers by their moments",
			Source:  paper + ", section 4.2", Hyperparameters: list, New: buildDirect,
			Size: size,
		}),
	}
}

// spec completes what both have.
func spec(s family.Spec) family.Spec {
	s.Group, s.Objective = "deep GPs by EP", objective
	s.Accepts = family.Accepts{Regression: true, Binary: true, Outputs: true, Missing: true}
	s.Training = map[string]family.Default{
		"test_samples":       {Value: "1", Source: single},
		"validation_samples": {Value: "1", Source: single},
	}
	s.Presets = []family.Preset{preset(s.Hyperparameters)}
	s.Scaling = []family.Exponent{{Hyperparameter: "inducing", Power: 2}}
	return s
}

func hyperparameters() []family.Hyperparameter {
	list := deep.LayerSettings(paper, "2", "50")
	for i := range list {
		switch h := &list[i]; h.Name {
		case "layers":
			h.Default, h.Paper = "2", "2"
		case "width":
			h.Paper = "1, 2 and 3"
		case "inducing":
			h.Max, h.Paper = mostInducing, "50 and 100"
		}
	}
	list = append(list, settings()...)
	return append(list,
		family.Hyperparameter{Name: "layer_noise", Section: family.ModelSection, Kind: family.Float, Default: "0.01", Min: 1e-5, Max: 100,
			Help: "noise variance of the hidden layers at the start"},
		family.Hyperparameter{Name: "output_cov", Section: family.ModelSection, Kind: family.Choice, Default: "diag", Choices: []string{"diag", "full"}, Source: paper,
			Help: "covariance of several outputs of a point, whose input they share: left out, or matched too", Paper: "diag; full in appendix G"},
		family.Hyperparameter{Name: "factor", Section: family.InferenceSection, Kind: family.Choice, Default: formNames[whitened], Choices: formNames,
			Help: "what is learned of a factor: its natural parameters, or the whitened posterior mean and precision", Paper: formNames[natural]},
		family.Hyperparameter{Name: "start", Section: family.InferenceSection, Kind: family.Choice, Default: "linear", Choices: []string{"linear", "random"},
			Help: "hidden layers start as linear maps of their inputs, or all factors as small random numbers", Paper: "random"},
		family.Hyperparameter{Name: "start_spread", Section: family.InferenceSection, Kind: family.Float, Default: "0.1", Min: 1e-6, Max: 10,
			Help: "size of the random numbers that factors start with", Paper: "small"},
	)
}

// settings are those that other deep families have too.
func settings() []family.Hyperparameter {
	var list []family.Hyperparameter
	for _, h := range deep.Settings("") {
		h.Source, h.Paper = "", ""
		switch h.Name {
		case "kernel", "ard": // squared exponentials with a lengthscale for each input
			continue
		case "lengthscale":
			h.Default, h.Min, h.MinOpen, h.Source = "0", 0, false, paper
			h.Help = "lengthscales at the start: one number for all layers, or one each; 0: the median distance of the inputs, 2 in deeper layers"
			h.Paper = "median distance, long in deeper layers"
		case "batch":
			h.Default = "256"
		case "learning_rate":
			h.Default, h.Paper = "0.01", "0.001"
		}
		list = append(list, h)
	}
	return list
}

// preset returns the paper's settings for a family with these hyperparameters. What the
// paper does not say is as by default.
func preset(list []family.Hyperparameter) family.Preset {
	values := map[string]string{
		"epochs": "0", "steps": "20000", "early_stopping": "off", "validation": "0", "validation_every": "100",
		"validation_samples": "1", "validation_points": "0", "test_samples": "1",
	}
	for _, h := range list {
		values[h.Name] = h.Default
	}
	own := map[string]string{"learning_rate": "0.001", "factor": formNames[natural], "start": "random"}
	maps.DeleteFunc(own, func(name, _ string) bool { _, ok := values[name]; return !ok })
	maps.Copy(values, own)
	return family.Preset{Name: "bui2016", Title: "the approximate EP paper's settings", Source: paper + ", section 8.1", Values: values}
}
