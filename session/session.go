package session

import (
	"time"

	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/drift"
	"dgplab/session/rundir"
)

// State is where a run stands.
type State string

const (
	Preparing State = "preparing" // loading data, building the model
	Training  State = "training"
	Paused    State = "paused"
	Finishing State = "finishing" // evaluating on the test part, writing the summary
	Ended     State = "ended"     // see Stop
)

// Epochs returns how many passes over the training part were made, and how many there
// will be at most; that is 0 where the length of the run is not given in epochs.
func (s *Snapshot) Epochs() (done float64, limit int) {
	if s.N > 0 {
		done = float64(s.Step) * float64(s.Batch) / float64(s.N)
	}
	return done, rundir.Epochs(s.Values)
}

// DriftText returns the verdict on the run in one line: what still improves, or that it is
// settled. It is "" while a run has reported too little for any, and of a run that no further
// step would change.
func (s *Snapshot) DriftText() string {
	if s.Stop == rundir.StopConverged || s.State != Ended && !s.Drift.Measured() {
		return ""
	}
	return s.Drift.Text(s.Objective.Name)
}

// Snapshot is one consistent, immutable state of a run. Nothing in it is
// written after it was published: readers must not write either.
type Snapshot struct {
	ID    string
	State State
	Stop  rundir.Stop // set once Ended
	Err   error       // set when Stop is StopFailed
	rundir.Config
	// Values holds every hyperparameter of the family and the training.
	Values models.Values
	// Sizes, once known. N counts the training points.
	N, NumValidation, NumTest, D, P int
	Task                            task.Task
	// Uses says what of the data the family is trained on, "" for all.
	Uses                    string
	Parameters, Variational int

	Step, Steps    int // done, and the most there will be; 0 where that is not known yet
	Seconds        float64
	StepsPerSecond float64       // over the last few seconds of training; once Ended, over all of it
	Remaining      time.Duration // at that rate; 0 when not known

	// Objective is what is maximised, and Last what the last step said of it.
	Objective family.Objective
	Last      rundir.Point
	// Curve is bounded in memory whatever the number of steps: when it is full,
	// neighbouring points are thinned so that those with the least and greatest
	// objective and validation value of each group survive.
	Curve []rundir.Point
	// ValPoints is the number of validation points in each evaluation, of NumValidation.
	ValPoints int
	// BestVal and BestStep are the highest validation log-likelihood so far, or the last
	// one of samples of a posterior; NaN and 0 before the first.
	BestVal  float64
	BestStep int
	// KeptStep is the step whose parameters are the result of the run so far and are scored at
	// its end: Step, or an earlier one with keep=best. It is 0 for a recorded run that has not
	// ended.
	KeptStep int
	// Batch is the number of training points of a step, so that Step*Batch/N epochs
	// are done; 0 for a family that has no batches, or before N is known.
	Batch int
	// Diagnostics is nil until first made; each is for one step. What was stored of a
	// recorded run is read by Record.Diagnostics.
	Diagnostics *rundir.Diagnostics
	// Alarms say what goes wrong at present, the oldest first. Those of a recorded
	// run that has not ended are of its report lines alone.
	Alarms []Alarm
	// Drift is how fast the run changes over the last fifth of its steps; nil where too
	// little was reported.
	Drift *drift.Report
	// DiagnosticsSeconds is what all diagnostics have cost; not part of Seconds.
	DiagnosticsSeconds float64
	Hyper              []models.Quantity
	Rescues            int // jitter rescues since the start
	// CheckpointStep is the step of the last checkpoint on disk, -1 if none.
	CheckpointStep int
	// Notes say how the data were read and how the model came about, Warnings what is or
	// went wrong without ending the run.
	Notes, Warnings []string
	// Test is set when the run has been evaluated on its test part, as the model was
	// at TestStep: at the end, or on request.
	Test     *rundir.Metrics
	TestStep int
	// Evaluation is the objective over all training points, at its step: at the end, or on
	// request; nil before.
	Evaluation *rundir.Evaluation
	// Predictions are those of the test points at TestStep, thinned to at most
	// 20,000 (Of says of how many); nil where Test is, and for runs that an older
	// version evaluated.
	Predictions *rundir.Predictions
	// Summary is set once Ended.
	Summary *rundir.Summary
	// Dir is the run directory.
	Dir string
}
