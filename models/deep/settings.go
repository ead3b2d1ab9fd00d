package deep

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/train"
)

// Settings returns the hyperparameters that the families of the engine share, with kernels for the given
// GPs. The defaults are the settings of the paper named source: Matern-5/2 kernels with one lengthscale,
// batches of 100 (Meng, Zhang, 2024, appendix C.1). The learning rate of Adam is four times the rate of the
// paper.
func Settings(source string, scope family.KernelScope) []family.Hyperparameter {
	rates := train.RateHyperparameters("0.02", "1", "0.999")
	rates[0].Paper = "0.005"
	kernels := family.KernelHyperparameter("kernel",
		"covariance function; each output has its own parameters", scope)
	kernels.Default, kernels.Source, kernels.Paper = "matern52", source, "matern52"
	return slices.Concat([]family.Hyperparameter{
		kernels,
		{Name: "ard", Section: family.KernelSection, Kind: family.Bool, Default: "off", Source: source,
			Help: "use one lengthscale per input instead of one for all", Paper: "off"},
		{Name: "lengthscale", Section: family.KernelSection, Kind: family.FloatList, Default: "1", Min: 0,
			Max: 1e3,
			Help: "initial lengthscales: one value for all layers, or one per layer; 0: square root of the " +
				"number of inputs"},
		{Name: "variance", Section: family.KernelSection, Kind: family.FloatList, Default: "1", Min: 1e-4,
			Max: 1e4, Help: "initial kernel variances: one value for all layers, or one per layer"},
		{Name: "trend", Section: family.ModelSection, Kind: family.Choice, Default: "none",
			Choices: []string{"none", "linear"}, Paper: "none",
			Help: "linear: fit the linear family first and model its residuals; initial variances are " +
				"relative to the residual variance"},
		{Name: "noise_variance", Section: family.ModelSection, Kind: family.Float, Default: "0.1", Min: 1e-5,
			Max: 100, Help: "initial Gaussian noise variance, in standardised units"},
		{Name: "batch", Section: family.InferenceSection, First: true, Kind: family.Int, Default: "100",
			Source: source, Min: 1, Max: 65536, Help: "minibatch size (at most the number of points)",
			Paper: "100"},
	}, rates, []family.Hyperparameter{
		{Name: "jitter", Section: family.InferenceSection, Kind: family.Float, Default: "1e-6", Min: 0,
			Max: 1e-2, Help: "added to the diagonal of every K_uu"},
	}, family.LikelihoodHyperparameters())
}

// StartLinear changes the defaults in list for families that start from the linear family, with the
// given learning rate, and returns list. Their initial predictions equal the predictions of the
// linear family, with half of the residual variance as noise. The learning rate rises slowly to
// keep early steps close to this start (models/README.md, "Defaults and presets").
func StartLinear(list []family.Hyperparameter, rate string) []family.Hyperparameter {
	defaults := map[string]string{
		"trend": "linear", "lengthscale": "0", "variance": "0.5", "noise_variance": "0.5", "warm_up": "200",
		"learning_rate": rate,
	}
	for i, h := range list {
		if value, ok := defaults[h.Name]; ok {
			list[i].Default = value
		}
	}
	return list
}

// ReadConfig returns the configuration that the values of Settings describe, with one sample.
func ReadConfig(v family.Values, o family.Objective) Config {
	return Config{Objective: o, Samples: 1, Batch: v.Int("batch"), Beta: 1, Noise: v.Float("noise_variance"),
		Trend: v.Text("trend") == "linear", Rates: train.ReadRates(v, 0)}
}

// defaultsPage is the source of defaults that were chosen by measurements.
const defaultsPage = "models/README.md, Defaults and presets"

// Evaluation returns the default numbers of test and validation samples.
func Evaluation() map[string]family.Default {
	return map[string]family.Default{
		"test_samples": {Value: "32", Source: Paper}, "validation_samples": {Value: "32", Source: Paper},
	}
}

