// Package linear implements Bayesian linear regression, whose evidence has a closed form, and
// Bayesian linear classification with Laplace's approximation. It is the baseline for deeper
// models.
//
//	points            inputs in tiles, with the constant input
//	rowSpace          reduced coordinates if there are more inputs than points
//	regression        the evidence of real targets and the posterior of the weights
//	classification    the evidence of classes, observed through a link
//	Families          the family, its hyperparameters and its model
package linear

import (
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/view"
)

// Families returns the linear model.
func Families() []family.Spec {
	const why = "each iteration uses all data with a line search; about a dozen suffice"
	return []family.Spec{{
		Name: "linear", Title: "Bayesian linear regression", Group: "baselines",
		Summary: "linear model with Gaussian noise, fitted by maximising the evidence in milliseconds: the " +
			"baseline for deep GPs",
		Source:    "MacKay 1992; Bishop 2006, section 3.5",
		Objective: objective(),
		Accepts: family.Accepts{
			Regression: true,
			Binary:     true,
			Multiclass: true,
			Outputs:    true,
			Missing:    true,
			Weights:    true,
		},
		Seedless:        true,
		Hyperparameters: hyperparameters(),
		Absent: map[string]string{
			"likelihood": "the evidence has a closed form for Gaussian noise, " +
				"and an approximation for classes",
			"kernel": "the functions are linear; a GP with kernel=linear has other settings",
		},
		Training: family.WithoutValidation(map[string]family.Default{
			"steps":            {Value: "200", Source: why},
			"metrics_every":    {Value: "1", Source: why},
			"checkpoint_every": {Value: "100", Source: why},
		}, "the evidence needs no held-out data"),
		Size: size,
		New: func(v family.Values, data family.Data, _ uint64) (family.Model, error) {
			model, err := build(v, data)
			if err != nil {
				return nil, err
			}
			return model, nil
		},
	}}
}

// objective returns the evidence; for classes it is the Laplace approximation.
func objective() family.Objective {
	return family.Objective{
		Name: "log marginal likelihood", Kind: family.Evidence, Monotone: true,
		Terms:  []infer.Reading{family.DataFit, family.Complexity},
		Gauges: (*infer.LBFGS)(nil).Gauges(),
	}
}

func hyperparameters() []family.Hyperparameter {
	return append([]family.Hyperparameter{
		{Name: "intercept", Section: family.ModelSection, First: true, Kind: family.Bool, Default: "on",
			Help: "add a constant input whose weight has the same prior"},
		{Name: "precision", Section: family.ModelSection, Kind: family.Float, Default: "1", Min: 1e-4,
			Max: 1e6, Help: "initial precision of the weights, standardised units"},
		{Name: "noise_variance", Section: family.ModelSection, Kind: family.Float, Default: "0.1", Min: 1e-5,
			Max: 100, Help: "initial Gaussian noise variance, in standardised units"},
	}, family.ConvergenceHyperparameters()...)
}

// size implements family.Spec.Size. It leaves the operations of a step unknown, because
// classification takes a variable number of Newton steps.
func size(_ family.Values, n, d, p int) (family.Size, error) { return sizeOf(n, d, p), nil }

func sizeOf(n, d, p int) family.Size {
	inputs, across := d+1, 0
	if n < inputs {
		across = (3*n + view.GridPoints) * inputs
		inputs = n + 1
	}
	weights := float64(p * inputs)
	points := float64(n)
	return family.Size{
		Parameters: 2 * p, // the precision and the noise of each target
		// Classes take some 50 Newton steps in all, and a core does a billion operations per second.
		Seconds: 1e-3 + 50e-9*(points+weights)*weights*weights,
		// Memory holds matrices over all weights, a tile of points times the weights, the latent
		// functions of the points and their derivatives, and the mapping to the row space.
		Memory: 8 * (2.5*weights*weights + tile*(weights+float64(inputs+p*p)) + 4*points*float64(p) +
			float64(across)),
	}
}
