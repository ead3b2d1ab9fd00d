package amortized

import "dgplab/models/family"

// presets returns the paper's set of values for a family with these hyperparameters.
// What the paper does not say is as by default.
func presets(list []family.Hyperparameter) []family.Preset {
	values := map[string]string{
		"steps": "20000", "early_stopping": "off", "validation": "0.1", "validation_every": "100",
		"validation_samples": "32", "validation_points": "0", "test_samples": "32",
	}
	for _, h := range list {
		values[h.Name] = h.Default
	}
	return []family.Preset{{Name: "meng2024", Title: "the amortized paper's settings", Source: paper + ", appendix C.1", Values: values}}
}
