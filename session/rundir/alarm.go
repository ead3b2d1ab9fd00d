package rundir

// AlarmKind says what an alarm is about.
type AlarmKind string

// Alarm is one thing that goes wrong in a run.
type Alarm struct {
	Kind AlarmKind `json:"kind"`
	// Since is the step at which it began.
	Since int `json:"since"`
	// Text is one line for people.
	Text string `json:"text"`
}
