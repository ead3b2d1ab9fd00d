package dgp

import (
	"maps"

	"dgplab/models/family"
	"dgplab/models/infer"
)

// presets returns the settings of the paper for a member with these hyperparameters. Settings not
// given in the paper keep their defaults.
func (m member) presets(list []family.Hyperparameter) []family.Preset {
	values := map[string]string{
		"epochs": "0", "steps": "20000", "early_stopping": "on", "validation": "0.1",
		"stop_overfitting": "off", "keep": "last", "validation_every": "10",
		"validation_samples": "5", "validation_points": "0", "test_samples": "100",
	}
	for _, h := range list {
		values[h.Name] = h.Default
	}
	values["noise_variance"] = "0.01"
	values["learning_rate"] = "0.005"
	values["schedule"] = string(infer.Stairs)
	values["decay_rate"] = "0.98"
	values["beta2"] = "0.999"
	if m.coupled {
		values["coupling_rate"] = "1"
	}
	if m.single { // the paper uses no validation split for the shallow GP
		values["early_stopping"], values["validation"] = "off", "0"
	}
	const source = paper + ", appendix G"
	presets := []family.Preset{{Name: "lindinger2020", Title: "settings of the paper",
		Source: source, Values: values}}
	if m.natgrad == none {
		return presets
	}
	natural := maps.Clone(values)
	natural["optimizer"], natural["natgrad_step"] = "natgrad", "0.005"
	natural["learning_rate"], natural["decay_rate"] = "0.001", "0.99"
	presets = append(presets, family.Preset{
		Name: "lindinger2020-natgrad", Title: "natural gradients of the paper",
		Source: source, Values: natural})
	if m.single {
		return presets
	}
	warm := maps.Clone(natural)
	if m.natgrad == joint {
		warm["natgrad_step"] = "0.001"
		warm["learning_rate"] = "0.002"
		warm["decay_rate"] = "0.95"
		warm["steps"], warm["warm_start"] = "7000", "mean-field"
	}
	return append(presets, family.Preset{
		Name: "lindinger2020-warm",
		Title: "natural-gradient protocol of the paper: fully-coupled starts from converged " +
			"mean-field", Source: source, Values: warm})
}
