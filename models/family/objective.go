package family

import "dgplab/models/infer"

// Objective says what a family maximises and what its parts are called.
type Objective struct {
	// Name is what people read, for example "ELBO" or "log marginal likelihood".
	Name string        `json:"name"`
	Kind ObjectiveKind `json:"kind"`
	// Noisy says that it is estimated from a minibatch or from draws.
	Noisy bool `json:"noisy"`
	// Monotone says that no step lowers it beyond rounding, which nothing noisy can say.
	Monotone bool `json:"monotone,omitempty"`
	// Terms names the parts that Report.Terms holds.
	Terms []Reading `json:"terms"`
	// Gauges names the readings that Report.Gauges holds, those of the method.
	Gauges []Reading `json:"gauges"`
}

// Comparable says whether values of both mean the same.
func (o Objective) Comparable(other Objective) bool { return o.Kind == other.Kind && o.Name == other.Name }

// Sampled says that training draws from a posterior: its end is not better than its
// beginning by this objective, and predictions average over what was kept.
func (o Objective) Sampled() bool { return o.Kind == LogJoint }

// Reading names a number that training reports.
type Reading = infer.Reading

// Gauges of several methods.
var (
	LearningRate = infer.LearningRate
	GradientNorm = infer.GradientNorm
)

// Parts of the objective that several families have.
var (
	ExpectedLogLik = Reading{Key: "expected_log_lik", Name: "expected log-likelihood"}
	KL             = Reading{Key: "kl", Name: "KL"}
	DataFit        = Reading{Key: "data_fit", Name: "data fit"}
	Complexity     = Reading{Key: "complexity", Name: "complexity"}
)

// ObjectiveKind says what an objective means. Objectives of different kinds are
// never compared.
type ObjectiveKind string

const (
	// Bound is a lower bound on the log evidence.
	Bound ObjectiveKind = "bound"
	// Surrogate is an objective that stands in for a bound without being one.
	Surrogate ObjectiveKind = "surrogate"
	// Energy is an approximation of the log evidence that may lie on either side.
	Energy ObjectiveKind = "energy"
	// LogJoint is the log density of data and parameters at the present sample.
	LogJoint ObjectiveKind = "log-joint"
	// Evidence is the log evidence itself, of the model or of an approximate one.
	Evidence ObjectiveKind = "evidence"
)

// MinibatchObjective returns an objective that Adam climbs, minibatch by minibatch: the first of
// its terms less the KL.
func MinibatchObjective(name string, kind ObjectiveKind, first infer.Reading) Objective {
	return Objective{
		Name: name, Kind: kind, Noisy: true,
		Terms:  []infer.Reading{first, KL},
		Gauges: []infer.Reading{infer.LearningRate, infer.GradientNorm},
	}
}
