// Package amortized is GPs whose inducing points belong to their inputs and are read
// off them by inference functions: the input-dependent sparse GP and deep GPs of such
// layers. The engine is models/deep.
package amortized

import (
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/kernel"
)

const paper = "Meng, Zhang 2024"

// Families returns the families of this package.
func Families() []family.Spec { return []family.Spec{deepSpec(), shallowSpec()} }

// objective is that of both: what is maximised for a minibatch.
var objective = family.Objective{
	Name: "amortized objective", Kind: family.Surrogate, Noisy: true,
	Terms:  []infer.Reading{family.ExpectedLogLik, family.KL},
	Gauges: []infer.Reading{infer.LearningRate, infer.GradientNorm},
}

// training are the families' own defaults of the settings of training.
var training = map[string]family.Default{
	"test_samples":       {Value: "32", Source: paper + ", appendix C.1"},
	"validation_samples": {Value: "32", Source: paper + ", appendix C.1"},
}

func deepSpec() family.Spec {
	list := []family.Hyperparameter{
		{Name: "layers", Section: family.ModelSection, First: true, Kind: family.Int, Default: "3", Min: 1, Max: 10,
			Help: "layers, the output layer included", Paper: "3"},
		{Name: "width", Section: family.ModelSection, First: true, Kind: family.IntList, Default: "16,4", Min: 1, Max: 64,
			Help: "GPs of each hidden layer: one number for all, or one each", Paper: "16,4"},
		{Name: "inducing", Section: family.ModelSection, First: true, Kind: family.IntList, Default: "8,4,4", Min: 1, Max: 64,
			Help: "inducing points M of every input: one number for all layers, or one each", Paper: "8,4,4"},
		{Name: "rule", Section: family.ModelSection, First: true, Kind: family.Choice, Default: "ar2p", Choices: []string{"ar1", "ar2", "ar2p", "ar2pp"},
			Help:  "what inducing points are read off: ar1 samples, ar2 their mean, ar2p that of learned samples, ar2pp also the log of a mixture",
			Paper: "all"},
		{Name: "samples", Section: family.InferenceSection, Kind: family.Int, Default: "32", Min: 1, Max: 256,
			When: &family.Condition{Name: "rule", Is: []string{"ar2", "ar2p", "ar2pp"}},
			Help: "samples S of a training step; learned ones are as many in predictions", Paper: "32"},
		{Name: "ar1_samples", Section: family.InferenceSection, Kind: family.Int, Default: "1", Min: 1, Max: 256,
			When: &family.Condition{Name: "rule", Is: []string{"ar1"}},
			Help: "samples S of a training step of ar1", Paper: "1"},
		{Name: "mean_function", Section: family.ModelSection, Kind: family.Choice, Default: "zero", Choices: []string{"zero", "linear"},
			Help: "mean of hidden layers: zero, or a linear map that is learned", Paper: "zero"},
	}
	return spec(family.Spec{
		Name: "avdgp", Title: "Amortized variational deep GP",
		Summary: "every input has its own few inducing points in every layer, read off what comes from below",
		Source:  paper + ", section 4", Hyperparameters: append(list, common()...),
	}, planDeep)
}

func shallowSpec() family.Spec {
	list := []family.Hyperparameter{
		{Name: "inducing", Section: family.ModelSection, First: true, Kind: family.Int, Default: "16", Min: 1, Max: 64,
			Help: "inducing points M of every input", Paper: "16"},
		{Name: "inference", Section: family.ModelSection, First: true, Kind: family.Choice, Default: "network", Choices: []string{"network", "affine"},
			Help: "what inducing points are read off by: one network with all else, or an affine map each", Paper: "network"},
		{Name: "covariance", Section: family.ModelSection, Kind: family.Choice, Default: "full", Choices: []string{"full", "diagonal"},
			Help: "covariance of the inducing outputs of an input", Paper: "full"},
	}
	return spec(family.Spec{
		Name: "idsgp", Title: "Input-dependent sparse GP",
		Summary: "a GP where every input has its own few inducing points, read off by a network",
		Source:  "Jafrasteh et al. 2022; " + paper + ", section 3", Hyperparameters: append(list, common()...),
	}, planShallow)
}

// spec completes what both have.
func spec(s family.Spec, plan planner) family.Spec {
	s.Group, s.Objective, s.Training = "amortized GPs", objective, training
	s.Accepts = family.Accepts{Regression: true, Binary: true, Outputs: true}
	s.Presets = presets(s.Hyperparameters)
	s.Size, s.New = plan.sizes(), plan.models()
	return s
}

// common returns the hyperparameters that both have.
func common() []family.Hyperparameter {
	return []family.Hyperparameter{
		{Name: "kernel", Section: family.KernelSection, First: true, Kind: family.Choice, Default: "matern52", Choices: kernel.Names(),
			Help: "covariance function, one kernel for each output", Paper: "matern52"},
		{Name: "ard", Section: family.KernelSection, Kind: family.Bool, Default: "off",
			Help: "a lengthscale for every input instead of one for all", Paper: "off"},
		{Name: "lengthscale", Section: family.KernelSection, Kind: family.FloatList, Default: "1", Min: 1e-6, MinOpen: true, Max: 1e3,
			Help: "lengthscales at the start: one number for all layers, or one each"},
		{Name: "variance", Section: family.KernelSection, Kind: family.FloatList, Default: "1", Min: 1e-4, Max: 1e4,
			Help: "kernel variances at the start: one number for all layers, or one each"},
		{Name: "noise_variance", Section: family.ModelSection, Kind: family.Float, Default: "0.1", Min: 1e-5, Max: 100,
			Help: "Gaussian noise variance at the start, standardised units"},
		{Name: "hidden_layers", Section: family.ModelSection, Kind: family.Int, Default: "2", Min: 0, Max: 5,
			Help: "hidden layers of the networks", Paper: "2"},
		{Name: "hidden_width", Section: family.ModelSection, Kind: family.Int, Default: "0", Min: 0, Max: 512,
			Help: "their width; 0 for the smaller of a network's inputs and outputs", Paper: "0"},
		{Name: "offset", Section: family.InferenceSection, Kind: family.Float, Default: "1", Min: 1e-3, Max: 100,
			Help: "standard deviation of inducing points around their input at the start"},
		{Name: "spread", Section: family.InferenceSection, Kind: family.FloatList, Default: "1", Min: 1e-6, Max: 100,
			Help: "standard deviations of inducing outputs at the start: one number for all layers, or one each"},
		{Name: "batch", Section: family.InferenceSection, First: true, Kind: family.Int, Default: "100", Min: 1, Max: 65536,
			Help: "points of a minibatch (at most all)", Paper: "100"},
		{Name: "learning_rate", Section: family.InferenceSection, First: true, Kind: family.Float, Default: "0.005", Min: 0, MinOpen: true, Max: 1,
			Help: "Adam's rate at the start", Paper: "0.005"},
		{Name: "decay_rate", Section: family.InferenceSection, Kind: family.Float, Default: "1", Min: 0, MinOpen: true, Max: 1,
			Help: "factor on the rate at each stair"},
		{Name: "decay_steps", Section: family.InferenceSection, Kind: family.Int, Default: "1000", Min: 1, Max: 1e9,
			Help: "steps of a stair"},
		{Name: "jitter", Section: family.InferenceSection, Kind: family.Float, Default: "1e-6", Min: 0, Max: 1e-2,
			Help: "added to the diagonal of every K_uu"},
	}
}
