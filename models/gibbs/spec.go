package gibbs

import (
	"fmt"
	"slices"

	"dgplab/models/family"
	"dgplab/models/sampling"
)

const (
	sauer   = "Sauer, Gramacy, Higdon 2023"
	deepgp  = "R package deepgp 1.2.3"
	allKept = "1000"
)

// maxPoints is the maximum number of training points.
const maxPoints = 500

// defaultWidth is the maximum number of hidden functions for width=0.
const defaultWidth = 10

var objective = sampling.LogJoint(false, (*sweep)(nil).Gauges()...)

// Families returns the fully Bayesian deep GP.
func Families() []family.Spec {
	return []family.Spec{{
		Name: "dgp-ess", Title: "Deep GP by slice sampling", Group: "sampled deep GPs",
		Summary: "all functions, kernel parameters and the nugget sampled by Gibbs sweeps: the reference " +
			"posterior for up to 500 points",
		Source:          sauer + "; " + deepgp,
		Objective:       objective,
		Accepts:         family.Accepts{Regression: true},
		Hyperparameters: hyperparameters(),
		Absent: map[string]string{
			"likelihood": "the scale of Gaussian noise and the functions of the last layer are integrated " +
				"out in closed form",
		},
		Uncontrolled: "its kernel parameters and its noise are sampled from a posterior, not moved by " +
			"gradients",
		Training: map[string]family.Default{
			"validation_every":   {Value: "200", Source: "each validation predicts with all kept samples"},
			"validation_samples": {Value: "100", Source: "maximum number of kept samples used"},
			"test_samples":       {Value: allKept, Source: "maximum number of kept samples"},
		},
		Presets: []family.Preset{vignette()},
		Size:    size,
		Scaling: []family.Exponent{{Hyperparameter: family.Rows, Power: 3},
			{Hyperparameter: "width", Power: 1}},
		New: func(v family.Values, data family.Data, seed uint64) (family.Model, error) {
			m, err := build(v, data, seed)
			if err != nil {
				return nil, err
			}
			return m, nil
		},
	}}
}

func hyperparameters() []family.Hyperparameter {
	kernels := family.KernelHyperparameter("kernel", "correlation function with sampled parameters and one "+
		"lengthscale for all inputs", family.PerLayer|family.PerGP|family.SampledKernel)
	kernels.Default, kernels.Source, kernels.Paper = "matern52", deepgp, "matern52"
	list := []family.Hyperparameter{
		{Name: "layers", Section: family.ModelSection, First: true, Kind: family.Int, Default: "2",
			Source: deepgp, Min: 1, Max: 3, Help: "GP layers; 1: a GP with sampled hyperparameters"},
		{Name: "width", Section: family.ModelSection, First: true, Kind: family.Int, Default: "0",
			Source: deepgp, Min: 0, Max: 50,
			Help:  fmt.Sprintf("functions of a hidden layer; 0: as many as inputs, at most %d", defaultWidth),
			Paper: "as many as inputs"},
		{Name: "prior_mean", Section: family.ModelSection, Kind: family.Choice, Default: "zero",
			Source: deepgp, Choices: []string{"zero", "inputs"},
			Help: "prior mean of the hidden functions: zero, or the inputs of their layer"},
		kernels,
		{Name: "nugget", Section: family.ModelSection, First: true, Kind: family.Choice, Default: "sampled",
			Source: deepgp, Choices: []string{"sampled", "fixed"},
			Help: "noise variance relative to the variance of the function: sampled, or fixed, with the " +
				"priors for deterministic targets"},
		{Name: "nugget_value", Section: family.ModelSection, Kind: family.Float, Default: "1e-3",
			Source: deepgp, Min: 1e-6, Max: 10, Help: "nugget, or its initial value if it is sampled"},
	}
	return append(list, sampling.PhaseHyperparameters(family.Default{Value: "1000", Source: deepgp},
		family.Default{Value: "500", Source: deepgp}, family.Default{Value: "2", Source: deepgp})...)
}

// vignette returns the settings of the examples of deepgp.
func vignette() family.Preset {
	values := map[string]string{
		"steps": "0", "early_stopping": "off", "validation": "0", "stop_overfitting": "off", "keep": "last",
		"validation_every": "200", "validation_samples": "100", "validation_points": "0",
		"test_samples": allKept,
	}
	for _, h := range hyperparameters() {
		values[h.Name] = h.Default
	}
	values["nugget"] = "fixed"
	values["nugget_value"] = "1e-6"
	return family.Preset{Name: "deepgp", Title: "deterministic targets, as in the vignette of deepgp",
		Source: deepgp, Values: values}
}

// width returns the number of functions of a hidden layer for d inputs.
func width(v family.Values, d int) int {
	if w := v.Int("width"); w > 0 {
		return w
	}
	return min(d, defaultWidth)
}

// typicalProposals is the typical number of proposals of a slice.
const typicalProposals = 4

// size implements family.Spec.Size.
func size(v family.Values, n, d, _ int) (family.Size, error) {
	layers := v.Int("layers")
	functions := (layers - 1) * width(v, d)
	widths := append(slices.Repeat([]int{width(v, d)}, layers-1), 1)
	kernels, err := family.ParseKernels(v, "kernel", layers)
	if err != nil {
		return family.Size{}, err
	}
	if err := family.CheckKernels("kernel", kernels, widths); err != nil {
		return family.Size{}, err
	}
	values := 0 // of all kernels
	inputs := d
	for l, k := range kernels {
		for i := range widths[l] {
			values += k.Of(i).NumUnknowns(inputs)
		}
		inputs = widths[l]
	}
	parameters := functions*n + values + 1
	chains := float64(v.Int("chains"))
	// Each value of a kernel and the nugget need a factor, and the last layer one more. A hidden function
	// needs one for its kernel, one for its prior, and for each proposal one per function in the layer above.
	// The functions of the first layer keep theirs; they need about one after a change of their kernels.
	above, kept := 1.0, 0.0
	if layers > 1 {
		kept = float64(width(v, d))
	}
	if layers == 3 {
		above = float64(1+width(v, d)) / 2
	}
	factors := float64(2+values) - kept + float64(functions)*(2+typicalProposals*above)
	points := float64(n)
	s := family.Size{
		Parameters: parameters,
		StepFLOPs:  chains * factors * points * points * points / 3,
		Shape:      family.Shape{Rows: n, Inner: n, Cols: n},
		// Memory holds the matrices of a sweep and of parallel predictions, kept samples, and
		// copies of positions.
		Memory: 8 * (chains*((4+kept)*points*points+float64(parameters)*float64(v.Int(family.Kept)+4)) +
			16*points*points + 4*points*1024),
	}
	if n > maxPoints {
		return s, fmt.Errorf("dgp-ess accepts at most %d points, not %d: each sweep factorises many "+
			"matrices of this size; use fewer points or sghmc", maxPoints, n)
	}
	return s, nil
}
