package bnn

import (
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/param"
	"dgplab/models/sampling"
)

const (
	neal    = "Neal 2011"
	welling = "Welling, Teh 2011"
	hoffman = "Hoffman, Gelman 2014"
)

var (
	trajectoryObjective = sampling.LogJoint(false, (*sampling.HMC)(nil).Gauges()...)
	langevinObjective   = sampling.LogJoint(true, (*sampling.SGLD)(nil).Gauges()...)
)

// samplers returns the families that sample networks.
func samplers(accepts family.Accepts) []family.Spec {
	langevin := langevinSettings()
	trajectories := trajectorySettings()
	return []family.Spec{
		{
			Name: "bnn-sgld", Title: "Bayesian network, SGLD", Group: "Bayesian networks",
			Summary:      "networks sampled by noisy gradient steps on minibatches",
			Source:       welling + ", eq. 4; " + bui + ", section 8.1",
			Uncontrolled: sampledHyperparameters,
			Objective:    langevinObjective, Accepts: accepts, Hyperparameters: langevin,
			New: buildLangevin, Size: sizeLangevin,
			Training: sampledEvaluation("100"),
			Scaling:  []family.Exponent{{Hyperparameter: "hidden_width", Power: 1}},
			Presets: []family.Preset{
				samplerPreset(langevin, "bui2016-1",
					"SGLD-1 of the paper: one hidden layer; its step sizes were tuned by hand for each "+
						"data set", bui+", section 8.1", map[string]string{}),
				samplerPreset(langevin, "bui2016-2",
					"SGLD-2 of the paper: two hidden layers; its step sizes were tuned by hand for each "+
						"data set", bui+", section 8.1", map[string]string{
						"hidden_layers": "2",
					}),
			},
		},
		{
			Name: "bnn-hmc", Title: "Bayesian network, HMC", Group: "Bayesian networks",
			Summary:      "networks, noise and weight variance sampled by Hamiltonian Monte Carlo",
			Source:       neal + ", section 3; " + bui + ", section 8.1",
			Uncontrolled: sampledHyperparameters,
			Objective:    trajectoryObjective, Accepts: accepts, Hyperparameters: trajectories,
			New: buildTrajectories, Size: sizeTrajectories,
			Training: sampledEvaluation("20"),
			Scaling: []family.Exponent{{Hyperparameter: "hidden_width", Power: 1},
				{Hyperparameter: family.Rows,
					Power: 1}},
			Presets: []family.Preset{
				samplerPreset(trajectories, "bui2016",
					"HMC of the paper: one hidden layer; the number and size of leapfrog steps were tuned "+
						"by Bayesian optimisation", bui+", section 8.1", map[string]string{}),
			},
		},
	}
}

// samplerPreset returns a preset whose number of steps follows from its phases.
func samplerPreset(
	list []family.Hyperparameter, name, title, source string, own map[string]string,
) family.Preset {
	p := preset(list, name, title, source, own)
	delete(p.Values, "epochs")
	p.Values["steps"] = "0"
	p.Values["validation_samples"] = allKept
	p.Values["test_samples"] = allKept
	return p
}

// allKept is the maximum number of networks in predictions. With the default settings, these are
// all kept networks.
const allKept = "1000"

func sampledEvaluation(every string) map[string]family.Default {
	const why = "maximum number of kept networks"
	return map[string]family.Default{
		"validation_samples": {Value: allKept, Source: why}, "test_samples": {Value: allKept, Source: why},
		"validation_every": {Value: every, Source: "each validation evaluates all kept networks"},
	}
}

// sampledVariance returns the hyperparameters of a variance that is either sampled or fixed.
func sampledVariance(name, start, shape, rate, help string) []family.Hyperparameter {
	sampled := &family.Condition{Name: name, Is: []string{"sampled"}}
	of := map[string]string{"noise": "noise_variance", "weights": "prior_variance"}[name]
	return []family.Hyperparameter{
		{Name: name, Section: family.ModelSection, Kind: family.Choice, Default: "sampled", Source: bui,
			Choices: []string{"sampled", "fixed"},
			Help:    help + ": sampled with an inverse-Gamma prior, or fixed", Paper: "sampled"},
		{Name: of, Section: family.ModelSection, Kind: family.Float, Default: start, Min: 1e-5, Max: 100,
			Help: help + "; initial value if sampled"},
		{Name: name + "_shape", Section: family.ModelSection, Kind: family.Float, Default: shape, Min: 1e-4,
			Max: 1e4, When: sampled, Help: "shape of the inverse-Gamma prior of the " + help,
			Paper: "a broad prior"},
		{Name: name + "_rate", Section: family.ModelSection, Kind: family.Float, Default: rate, Min: 1e-6,
			Max: 1e4, When: sampled, Help: "rate of the inverse-Gamma prior of the " + help,
			Paper: "a broad prior"},
	}
}

