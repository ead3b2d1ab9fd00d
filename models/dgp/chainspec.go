package dgp

import (
	"fmt"
	"slices"

	"dgplab/models/family"
	"dgplab/models/sampling"
)

const havasi = "Havasi, Hernández-Lobato, Murillo-Fuentes 2018"

// chainsObjective is the log joint density of the inducing outputs.
var chainsObjective = sampling.LogJoint(true, (*sampling.SGHMC)(nil).Gauges()...)

// sghmc returns the family that samples the inducing outputs.
func sghmc() family.Spec {
	m := member{name: "sghmc", pattern: MeanField, chained: true}
	list := m.chainsHyperparameters()
	return family.Spec{
		Name: m.name, Title: "Deep GP by SGHMC", Group: "structured deep GPs",
		Summary: "samples the inducing outputs of all layers by stochastic-gradient Hamiltonian Monte " +
			"Carlo, without a Gaussian approximation",
		Source:          havasi + ", section 3",
		Objective:       chainsObjective,
		Accepts:         family.AnyTargets,
		Hyperparameters: list,
		Training: map[string]family.Default{
			"validation_every":   {Value: "500", Source: "uses all kept samples"},
			"validation_samples": {Value: "100", Source: "maximum number of kept samples used"},
			"test_samples":       {Value: "100", Source: havasi + ", their code: as many as kept"},
		},
		Presets: []family.Preset{havasiPreset(list)},
		Size:    m.chainsSize,
		Scaling: []family.Exponent{{Hyperparameter: "inducing", Power: 2},
			{Hyperparameter: "layers", Power: 1}},
		New: func(v family.Values, data family.Data, seed uint64) (family.Model, error) {
			model, err := m.buildChains(v, data, seed)
			if err != nil {
				return nil, err // a nil *Chains would be a non-nil family.Model
			}
			return model, nil
		},
	}
}

// chainsHyperparameters returns the hyperparameters that are shared with the structured families
// and do not concern q(f_M), with the defaults of the authors' code, and the hyperparameters of the
// sampler.
func (m member) chainsHyperparameters() []family.Hyperparameter {
	list := append(depth(), m.functions()...)
	defaults := map[string]family.Default{
		"layers": {Value: "2"}, "inducing": {Value: "100"}, "lengthscale": {Value: "0"},
		"noise_variance": {Value: "1"}, "batch": {Value: "10000"}, "samples": {Value: "1"},
	}
	for i := range list {
		h := &list[i]
		h.Paper = ""
		if d, ok := defaults[h.Name]; ok {
			h.Default, h.Source = d.Value, havasi+", their code"
		}
		if h.Name == "lengthscale" {
			h.Min, h.MinOpen = 0, false
			h.Help += "; 0: square root of the number of inputs"
		}
	}
	at := slices.IndexFunc(list, func(h family.Hyperparameter) bool { return h.Name == "batch" })
	list = slices.Insert(list, at, family.Hyperparameter{Name: "sampler", Section: family.InferenceSection,
		First: true, Kind: family.Choice, Default: sghmcSampler, Source: havasi,
		Choices: []string{sghmcSampler, sliceSampler}, Paper: sghmcSampler,
		Help: fmt.Sprintf("sghmc: gradients of minibatches; ess: elliptical slice sampling on all data, at "+
			"most %d points, without step size", maxSliced)})
	code := func(value string) family.Default {
		return family.Default{Value: value, Source: havasi + ", their code"}
	}
	list = append(list, family.LikelihoodHyperparameters()...)
	list = append(list, sampling.PhaseHyperparameters(code("10000"), code("100"), code("50"))...)
	list = append(list, []family.Hyperparameter{
		{Name: "step_size", Section: family.InferenceSection, First: true, Kind: family.Float,
			Default: "0.01", Source: havasi, Min: 0, MinOpen: true, Max: 1,
			Help: "step size of the inducing outputs, adapted to each of them in burn-in", Paper: "0.01"},
		{Name: "friction", Section: family.InferenceSection, Kind: family.Float, Default: "0.05",
			Source: havasi, Min: 0, MinOpen: true, Max: 1,
			Help: "fraction of the momentum lost per step", Paper: "0.05"},
		{Name: "start_spread", Section: family.InferenceSection, Kind: family.Float, Default: "0",
			Source: havasi + ", their code", Min: 0, Max: 10,
			Help: "initial standard deviation of the whitened inducing outputs; 1: draw from the prior, to " +
				"start chains far apart"},
		{Name: "window", Section: family.InferenceSection, Kind: family.Int, Default: "100", Source: havasi,
			Min: 1, Max: 1e4,
			Help: "number of recent burn-in positions from which each hyperparameter update draws one"},
		{Name: "learning_rate", Section: family.InferenceSection, First: true, Kind: family.Float,
			Default: "0.01", Source: havasi, Min: 0, MinOpen: true, Max: 1,
			Help:  "learning rate of Adam for the hyperparameters, which change only in burn-in",
			Paper: "0.01"},
	}...)
	for i := range list {
		if slices.Contains([]string{"batch", "samples", "step_size", "friction"}, list[i].Name) {
			list[i].When = &family.Condition{Name: "sampler", Is: []string{sghmcSampler}}
		}
	}
	return append(list, jitter()...)
}

// Samplers of the inducing outputs.
const (
	sghmcSampler = "sghmc"
	sliceSampler = "ess"
)

// maxSliced is the maximum number of points of slice sampling, whose steps use all of them several times.
const maxSliced = 10000

// havasiPreset returns the settings of the authors' code.
func havasiPreset(list []family.Hyperparameter) family.Preset {
	values := map[string]string{
		"steps": "0", "early_stopping": "off", "validation": "0",
		"stop_overfitting": "off", "keep": "last", "validation_every": "500",
		"validation_samples": "100", "validation_points": "0", "test_samples": "100",
	}
	for _, h := range list {
		values[h.Name] = h.Default
	}
	return family.Preset{
		Name:   "havasi2018",
		Title:  "settings of the authors' code",
		Source: havasi + ", github.com/cambridge-mlg/sghmc_dgp",
		Values: values,
	}
}
