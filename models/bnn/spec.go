package bnn

import (
	"maps"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/param"
	"dgplab/models/train"
)

const (
	bui = "Bui et al. 2016"
	gal = "Gal, Ghahramani 2016"

	lobato = "Hernández-Lobato, Adams 2015"
	single = "a prediction is one Gaussian"
)

// boundObjective is the ELBO with independent Gaussian weights.
var boundObjective = family.MinibatchObjective("ELBO", family.Bound, family.ExpectedLogLik)

// penalisedObjective is a surrogate for a bound. The posterior has no density and its KL is known
// only up to constants, so the objective is not comparable between families.
var penalisedObjective = family.Objective{
	Name: "penalised log-likelihood", Kind: family.Surrogate, Noisy: true,
	Terms:  []infer.Reading{family.ExpectedLogLik, {Key: "penalty", Name: "penalty"}},
	Gauges: []infer.Reading{infer.LearningRate, infer.GradientNorm},
}

// filterObjective is the sum of log Z over all points, each computed before the update for its
// point. In the first pass it approximates the log evidence. In later passes it measures the fit,
// because the points have been processed before.
var filterObjective = family.Objective{
	Name: "log Z of a pass", Kind: family.Surrogate, Noisy: true,
	Terms:  []infer.Reading{{Key: "log_z", Name: "log Z"}},
	Gauges: []infer.Reading{{Key: "stayed", Name: "unchanged weights"}},
}

// Families returns the Bayesian neural networks.
func Families() []family.Spec {
	accepts := family.Accepts{Regression: true, Binary: true, Outputs: true, Missing: true}
	vi := variationalSettings()
	masked := dropoutSettings()
	filtered := filterSettings()
	list := append([]family.Spec{
		{
			Name: "bnn-vi", Title: "Bayesian network, variational", Group: "Bayesian networks",
			Summary:   "independent Gaussian weights, trained with the reparameterisation trick",
			Source:    "Kingma, Welling 2014, section 2.4; VI(KW) of " + bui + ", section 8.1",
			Objective: boundObjective, Accepts: accepts, Hyperparameters: vi,
			New: buildVariational, Size: sizeVariational,
			Training: evaluation(), Scaling: []family.Exponent{{Hyperparameter: "hidden_width", Power: 1}},
			Presets: []family.Preset{
				preset(vi, "bui2016-1", "VI(KW)-1 of the paper: one hidden layer",
					bui+", section 8.1", map[string]string{}),
				preset(vi, "bui2016-2", "VI(KW)-2 of the paper: two hidden layers",
					bui+", section 8.1", map[string]string{
						"hidden_layers": "2",
					}),
			},
		},
		{
			Name: "bnn-pbp", Title: "Bayesian network, by PBP", Group: "Bayesian networks",
			Summary: "assumed density filtering: points update the weights one at a time, by moments " +
				"propagated through the layers",
			Source: lobato + ", section 3",
			Uncontrolled: "moments of the weights and of the noise are matched in closed form, without " +
				"gradients of hyperparameters",
			Objective: filterObjective, Accepts: family.Accepts{Regression: true, Binary: true},
			Hyperparameters: filtered, New: buildFilter, Size: sizeFilter,
			Training: map[string]family.Default{
				"epochs":             {Value: "40", Source: lobato + ", section 5.1"},
				"test_samples":       {Value: "1", Source: single},
				"validation_samples": {Value: "1", Source: single},
			},
			Scaling: []family.Exponent{{Hyperparameter: "hidden_width", Power: 1}},
			Presets: []family.Preset{
				preset(filtered, "pbp2015", "network of the paper, with results in Bui et al. 2016",
					lobato+", section 5.1",
					map[string]string{"epochs": "40", "validation_samples": "1", "test_samples": "1"}),
			},
		},
		{
			Name: "bnn-dropout", Title: "Bayesian network, dropout", Group: "Bayesian networks",
			Summary:   "random dropout of units in training and prediction",
			Source:    gal + ", section 3 and eq. 1",
			Objective: penalisedObjective, Accepts: accepts, Hyperparameters: masked,
			New: buildDropout, Size: sizeDropout,
			Training: evaluation(), Scaling: []family.Exponent{{Hyperparameter: "hidden_width", Power: 1}},
			Presets: []family.Preset{
				preset(masked, "gal2016", "network of the paper, with results in Bui et al. 2016",
					gal+", section 5.2, and its authors' code",
					map[string]string{
						"epochs": "400", "batch": "128", "samples": "1", "learning_rate": "0.001",
						"dropout": "0.05", "prior_lengthscale": "0.01", "test_samples": "10000",
					}),
			},
		},
	}, samplers(accepts)...)
	for i := range list {
		list[i].Absent = map[string]string{
			"likelihood": "the networks have Gaussian noise, or a probit link for two classes",
			"kernel":     "a network has no kernel",
		}
	}
	return list
}

