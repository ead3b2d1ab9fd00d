package ep

import (
	"maps"

	"dgplab/models/deep"
	"dgplab/models/family"
	"dgplab/models/infer"
)

const (
	paper = "Bui et al. 2016"
	// maxInducing is the maximum number of inducing inputs of a GP. Every pair of inducing inputs
	// has a bump at every point.
	maxInducing = 1024
	single      = "a prediction is one Gaussian"
)

// Terms of the energy.
var (
	logZ        = infer.Reading{Key: "log_z", Name: "log Z"}
	normalisers = infer.Reading{Key: "normalisers", Name: "normalisers"}
)

// objective is the approximate EP energy. It is not a bound on the log evidence.
var objective = family.Objective{
	Name: "EP energy", Kind: family.Energy, Noisy: true,
	Terms:  []infer.Reading{logZ, normalisers},
	Gauges: []infer.Reading{infer.LearningRate, infer.GradientNorm},
}

// stochasticObjective is the same objective with the gauges of stochastic EP.
var stochasticObjective = family.Objective{
	Name: objective.Name, Kind: objective.Kind, Noisy: true, Terms: objective.Terms,
	Gauges: (*stochastic)(nil).Gauges(),
}

// Families returns the deep GPs trained by direct maximisation of the energy and by stochastic EP.
func Families() []family.Spec {
	return []family.Spec{
		spec(family.Spec{
			Name: "aep", Title: "Deep GP by approximate EP",
			Summary: "FITC layers with noise, one tied factor per GP; Gaussians are moment-matched layer " +
				"by layer",
			Source: paper + ", section 4.2", Hyperparameters: append(common(), direct()...),
			Objective: objective, New: buildDirect,
			Size: size,
		}),
		spec(family.Spec{
			Name: "sep", Title: "Deep GP by stochastic EP",
			Summary: "the same model; moment matching at each point updates the factors, and Adam " +
				"updates the hyperparameters between passes",
			Source:          paper + ", appendices B and C; Li et al. 2015",
			Hyperparameters: append(common(), passes()...), New: buildStochastic,
			Objective: stochasticObjective, Size: stochasticSize,
		}),
	}
}

// spec sets the fields that both families share.
func spec(s family.Spec) family.Spec {
	s.Group = "deep GPs by EP"
	s.Accepts = family.Accepts{Regression: true, Binary: true, Multiclass: true, Outputs: true, Missing: true}
	s.Training = map[string]family.Default{
		"test_samples":       {Value: "1", Source: single},
		"validation_samples": {Value: "1", Source: single},
	}
	s.Absent = map[string]string{
		"kernel": "the kernel is rbf, since moments are matched by expectations of the kernel under " +
			"Gaussian inputs, which have a closed form for rbf only",
	}
	s.Presets = []family.Preset{preset(s.Hyperparameters)}
	s.Scaling = []family.Exponent{{Hyperparameter: "inducing", Power: 2}}
	return s
}

// common returns the hyperparameters that both families share.
func common() []family.Hyperparameter {
	list := deep.LayerSettings(paper, "2", "50")
	for i := range list {
		switch h := &list[i]; h.Name {
		case "layers":
			h.Default, h.Paper = "2", "2"
		case "width":
			h.Paper = "1, 2 and 3"
		case "inducing":
			h.Max, h.Paper = maxInducing, "50 and 100"
		}
	}
	list = append(list, settings()...)
	return append(list,
		family.Hyperparameter{Name: "layer_noise", Section: family.ModelSection, Kind: family.Float,
			Default: "0.01", Min: 1e-5, Max: 100,
			Help: "initial noise variance of the hidden layers"},
		family.Hyperparameter{Name: "output_cov", Section: family.ModelSection, Kind: family.Choice,
			Default: "diag", Choices: []string{"diag", "full"}, Source: paper,
			Help:  "covariance of real-valued outputs at a point; diag: ignore it, full: match it",
			Paper: "diag; full in appendix G"},
		family.Hyperparameter{Name: "start", Section: family.InferenceSection, Kind: family.Choice,
			Default: "linear", Choices: []string{"linear", "random"},
			Help: "linear: hidden layers start as linear maps of their inputs; random: all factors start " +
				"as small random numbers", Paper: "random"},
		family.Hyperparameter{Name: "start_spread", Section: family.InferenceSection, Kind: family.Float,
			Default: "0.1", Min: 1e-6, Max: 10,
			Help: "size of the random initial factors", Paper: "small"},
	)
}

