package rundir

// AlarmKind is the kind of an alarm.
type AlarmKind string

const (
	AlarmNonFinite  AlarmKind = "non-finite" // NaN or Inf
	AlarmObjective  AlarmKind = "objective"  // the objective diverges
	AlarmFall       AlarmKind = "fall"       // a monotone objective has fallen
	AlarmValidation AlarmKind = "validation" // the validation log-likelihood has fallen; see Fall
	AlarmCollapse   AlarmKind = "collapse"   // a layer has collapsed to its mean function
	AlarmPrior      AlarmKind = "prior"      // the posterior has collapsed to the prior
	AlarmInducing   AlarmKind = "inducing"   // amortized inducing points have degenerated to a subspace
	AlarmMixing     AlarmKind = "mixing"     // chains have not mixed, or their effective sample sizes are low
	AlarmRescues    AlarmKind = "rescues"    // jitter is needed continually
	AlarmScore      AlarmKind = "score"      // worse than the linear model, or coverage of all or nothing
)

// Alarm reports a problem of a run. Package watch raises alarms. They are robust against noise: each needs
// evidence from several report lines or diagnostics, and clearing has a stricter threshold than raising. The
// alarm about scores belongs to one evaluation.
type Alarm struct {
	Kind AlarmKind `json:"kind"`
	// Since is the step at which the problem began.
	Since int `json:"since"`
	// Text describes the problem in one line.
	Text string `json:"text"`
}
