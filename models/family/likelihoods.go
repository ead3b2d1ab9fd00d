package family

import (
	"errors"
	"strings"

	"dgplab/datasets/task"
	"dgplab/models/likelihood"
)

// likelihoodSetting is the name of the hyperparameter that selects the likelihood.
const likelihoodSetting = "likelihood"

// ConjugateLikelihoods lists the likelihoods of families that match moments in closed form.
var ConjugateLikelihoods = []string{likelihood.Auto, "gaussian", "probit", "argmax", "robustmax", "softmax"}

// LikelihoodHyperparameters returns the hyperparameters that select the likelihood.
func LikelihoodHyperparameters() []Hyperparameter {
	return []Hyperparameter{
		{Name: likelihoodSetting, Section: ModelSection, Kind: Choice, Default: likelihood.Auto,
			Choices: likelihood.Names(),
			Help: "distribution of the targets given the functions; auto: " +
				strings.Join(likelihood.Usual(), ", ") + ", depending on the task"},
		{Name: "epsilon", Section: ModelSection, Kind: Float, Default: "1e-3", Source: "GPflow's RobustMax",
			Min: 1e-10, Max: 0.5, When: &Condition{Name: likelihoodSetting, Is: []string{"robustmax"}},
			Help: "error rate of robustmax (more than two classes)"},
	}
}

// Likelihood returns the likelihood of the targets. noise is the initial variance of noise, or of its learned
// part. With known noise or weights, it is Gaussian.
func (d Data) Likelihood(v Values, noise float64) (likelihood.Likelihood, error) {
	l, err := newLikelihood(v, d.Task, d.setup(noise))
	gaussian, is := l.(likelihood.Gaussian)
	if err != nil || d.Noise == nil && d.Weights == nil {
		return l, err
	}
	if !is {
		return nil, errors.New("only a Gaussian likelihood can have a known noise or weights of rows")
	}
	gaussian.Known = d.Noise != nil && !d.LearnedNoise
	return gaussian, nil
}

// DefaultLikelihood returns the default likelihood of the task. noise is the initial variance of noise.
func (d Data) DefaultLikelihood(noise float64) likelihood.Likelihood {
	return likelihood.Default(d.Task).New(d.setup(noise))
}

func (d Data) setup(noise float64) likelihood.Setup {
	return likelihood.Setup{Noise: noise, Classes: d.Classes, Targets: d.Y.RawMatrix().Data}
}

func newLikelihood(v Values, t task.Task, setup likelihood.Setup) (likelihood.Likelihood, error) {
	name := likelihood.Auto
	if _, has := v[likelihoodSetting]; has {
		name = v.Text(likelihoodSetting)
		setup.Epsilon = v.Float("epsilon")
	}
	of, err := likelihood.Find(name, t)
	if err != nil {
		return nil, &ValueError{Name: likelihoodSetting, Value: name, Want: err.Error()}
	}
	return of.New(setup), nil
}

// Latents returns the number of latent functions of the targets.
func (d Data) Latents(v Values) (int, error) {
	_, p := d.Y.Dims()
	return Latents(v, d.Task, p, d.Classes)
}

// Latents returns the number of latent functions of targets of a task with the given number of
// classes.
func Latents(v Values, t task.Task, targets, classes int) (int, error) {
	l, err := newLikelihood(v, t, likelihood.Setup{Noise: 1, Classes: classes})
	if err != nil {
		return 0, err
	}
	return targets * l.Latents(), nil
}

// LikelihoodQuantities returns the parameters of a likelihood, given their values.
func LikelihoodQuantities(l likelihood.Likelihood, values []float64) (list []Quantity) {
	for i, p := range l.Parameters() {
		list = append(list, Quantity{Name: p.FullName(), Value: []float64{values[i]}})
	}
	return list
}