// evaluation returns the defaults for evaluation settings.
func evaluation() map[string]family.Default {
	return map[string]family.Default{
		"validation_samples": {Value: "20", Source: "sampling a network is cheap"},
	}
}

// layers returns the hyperparameters of the network architecture.
func layers() []family.Hyperparameter {
	return []family.Hyperparameter{
		{Name: "hidden_layers", Section: family.ModelSection, First: true, Kind: family.Int, Default: "1",
			Source: bui, Min: 0, Max: 5,
			Help: "number of hidden layers (rectified linear units)", Paper: "1 and 2"},
		{Name: "hidden_width", Section: family.ModelSection, First: true, Kind: family.Int, Default: "50",
			Source: bui, Min: 1, Max: 1024, Help: "units per hidden layer",
			Paper: "50 (100 for protein and year)"},
	}
}

// noise returns the hyperparameter for Gaussian noise.
func noise() family.Hyperparameter {
	return family.Hyperparameter{Name: "noise_variance", Section: family.ModelSection, Kind: family.Float,
		Default: "0.1", Min: 1e-5, Max: 100,
		Help: "initial Gaussian noise variance, in standardised units"}
}

// steps returns the hyperparameters of Adam, the minibatch size and the number of networks sampled
// per step.
func steps(samples string) []family.Hyperparameter {
	return append([]family.Hyperparameter{
		{Name: "batch", Section: family.InferenceSection, First: true, Kind: family.Int, Default: "128",
			Min: 1, Max: 65536, Help: "minibatch size (at most the number of points)"},
		{Name: "samples", Section: family.InferenceSection, Kind: family.Int, Default: samples, Min: 1,
			Max: 256, Help: "networks sampled per training step"},
	}, train.RateHyperparameters("0.005", "1", "0.999")...)
}

func variationalSettings() []family.Hyperparameter {
	list := append(layers(), noise(),
		family.Hyperparameter{Name: "prior_variance", Section: family.ModelSection, Kind: family.Float,
			Default: "1", Source: bui, Min: 1e-4, Max: 1e4,
			Help: "prior variance of weights and biases", Paper: "1"},
		family.Hyperparameter{Name: "start_spread", Section: family.InferenceSection, Kind: family.Float,
			Default: "0.02", Min: 1e-6, Max: 1,
			Help: "initial standard deviation of weights and biases"})
	return append(list, steps("5")...)
}

func dropoutSettings() []family.Hyperparameter {
	list := append(layers(), noise(),
		family.Hyperparameter{Name: "dropout", Section: family.ModelSection, First: true, Kind: family.Float,
			Default: "0.05", Source: gal + ", their code", Min: 0, Max: 0.95,
			Help: "dropout probability of the inputs of each layer", Paper: "one of 0.005, 0.01, 0.05, 0.1"},
		family.Hyperparameter{Name: "prior_lengthscale", Section: family.ModelSection, Kind: family.Float,
			Default: "0.01", Source: gal + ", their code", Min: 0, Max: 100,
			Help: "reciprocal of the prior standard deviation of the weights; 0: no penalty", Paper: "0.01"})
	return append(list, steps("1")...)
}

