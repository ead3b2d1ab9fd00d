package family

// Objective says what a family maximises and what its parts are called.
type Objective struct {
	// Name is what people read, for example "ELBO" or "log marginal likelihood".
	Name string
	Kind ObjectiveKind
	// Noisy says that it is estimated from a minibatch or from draws.
	Noisy bool
	// Terms names the parts that Report.Terms holds, for example "expected
	// log-likelihood" and "KL".
	Terms []string
	// Gauges names the readings that Report.Gauges holds, for example "learning
	// rate", in whatever units they have.
	Gauges []string
}

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