func trajectorySettings() []family.Hyperparameter {
	list := append(layers(), sampledVariance("noise",
		"0.1", "1", "0.01", "variance of Gaussian noise, standardised units")...)
	list = append(list, sampledVariance("weights",
		"1", "1", "1", "prior variance of weights and biases")...)
	list = append(list, sampling.PhaseHyperparameters(family.Default{Value: "200"},
		family.Default{Value: "200"}, family.Default{Value: "1"})...)
	return append(list,
		family.Hyperparameter{Name: "leapfrog_steps", Section: family.InferenceSection, First: true,
			Kind: family.Int, Default: "400", Min: 1, Max: 1e5,
			Help: "leapfrog steps per trajectory, that is, per training step; short trajectories perform " +
				"a random walk",
			Paper: "tuned by Bayesian optimisation"},
		family.Hyperparameter{Name: "target_accept", Section: family.InferenceSection, Kind: family.Float,
			Default: "0.8", Source: "Stan", Min: 0.1, Max: 0.999,
			Help: "target acceptance probability for adapting the step size during burn-in"},
		family.Hyperparameter{Name: "step_size", Section: family.InferenceSection, Kind: family.Float,
			Default: "0.01", Min: 1e-8, Max: 10,
			Help:  "leapfrog step size; with burn-in, the initial guess for its adaptation",
			Paper: "tuned by Bayesian optimisation"},
		family.Hyperparameter{Name: "step_jitter", Section: family.InferenceSection, Kind: family.Float,
			Default: "0.2", Min: 0, Max: 0.9,
			Source: neal + ", section 3.2",
			Help:   "relative random variation of the step size between trajectories"},
	)
}

func langevinSettings() []family.Hyperparameter {
	start := noise()
	start.Min = 1e-3 // with less noise, the chain diverges at the first gradients
	list := append(layers(), start,
		family.Hyperparameter{Name: "prior_variance", Section: family.ModelSection, Kind: family.Float,
			Default: "1", Source: bui, Min: 1e-4, Max: 1e4,
			Help: "prior variance of weights and biases", Paper: "1"},
		family.Hyperparameter{Name: "kappa_variance", Section: family.ModelSection, Kind: family.Float,
			Default: "100", Min: 1e-2, Max: 1e6,
			Help: "prior variance of the inverse softplus of the noise variance", Paper: "a broad prior"})
	list = append(list, sampling.PhaseHyperparameters(family.Default{Value: "20000"},
		family.Default{Value: "200"}, family.Default{Value: "100"})...)
	return append(list,
		family.Hyperparameter{Name: "batch", Section: family.InferenceSection, First: true, Kind: family.Int,
			Default: "128", Min: 1, Max: 65536,
			Help: "minibatch size (at most the number of points)"},
		family.Hyperparameter{Name: "step_size", Section: family.InferenceSection, First: true,
			Kind: family.Float, Default: "1e-5", Min: 1e-12, Max: 1,
			Help:  "step size of weights and biases after burn-in",
			Paper: "tuned by hand"},
		family.Hyperparameter{Name: "noise_step_size", Section: family.InferenceSection, Kind: family.Float,
			Default: "1e-4", Min: 1e-12, Max: 1e-2,
			Help: "step size of the inverse softplus of the noise variance", Paper: "tuned by hand"},
		family.Hyperparameter{Name: "first_step", Section: family.InferenceSection, Kind: family.Float,
			Default: "10", Min: 1, Max: 1000,
			Help:  "initial factor on the step sizes; it decays to 1 during burn-in as (b + t)^-0.55",
			Paper: "100 (Welling, Teh 2011, section 5.1)"},
	)
}

// readChains returns the configuration of networks for chains; see read.
func readChains(v family.Values, data family.Data) config {
	c := read(v, data)
	c.samples = 1
	c.noise = v.Float("noise_variance")
	c.priorVariance = v.Float("prior_variance")
	return c
}

func buildTrajectories(v family.Values, data family.Data, seed uint64) (family.Model, error) {
	c := readChains(v, data)
	var priors variances
	if v.Text("noise") == "sampled" {
		c.noiseTransform = param.Exponential{}
		priors.noise = inverseGamma{v.Float("noise_shape"), v.Float("noise_rate")}
	}
	if v.Text("weights") == "sampled" {
		priors.weights = &inverseGamma{v.Float("weights_shape"), v.Float("weights_rate")}
	}
	phases := sampling.ReadPhases(v)
	options := sampling.HMCOptions{
		StepSize: v.Float("step_size"), Leapfrogs: v.Int("leapfrog_steps"), Jitter: v.Float("step_jitter"),
		BurnIn: phases.BurnIn, Target: v.Float("target_accept"),
	}
	return newChains(trajectoryObjective, phases, v.Int("chains"), c, priors, data, seed,
		func(j *joint, draws sampling.Draws) infer.Method {
			return sampling.NewHMC(j.Parameters().Size(), options, draws)
		})
}

func buildLangevin(v family.Values, data family.Data, seed uint64) (family.Model, error) {
	c := readChains(v, data)
	c.noiseTransform = param.Positive{}
	priors := variances{noise: softplusNormal{v.Float("kappa_variance")}}
	phases := sampling.ReadPhases(v)
	decay := sampling.Decay{Start: v.Float("first_step"), Steps: phases.BurnIn}
	return newChains(langevinObjective, phases, v.Int("chains"), c, priors, data, seed,
		func(j *joint, draws sampling.Draws) infer.Method {
			sizes := make([]float64, j.Parameters().Size())
			for i := range sizes {
				sizes[i] = v.Float("step_size")
			}
			if j.noise != nil {
				sizes[len(sizes)-1] = v.Float("noise_step_size")
			}
			return sampling.NewSGLD(sizes, decay, draws)
		})
}

// sampledHyperparameters is the reason why parameters of samplers cannot be controlled.
const sampledHyperparameters = "weights and noise are sampled from a posterior, not moved by gradients"
