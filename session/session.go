package session

import (
	"time"

	"dgplab/models"
)

// Config is all that determines a run's numbers.
type Config struct {
	// Dataset is a catalogue name or the path of a CSV file.
	Dataset string `json:"dataset"`
	// Targets names or numbers the target columns of a file; empty means the last.
	Targets []string `json:"targets,omitempty"`
	// Split is "standard:K", "interpolation:SEED" or "extrapolation:SEED"; empty
	// means standard:0 where there are official splits, else interpolation:0.
	Split string `json:"split"`
	// Family is a name of models.Families.
	Family string `json:"family"`
	// Set holds hyperparameters that differ from their defaults, of the family and
	// of the training (see Hyperparameters).
	Set map[string]string `json:"set"`
	// Seed starts every random stream of the run.
	Seed uint64 `json:"seed"`
}

// State is where a run stands.
type State string

const (
	Preparing State = "preparing" // loading data, building the model
	Training  State = "training"
	Paused    State = "paused"
	Finishing State = "finishing" // evaluating on the test part, writing the summary
	Ended     State = "ended"     // see Stop
)

// Stop is why a run ended.
type Stop string

const (
	StopSteps  Stop = "steps"  // the number of steps was reached
	StopEarly  Stop = "early"  // the early-stopping rule
	StopAsked  Stop = "asked"  // a person or a signal asked
	StopFailed Stop = "failed" // see Snapshot.Err
)

// Word says in a word or two where a run stands that ended so.
func (s Stop) Word() string {
	switch s {
	case StopSteps:
		return "finished"
	case StopEarly:
		return "stopped early"
	case StopAsked:
		return "stopped"
	}
	return "failed"
}

// Point is one report line: a step and what was measured there. A value that
// was not measured is NaN.
type Point struct {
	Step int `json:"step"`
	// Seconds is training time without pauses.
	Seconds        float64 `json:"seconds"`
	Objective      float64 `json:"objective"`
	ExpectedLogLik float64 `json:"expected_log_lik"`
	KL             float64 `json:"kl"`
	// ValLogLik is the mean validation log-likelihood in original units.
	ValLogLik float64 `json:"val_log_lik"`
	// GradientNorm is that of models.Report.
	GradientNorm float64 `json:"gradient_norm"`
	// Rescues counts the jitter rescues since the start.
	Rescues int `json:"rescues"`
}

// Snapshot is one consistent, immutable state of a run. Nothing in it is
// written after it was published: readers must not write either.
type Snapshot struct {
	ID    string
	State State
	Stop  Stop  // set once Ended
	Err   error // set when Stop is StopFailed
	Config
	// Values holds every hyperparameter of the family and the training.
	Values models.Values
	// Sizes, once known. N counts the training points.
	N, NumValidation, NumTest, D, P int
	Task                            models.Task
	Parameters, Variational         int

	Step, Steps    int // done, and the most there will be
	Seconds        float64
	StepsPerSecond float64       // over the last few seconds of training; once Ended, over all of it
	Remaining      time.Duration // at that rate; 0 when not known

	Last models.Report
	// Curve is bounded in memory whatever the number of steps: when it is full,
	// neighbouring points are thinned so that those with the least and greatest
	// objective and validation value of each group survive.
	Curve []Point
	// ValPoints is the number of validation points in each evaluation, of NumValidation.
	ValPoints int
	// BestVal and BestStep are the highest validation log-likelihood so far; NaN
	// and 0 before the first.
	BestVal  float64
	BestStep int
	// Batch is the number of training points of a step, so that Step*Batch/N epochs
	// are done; 0 for a family that has no batches, or before N is known.
	Batch int
	// Diagnostics is nil until first made; each is for one step.
	Diagnostics *Diagnostics
	// Health is that of Diagnostics: nil until first made, and for a family that has
	// none. What was stored of a recorded run is read by Record.Diagnostics.
	Health *Health
	// Alarms say what goes wrong at present, the oldest first. Those of a recorded
	// run are of its report lines alone.
	Alarms []Alarm
	// DiagnosticsSeconds is what all diagnostics have cost; not part of Seconds.
	DiagnosticsSeconds float64
	Hyper              []models.Quantity
	Rescues            int // jitter rescues since the start
	// CheckpointStep is the step of the last checkpoint on disk, -1 if none.
	CheckpointStep int
	Warnings       []string
	// Test is set when the run has been evaluated on its test part, as the model was
	// at TestStep: at the end, or on request.
	Test     *Metrics
	TestStep int
	// Predictions are those of the test points at TestStep, thinned to at most
	// 20,000 (Of says of how many); nil where Test is, and for runs that an older
	// version evaluated.
	Predictions *Predictions
	// Summary is set once Ended.
	Summary *Summary
	// Dir is the run directory.
	Dir string
}

// Diagnostics is what the model looks like at one step.
type Diagnostics struct {
	Step       int
	Seconds    float64 // what it cost
	Covariance *models.BlockMap
	Layers     []models.LayerSamples
	Health     *Health
}

// Health says how sound the arithmetic of the model was at one step.
type Health struct {
	Step int
	models.HealthReport
}

// Metrics are the scores on a test part, in original units.
type Metrics struct {
	// N is the number of test points, Samples the number of samples of each.
	N       int     `json:"n"`
	Samples int     `json:"samples"`
	LogLik  float64 `json:"log_lik"`
	NLL     float64 `json:"nll"`
	// Regression.
	RMSE     *float64           `json:"rmse,omitempty"`
	CRPS     *float64           `json:"crps,omitempty"`
	Coverage map[string]float64 `json:"coverage,omitempty"` // keys "50", "90", "95"
	// Classes.
	ErrorRate *float64 `json:"error_rate,omitempty"`
	Accuracy  *float64 `json:"accuracy,omitempty"`
	LogLoss   *float64 `json:"log_loss,omitempty"`
}
