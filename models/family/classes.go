package family

import (
	"dgplab/datasets/task"
	"dgplab/models/likelihood"
)

// ClassesHyperparameters returns the hyperparameters of the likelihoods for more than two classes.
func ClassesHyperparameters() []Hyperparameter {
	return []Hyperparameter{
		{Name: "likelihood", Section: ModelSection, Kind: Choice, Default: "argmax",
			Source: "Girolami, Rogers 2006", Choices: likelihood.ClassesNames(),
			Help: "likelihood for more than two classes: argmax (largest latent function plus noise, " +
				"probit), robustmax (largest latent function with a fixed error rate, as in GPflow) or " +
				"softmax"},
		{Name: "epsilon", Section: ModelSection, Kind: Float, Default: "1e-3", Source: "GPflow's RobustMax",
			Min: 1e-10, Max: 0.5, When: &Condition{Name: "likelihood", Is: []string{"robustmax"}},
			Help: "error rate of robustmax (more than two classes)"},
	}
}

// Likelihood returns the likelihood of the targets. v must contain the values of
// ClassesHyperparameters.
func (d Data) Likelihood(v Values) (likelihood.Likelihood, error) {
	switch d.Task {
	case task.Binary:
		return likelihood.NewBernoulli(), nil
	case task.Multiclass:
		return likelihood.NewClasses(v.Text("likelihood"), d.Classes, v.Float("epsilon"))
	}
	return likelihood.Gaussian{}, nil
}

// Latents returns the number of latent functions of the targets: one per class or per target.
func (d Data) Latents() int {
	if d.Task == task.Multiclass {
		return d.Classes
	}
	_, p := d.Y.Dims()
	return p
}
