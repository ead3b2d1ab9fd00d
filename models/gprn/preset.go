package gprn

import "dgplab/models/family"

// presets returns the settings of the authors' code for a family with these hyperparameters
// (github.com/trungngv/gprn: mf_train.m, npv_train.m, hyp_init.m, demo.m). The authors' code draws
// lengthscales from exp(U(0, 1)) and the standard deviation of the noise from U(0, 1); the preset
// uses the medians. The authors' code alternates between the posterior, the kernels and the noise,
// each for up to 200 iterations of L-BFGS, at most 100 times, until the bound changes by less than
// 1e-5. Other settings keep their defaults.
func presets(list []family.Hyperparameter) []family.Preset {
	const lengthscale = "1.6487" // exp(1/2)
	values := map[string]string{
		"early_stopping": "off", "validation": "0",
		"stop_overfitting": "off", "keep": "last", "validation_every": "10",
		"validation_samples": "5", "validation_points": "0", "test_samples": "100",
	}
	for _, h := range list {
		values[h.Name] = h.Default
	}
	values["latents"], values["restarts"], values["noise_variance"] = "1", "1", "0.25"
	values["latent_lengthscale"], values["weight_lengthscale"] = lengthscale, lengthscale
	// This is a change of 1e-5 relative to a bound of a few hundred, as on the data sets of the
	// paper.
	values["ftol"] = "1e-8"
	if _, ok := values["hyper_every"]; ok {
		values["hyper_every"], values["hyper_steps"], values["steps"] = "1", "200", "100"
	} else {
		values["hyper_after"], values["steps"], values["jitter"] = "200", "20000", "1e-6"
	}
	return []family.Preset{{Name: "nguyen2013",
		Title: "settings of the authors' code, with medians for its random values", Source: authors,
		Values: values}}
}
