package likelihood

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/datasets/task"
)

// likelihoods lists the likelihoods; the first one of a task is its default. To add one, write its
// file and add it here.
var likelihoods = []Declaration{
	gaussian, studentT, heteroscedastic, poisson, negativeBinomial, probit, logit, argmax, robustMax, softmax,
}

// Auto is the name of the default likelihood of a task.
const Auto = "auto"

// Declaration describes a likelihood.
type Declaration struct {
	// Name is the identifier, Formula is p(y | f) as a formula of one line, and Use says in a few
	// words what it is for.
	Name, Formula, Use string
	// Tasks lists the tasks that it can be used for.
	Tasks []task.Task
	// New returns the likelihood.
	New func(Setup) Likelihood
}

// Setup holds the settings and the starts of a likelihood.
type Setup struct {
	// Noise is the initial variance of noise, in standardised units.
	Noise float64
	// Classes is the number of classes of a multiclass task.
	Classes int
	// Epsilon is the error rate of robustmax.
	Epsilon float64
	// Targets holds the training targets.
	Targets []float64
}

// Usual returns the name of the default likelihood of each task.
func Usual() (names []string) {
	for _, t := range task.All() {
		names = append(names, Default(t).Name)
	}
	return names
}

// Default returns the default likelihood of a task.
func Default(t task.Task) Declaration {
	return likelihoods[slices.IndexFunc(likelihoods, func(d Declaration) bool {
		return slices.Contains(d.Tasks, t)
	})]
}

// Names returns Auto and the names of the likelihoods.
func Names() []string {
	names := []string{Auto}
	for _, d := range likelihoods {
		names = append(names, d.Name)
	}
	return names
}

// Find returns the likelihood with the given name for a task. It returns an error if it does not
// exist or is for other targets.
func Find(name string, t task.Task) (d Declaration, err error) {
	var of []string
	for _, d := range likelihoods {
		if !slices.Contains(d.Tasks, t) {
			continue
		}
		if name == d.Name || name == Auto {
			return d, nil
		}
		of = append(of, d.Name)
	}
	return d, fmt.Errorf("want %s, which apply to %s", strings.Join(of, ", "), t.Targets())
}
