package deep

import (
	"slices"

	"dgplab/models/family"
)

const (
	amortizedPaper = "Meng, Zhang 2024"
	// maxInducing limits the number of inducing points per input: every pair of input and output
	// has its own matrices.
	maxInducing = 64
)

// amortizedFamilies returns avdgp and idsgp.
func amortizedFamilies() []family.Spec { return []family.Spec{avdgpSpec(), idsgpSpec()} }

// amortizedObjective is the minibatch objective of both families.
var amortizedObjective = family.MinibatchObjective("amortized objective",
	family.Surrogate, family.ExpectedLogLik)

func avdgpSpec() family.Spec {
	list := LayerSettings(amortizedPaper, "16,4", "8,4,4")
	smaller := map[string]string{"layers": "2", "width": "4", "inducing": "4"}
	for i := range list {
		h := &list[i]
		h.Default, h.Source = smaller[h.Name], ""
		if h.Name == "inducing" {
			h.Max = maxInducing
			h.Help = "inducing points M per input: one value for all layers, or one per layer"
		}
	}
	list = append(list, []family.Hyperparameter{
		{Name: "rule", Section: family.ModelSection, First: true, Kind: family.Choice, Default: "ar2p",
			Choices: []string{"ar1", "ar2", "ar2p", "ar2pp"},
			Help: "inputs of the inference functions: ar1: samples, ar2: their mean, ar2p: mean of learned " +
				"samples, ar2pp: also the log of a mixture",
			Paper: "all"},
		{Name: "samples", Section: family.InferenceSection, Kind: family.Int, Default: "32", Min: 1, Max: 256,
			When: &family.Condition{Name: "rule", Is: []string{"ar2", "ar2p", "ar2pp"}},
			Help: "samples S per training step; predictions use all learned samples", Paper: "32"},
		{Name: "ar1_samples", Section: family.InferenceSection, Kind: family.Int, Default: "1", Min: 1,
			Max: 256, When: &family.Condition{Name: "rule", Is: []string{"ar1"}},
			Help: "samples S per training step with ar1", Paper: "1"},
		{Name: "mean_function", Section: family.ModelSection, Kind: family.Choice, Default: "zero",
			Choices: []string{"zero", "linear"},
			Help:    "mean function of hidden layers: zero, or a learned linear map", Paper: "zero"},
	}...)
	return amortizedSpec(family.Spec{
		Name: "avdgp", Title: "Amortized variational deep GP",
		Summary: "infers a few inducing points per input in every layer from the outputs of the " +
			"layer below",
		Source:          amortizedPaper + ", section 4",
		Hyperparameters: append(list, amortizedSettings("0.003", "3")...),
		// With few inducing points the cubic term does not dominate.
		Scaling: []family.Exponent{{Hyperparameter: "layers", Power: 1}}, Training: HeldOut(),
	}, planDeep)
}

func idsgpSpec() family.Spec {
	list := []family.Hyperparameter{
		{Name: "inducing", Section: family.ModelSection, First: true, Kind: family.Int, Default: "4", Min: 1,
			Max: maxInducing, Help: "inducing points M per input", Paper: "16"},
		{Name: "inference", Section: family.ModelSection, First: true, Kind: family.Choice,
			Default: "network", Choices: []string{"network", "affine"},
			Help: "inference of inducing points: by the network that also infers q(u), or by an affine " +
				"map per inducing point",
			Paper: "network"},
		{Name: "covariance", Section: family.ModelSection, Kind: family.Choice, Default: "full",
			Choices: []string{"full", "diagonal"}, Help: "covariance of the inducing outputs of an input",
			Paper: "full"},
	}
	return amortizedSpec(family.Spec{
		Name: "idsgp", Title: "Input-dependent sparse GP",
		Summary:         "a GP with a few inducing points per input, inferred by a network",
		Source:          "Jafrasteh et al. 2022; " + amortizedPaper + ", section 3",
		Hyperparameters: append(list, amortizedSettings("0.01", "10")...),
		Training:        HeldOut(),
	}, planShallow)
}

// amortizedSpec sets the fields that both families share.
func amortizedSpec(s family.Spec, plan Planner) family.Spec {
	s.Group, s.Objective = "amortized GPs", amortizedObjective
	s = Spec(s, plan)
	s.Accepts.Noise = true // Weights would have to enter the KL, which is a mean over the points.
	for _, preset := range s.Presets {
		for _, h := range s.Hyperparameters {
			if slices.Contains([]string{"layers", "width", "inducing"}, h.Name) {
				preset.Values[h.Name] = h.Paper
			}
		}
	}
	return s
}

// amortizedSettings returns the hyperparameters that both families share; rate is the default
// learning rate, and beta is the default factor of the KL.
func amortizedSettings(rate, beta string) []family.Hyperparameter {
	return append(StartLinear(Settings(amortizedPaper, family.PerLayer), rate), []family.Hyperparameter{
		{Name: "beta", Section: family.InferenceSection, First: true, Kind: family.Float, Default: beta,
			Min: 0, Max: 1e6, Paper: "1",
			Help: "factor of the KL, which is averaged over the points of a minibatch"},
		{Name: "hidden_layers", Section: family.ModelSection, Kind: family.Int, Default: "2",
			Source: amortizedPaper, Min: 0, Max: 5, Help: "hidden layers of the networks", Paper: "2"},
		{Name: "hidden_width", Section: family.ModelSection, Kind: family.Int, Default: "0",
			Source: amortizedPaper, Min: 0, Max: 512,
			Help:  "width of these layers; 0: the smaller of the numbers of inputs and outputs",
			Paper: "0"},
		{Name: "whiten", Section: family.InferenceSection, Kind: family.Bool, Default: "on",
			Help:  "parametrise q over v with u = m(Z) + L v, where L is the Cholesky factor of K_uu",
			Paper: "off"},
		{Name: "offset", Section: family.InferenceSection, Kind: family.Float, Default: "1", Min: 1e-3,
			Max: 100, Help: "initial standard deviation of inducing points around their input"},
		{Name: "spread", Section: family.InferenceSection, Kind: family.FloatList, Default: "1", Min: 1e-6,
			Max: 100,
			Help: "initial standard deviations of inducing outputs: one value for all layers, or one per " +
				"layer"},
	}...)
}