// direct returns the hyperparameters of direct maximisation.
func direct() []family.Hyperparameter {
	return []family.Hyperparameter{
		{Name: "factor", Section: family.InferenceSection, Kind: family.Choice, Default: formNames[whitened],
			Choices: formNames,
			Help:    "parameters of a factor: natural parameters, or whitened posterior mean and precision",
			Paper:   formNames[natural]},
	}
}

// passes returns the hyperparameters of stochastic EP.
func passes() []family.Hyperparameter {
	return []family.Hyperparameter{
		{Name: "damping", Section: family.InferenceSection, First: true, Kind: family.Float, Default: "0",
			Min: 0, Max: 1, Source: "Li et al. 2015: with 1/N the factor is the mean over all points",
			Help: "step size of the update of a factor by one point; 0: 1/N", Paper: "small"},
		{Name: "points", Section: family.InferenceSection, Kind: family.Int, Default: "100", Min: 1,
			Max:  65536,
			Help: "points per step of a pass; they update the factors together; 1: one after another"},
		{Name: "hyper_steps", Section: family.InferenceSection, First: true, Kind: family.Int, Default: "50",
			Min: 0, Max: 100000,
			Help: "Adam steps on the energy after each pass; 0: keep the hyperparameters fixed"},
	}
}

// planOf returns the schedule given by the values for n points.
func planOf(v family.Values, n int) plan {
	p := plan{points: min(v.Int("points"), n), hyperSteps: v.Int("hyper_steps"), damping: v.Float("damping")}
	p.passSteps = (n + p.points - 1) / p.points
	if p.damping == 0 {
		p.damping = 1 / float64(n)
	}
	return p
}

// settings returns the hyperparameters shared with other deep families.
func settings() []family.Hyperparameter {
	var list []family.Hyperparameter
	for _, h := range deep.Settings("", family.PerLayer) {
		h.Paper = "" // the paper values belong to another paper
		switch h.Name {
		case "kernel", "ard", "trend": // squared exponentials with one lengthscale per input
			continue
		case "likelihood":
			h.Choices = family.ConjugateLikelihoods
			h.Help += "; others have no moments in closed form"
		case "lengthscale":
			h.Default = "0"
			h.Min = 0
			h.MinOpen = false
			h.Source = paper
			h.Help = "initial lengthscales: one value for all layers, or one per layer; 0: median distance " +
				"between inputs, 2 in deeper layers"
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

// preset returns the settings of the paper for a family with these hyperparameters. The minibatch and
// the initial noise, which the paper does not give, are those of the authors' code
// (github.com/thangbui/deepGP_approxEP, numpy/tests/run_reg_sep.py and numpy/code/FITC_network.py).
// Other settings not given in the paper keep their defaults.
func preset(list []family.Hyperparameter) family.Preset {
	values := map[string]string{
		"epochs": "0", "steps": "20000", "early_stopping": "off", "validation": "0",
		"stop_overfitting": "off", "keep": "last", "validation_every": "100",
		"validation_samples": "1", "validation_points": "0", "test_samples": "1",
	}
	for _, h := range list {
		values[h.Name] = h.Default
	}
	paperValues := map[string]string{
		"learning_rate": "0.001", "schedule": string(infer.Stairs),
		"factor": formNames[natural], "start": "random",
		"batch": "50", "noise_variance": "0.01",
	}
	maps.DeleteFunc(paperValues, func(name, _ string) bool { _, ok := values[name]; return !ok })
	maps.Copy(values, paperValues)
	return family.Preset{
		Name:   "bui2016",
		Title:  "settings of the paper, and of its code where the paper does not say",
		Source: paper + ", section 8.1, and their code",
		Values: values,
	}
}
