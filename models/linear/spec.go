// Package linear is Bayesian linear regression, whose evidence is in closed form, and
// its counterpart for classes by Laplace's approximation: the baseline that a deeper
// model has to beat.
//
//	points            inputs, tile by tile, with the constant one
//	rowSpace          inputs that are more than the points, in coordinates that are fewer
//	regression        the evidence of real targets, and the posterior of their weights
//	classification    that of classes; link is what they are observed through
//	Families          the family, its hyperparameters and its model
package linear

import (
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/view"
)

// Families returns the linear model.
func Families() []family.Spec {
	const why = "an iteration takes all data and searches a line; a dozen are enough"
	return []family.Spec{{
		Name: "linear", Title: "Bayesian linear regression", Group: "baselines",
		Summary: "a plane with noise, precision of the weights and noise by their evidence, in " +
			"milliseconds: what a deep GP has to beat",
		Source:    "MacKay 1992; Bishop 2006, section 3.5",
		Objective: objective(),
		Accepts: family.Accepts{
			Regression: true,
			Binary:     true,
			Multiclass: true,
			Outputs:    true,
			Missing:    true,
		},
		Hyperparameters: hyperparameters(),
		Training: family.WithoutValidation(map[string]family.Default{
			"steps":            {Value: "200", Source: why},
			"metrics_every":    {Value: "1", Source: why},
			"checkpoint_every": {Value: "100", Source: why},
		}, "the evidence needs no part of the data to be held out"),
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

// objective is the evidence, that of Laplace's approximation for classes.
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
			Help: "a constant input beside the others, with the same prior of its weight"},
		{Name: "precision", Section: family.ModelSection, Kind: family.Float, Default: "1", Min: 1e-4,
			Max: 1e6, Help: "precision of the weights at the start, standardised units"},
		{Name: "noise_variance", Section: family.ModelSection, Kind: family.Float, Default: "0.1", Min: 1e-5,
			Max: 100, Help: "Gaussian noise variance at the start, standardised units"},
	}, family.ConvergenceHyperparameters()...)
}

// size implements family.Spec.Size. A step of regression is a sum over inputs; one of
// classes depends on how far the mode is.
func size(_ family.Values, n, d, p int) (family.Size, error) {
	inputs, across := d+1, 0
	if n < inputs {
		across = (3*n + view.GridPoints) * inputs
		inputs = n + 1
	}
	weights := float64(p * inputs)
	points := float64(n)
	return family.Size{
		Parameters: 2 * p, // the precision and the noise of each target
		// Matrices of all weights, a tile of points with them, the points' latent functions
		// with their derivatives, and what leads to the row space.
		Memory: 8 * (2.5*weights*weights + tile*(weights+float64(inputs+p*p)) + 4*points*float64(p) +
			float64(across)),
	}, nil
}