func filterSettings() []family.Hyperparameter {
	return append(layers(),
		family.Hyperparameter{Name: "weights", Section: family.ModelSection, Kind: family.Choice,
			Default: "learned", Source: lobato, Choices: []string{"learned", "fixed"},
			Help: "prior variance of weights and biases: learned, with a Gamma prior on the precision, or " +
				"fixed", Paper: "learned"},
		family.Hyperparameter{Name: "weights_shape", Section: family.ModelSection, Kind: family.Float,
			Default: "6", Source: lobato, Min: 1.01, Max: 1e4,
			When: &family.Condition{Name: "weights", Is: []string{"learned"}},
			Help: "shape of the Gamma prior of the weights' precision", Paper: "6"},
		family.Hyperparameter{Name: "weights_rate", Section: family.ModelSection, Kind: family.Float,
			Default: "6", Source: lobato, Min: 1e-4, Max: 1e4,
			When: &family.Condition{Name: "weights", Is: []string{"learned"}},
			Help: "rate of the Gamma prior of the weights' precision", Paper: "6"},
		family.Hyperparameter{Name: "prior_variance", Section: family.ModelSection, Kind: family.Float,
			Default: "1", Min: 1e-4, Max: 1e4,
			When: &family.Condition{Name: "weights", Is: []string{"fixed"}},
			Help: "prior variance of weights and biases"},
		family.Hyperparameter{Name: "noise_shape", Section: family.ModelSection, Kind: family.Float,
			Default: "6", Source: lobato, Min: 1.01, Max: 1e4,
			Help: "shape of the Gamma prior of the noise's precision", Paper: "6"},
		family.Hyperparameter{Name: "noise_rate", Section: family.ModelSection, Kind: family.Float,
			Default: "6", Source: lobato, Min: 1e-4, Max: 1e4,
			Help: "rate of the Gamma prior of the noise's precision, standardised units", Paper: "6"},
		family.Hyperparameter{Name: "start_spread", Section: family.InferenceSection, Kind: family.Float,
			Default: "0.2", Min: 1e-6, Max: 10,
			Help: "standard deviation of the random initial means of weights and biases"},
		family.Hyperparameter{Name: "batch", Section: family.InferenceSection, First: true, Kind: family.Int,
			Default: "128", Min: 1, Max: 65536,
			Help: "points per step, processed sequentially (at most all)"},
	)
}

// preset returns a preset with the defaults of list, the values of own, and 20,000 steps without a
// validation split.
func preset(list []family.Hyperparameter, name, title, source string, own map[string]string) family.Preset {
	values := map[string]string{
		"epochs": "0", "steps": "20000", "early_stopping": "off", "validation": "0",
		"stop_overfitting": "off", "keep": "last", "validation_every": "100",
		"validation_samples": "20", "validation_points": "0", "test_samples": "100",
	}
	for _, h := range list {
		values[h.Name] = h.Default
	}
	if _, has := values["schedule"]; has {
		values["schedule"] = string(infer.Stairs)
	}
	maps.Copy(values, own)
	return family.Preset{Name: name, Title: title, Source: source, Values: values}
}

// read returns the configuration of networks given by v for data.
func read(v family.Values, data family.Data) config {
	n, d := data.X.Dims()
	_, p := data.Y.Dims()
	c := config{
		sizes:      autodiff.PerceptronSizes(d, p, v.Int("hidden_layers"), v.Int("hidden_width")),
		likelihood: data.DefaultLikelihood(1), // the noise starts at a value of its own
		batch:      n,
	}
	if _, has := v["batch"]; has {
		c.batch = min(v.Int("batch"), n)
	}
	return c
}

// readSteps returns the configuration of networks trained by Adam, and the rates.
func readSteps(v family.Values, data family.Data) (config, train.Rates) {
	c := read(v, data)
	c.samples = v.Int("samples")
	c.noise = v.Float("noise_variance")
	c.noiseTransform = param.Exponential{Lower: positiveFloor}
	return c, train.ReadRates(v, data.Steps)
}

func buildVariational(v family.Values, data family.Data, seed uint64) (family.Model, error) {
	c, rates := readSteps(v, data)
	c.priorVariance = v.Float("prior_variance")
	c.spread = v.Float("start_spread")
	p, err := newVariational(c, data, seed)
	if err != nil {
		return nil, err
	}
	return newModel(boundObjective, c, false, p, rates)
}

func buildDropout(v family.Values, data family.Data, seed uint64) (family.Model, error) {
	c, rates := readSteps(v, data)
	c.keep = 1 - v.Float("dropout")
	c.lengthscale = v.Float("prior_lengthscale")
	p, err := newDropout(c, data, seed)
	if err != nil {
		return nil, err
	}
	return newModel(penalisedObjective, c, true, p, rates)
}

func buildFilter(v family.Values, data family.Data, seed uint64) (family.Model, error) {
	c := read(v, data)
	c.priorVariance = v.Float("prior_variance")
	c.spread = v.Float("start_spread")
	var ofWeights []float64
	if v.Text("weights") == "learned" {
		ofWeights = []float64{v.Float("weights_shape"), v.Float("weights_rate")}
	}
	p, err := newPropagation(c, []float64{v.Float("noise_shape"), v.Float("noise_rate")},
		ofWeights, data, seed)
	if err != nil {
		return nil, err
	}
	m, err := train.New(filterObjective, p, filtering{p})
	return &Filter{m, p}, err
}