// HeldOut returns Evaluation with a larger validation split, for families that overfit the noise
// late in training. The validation split selects the kept parameters.
func HeldOut() map[string]family.Default {
	training := Evaluation()
	training["validation"] = family.Default{Value: "0.2", Source: defaultsPage}
	return training
}

// Shape holds the layer sizes and initial kernel parameters of a stack, input layer first.
type Shape struct {
	// Inputs, Widths and Inducing are the numbers of inputs, GPs and inducing points of each layer.
	Inputs, Widths, Inducing []int
	// Lengthscales and Variances are the initial kernel parameters of each layer.
	Lengthscales, Variances []float64
}

// LayerSettings returns the hyperparameters of a deep family that ReadShape uses in addition to
// Settings, with the given default hidden widths and numbers of inducing points.
func LayerSettings(source, width, inducing string) []family.Hyperparameter {
	return []family.Hyperparameter{
		{Name: "layers", Section: family.ModelSection, First: true, Kind: family.Int, Default: "3",
			Source: source, Min: 1, Max: 10, Help: "number of layers, including the output layer",
			Paper: "3"},
		{Name: "width", Section: family.ModelSection, First: true, Kind: family.IntList, Default: width,
			PerHiddenLayer: true, Source: source, Min: 1, Max: 64,
			Help: "GPs per hidden layer: one value for all, or one per layer", Paper: width},
		{Name: "inducing", Section: family.ModelSection, First: true, Kind: family.IntList, Default: inducing,
			PerLayer: true, Source: source, AtMostHalf: true, Min: 1, Max: 4096,
			Help: "inducing points per layer: one value for all, or one per layer", Paper: inducing},
	}
}

// ReadShape returns the shape of a stack for d inputs and p targets, with at most limit inducing
// points per layer. There is one layer if v has no hyperparameter "layers".
func ReadShape(v family.Values, d, p, limit int) (s Shape, err error) {
	layers, hidden := 1, []int{}
	if _, deep := v["layers"]; deep {
		layers = v.Int("layers")
	}
	if layers > 1 { // a single layer has no hidden layers, so width does not apply
		hidden, err = family.Expand("width",
			v.Ints("width"), layers-1, fmt.Sprintf("hidden layers (layers=%d)", layers))
		if err != nil {
			return s, err
		}
	}
	s.Widths = append(hidden, p)
	s.Inputs = append([]int{d}, hidden...)
	const each = "layers"
	s.Inducing, err = family.Expand("inducing", v.Ints("inducing"), layers, each)
	if err != nil {
		return s, err
	}
	for l, m := range s.Inducing {
		s.Inducing[l] = min(m, limit)
	}
	s.Lengthscales, err = family.Expand("lengthscale", v.Floats("lengthscale"), layers, each)
	if err != nil {
		return s, err
	}
	for l, value := range s.Lengthscales {
		if value == 0 {
			s.Lengthscales[l] = math.Sqrt(float64(s.Inputs[l]))
		}
	}
	s.Variances, err = family.Expand("variance", v.Floats("variance"), layers, each)
	return s, err
}

// preset returns the settings of Meng, Zhang 2024 for a family with these hyperparameters.
func preset(list []family.Hyperparameter) family.Preset {
	values := map[string]string{
		"epochs": "100", "steps": "20000", "early_stopping": "off", "validation": "0.1",
		"stop_overfitting": "off", "keep": "last", "validation_every": "100",
		"validation_samples": "32", "validation_points": "0", "test_samples": "32",
	}
	for _, h := range list {
		values[h.Name] = h.Default
	}
	paper := map[string]string{
		"trend": "none", "lengthscale": "1", "variance": "1", "noise_variance": "0.1", "warm_up": "0",
		"learning_rate": "0.005", "schedule": string(infer.Stairs),
	}
	if _, has := values["beta"]; has {
		paper["beta"] = "1"
	}
	maps.Copy(values, paper)
	return family.Preset{
		Name:   "meng2024",
		Title:  "settings of the paper",
		Source: Paper,
		Values: values,
	}
}
