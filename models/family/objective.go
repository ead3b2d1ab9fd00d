package family

import (
	"slices"

	"dgplab/models/infer"
)

// Objective describes the quantity that a family maximises and names its terms.
type Objective struct {
	// Name is shown to users, for example "ELBO" or "log marginal likelihood".
	Name string        `json:"name"`
	Kind ObjectiveKind `json:"kind"`
	// Noisy reports whether the objective is estimated from a minibatch or from random draws.
	Noisy bool `json:"noisy"`
	// Monotone reports whether no step lowers the objective beyond rounding. It is false for noisy
	// objectives.
	Monotone bool `json:"monotone,omitempty"`
	// Terms names the entries of Report.Terms.
	Terms []Reading `json:"terms"`
	// Gauges names the entries of Report.Gauges, the readings of the method.
	Gauges []Reading `json:"gauges"`
	// Prior is the text of the priors whose log density is part of the objective, or "".
	Prior string `json:"prior,omitempty"`
}

// LogPrior is the term of an objective for the log density of priors. The objective without priors is the
// difference of the objective and this term.
var LogPrior = Reading{Key: "log_prior", Name: "log prior"}

// MAP returns the objective to which the log density of the given priors is added.
func (o Objective) MAP(priors string) Objective {
	o.Name += " + log prior (MAP)"
	o.Terms = append(slices.Clone(o.Terms), LogPrior)
	o.Prior = priors
	return o
}

// Comparable reports whether two objectives can be ranked against each other.
func (o Objective) Comparable(other Objective) bool {
	return o.Kind == other.Kind && o.Name == other.Name && o.Prior == other.Prior
}

// Sampled reports whether training draws samples from a posterior. The objective then does not
// improve over a run, and predictions average over the kept samples.
func (o Objective) Sampled() bool { return o.Kind == LogJoint }

// Reading describes a number that training reports.
type Reading = infer.Reading

// Gauges shared by several methods.
var (
	LearningRate = infer.LearningRate
	GradientNorm = infer.GradientNorm
)

// Terms shared by the objectives of several families.
var (
	ExpectedLogLik = Reading{Key: "expected_log_lik", Name: "expected log-likelihood"}
	KL             = Reading{Key: "kl", Name: "KL"}
	DataFit        = Reading{Key: "data_fit", Name: "data fit"}
	Complexity     = Reading{Key: "complexity", Name: "complexity"}
)

// ObjectiveKind classifies objectives. Objectives of different kinds are not comparable.
type ObjectiveKind string

const (
	// Bound is a lower bound on the log evidence.
	Bound ObjectiveKind = "bound"
	// Surrogate is an objective that replaces a bound without being one.
	Surrogate ObjectiveKind = "surrogate"
	// Energy is an approximation of the log evidence that can be above or below it.
	Energy ObjectiveKind = "energy"
	// LogJoint is the log density of data and parameters at the current sample.
	LogJoint ObjectiveKind = "log-joint"
	// Evidence is the log evidence of the model or of an approximation of the model.
	Evidence ObjectiveKind = "evidence"
)

// MinibatchObjective returns an objective that Adam maximises on minibatches. Its terms are the
// given first term and the KL.
func MinibatchObjective(name string, kind ObjectiveKind, first infer.Reading) Objective {
	return Objective{
		Name: name, Kind: kind, Noisy: true,
		Terms:  []infer.Reading{first, KL},
		Gauges: []infer.Reading{infer.LearningRate, infer.GradientNorm},
	}
}
