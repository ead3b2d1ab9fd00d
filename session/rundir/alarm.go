package rundir

// AlarmKind is the kind of an alarm.
type AlarmKind string

// Alarm reports a problem of a run.
type Alarm struct {
	Kind AlarmKind `json:"kind"`
	// Since is the step at which the problem began.
	Since int `json:"since"`
	// Text describes the problem in one line.
	Text string `json:"text"`
}
