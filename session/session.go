package session

import (
	"time"

	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/session/watch"
)

// State is the state of a run.
type State string

const (
	Preparing State = "preparing" // loading data, building the model
	Training  State = "training"
	Paused    State = "paused"
	Finishing State = "finishing" // evaluating on the test set, writing the summary
	Ended     State = "ended"     // see Snapshot.Stop
)

// Epochs returns the number of passes over the training data, and the maximum, or 0 if the length
// of the run is not given in epochs.
func (s *Snapshot) Epochs() (done float64, limit int) {
	if s.N > 0 {
		done = float64(s.Step) * float64(s.Batch) / float64(s.N)
	}
	return done, rundir.Epochs(s.Values)
}

// DriftText returns the verdict on the run in one line, with the trends that led to it. It is ""
// while there are too few report lines, and for a run that converged exactly.
func (s *Snapshot) DriftText() string {
	if s.Stop == rundir.StopConverged || s.State != Ended && !s.Drift.Measured() {
		return ""
	}
	return s.Drift.Text(s.ObjectiveIs.Name)
}

// Died reports whether a run ended without recording the reason. It is false for nil.
func (s *Snapshot) Died() bool {
	return s != nil && s.State == Ended && s.Stop == "" && s.Err == nil
}

// Snapshot is a consistent, immutable state of a run. Neither the trainer nor readers modify it
// after publication.
type Snapshot struct {
	ID    string
	State State
	Stop  rundir.Stop // set once Ended
	Err   error       // set if Stop is StopFailed
	rundir.Config
	// Values holds every hyperparameter of the family and the training.
	Values models.Values
	// The sizes of the data, once known. N is the number of training points.
	N, NumValidation, NumTest, D, P int
	Task                            task.Task
	// Uses describes the part of the data that the family is trained on, or "" for all.
	Uses                    string
	Parameters, Variational int

	Step, Steps    int // steps done, and the maximum; 0 while unknown
	Seconds        float64
	StepsPerSecond float64       // over the last few seconds of training; once Ended, over all of it
	Remaining      time.Duration // at that rate; 0 if unknown

	// Objective describes the objective, and Last holds the results of the last step.
	ObjectiveIs family.Objective
	Last        rundir.Point
	// Curve is bounded in memory. When it is full, neighbouring points are thinned. The points with
	// the smallest and the largest objective and validation value of each group are kept.
	Curve []rundir.Point
	// ValPoints is the number of validation points in each evaluation, out of NumValidation.
	ValPoints int
	// BestVal and BestStep are the highest validation log-likelihood so far and its step; for
	// samplers, the last one and its step. They are NaN and 0 before the first validation.
	BestVal  float64
	BestStep int
	// KeptStep is the step of the parameters that are the current result of the run and will be
	// scored: Step, or an earlier one with keep=best. It is 0 for a recorded run that has not
	// ended.
	KeptStep int
	// Batch is the number of training points per step; Step*Batch/N epochs are done. It is 0 for
	// families without batches and before N is known.
	Batch int
	// Diagnostics holds the last diagnostics; nil before the first. Record.Diagnostics reads the
	// stored diagnostics of a recorded run.
	Diagnostics *rundir.Diagnostics
	// Alarms holds the current alarms, oldest first. For a recorded run that has not ended they are
	// based on report lines only.
	Alarms []watch.Alarm
	// Drift is the drift over the last fifth of the steps; nil with too few report lines.
	Drift *rundir.Drift
	// DiagnosticsSeconds is the duration of all diagnostics, which is not part of Seconds.
	DiagnosticsSeconds float64
	Hyper              []models.Quantity
	Rescues            int // number of jitter rescues since the start
	// CheckpointStep is the step of the last checkpoint on disk, or -1 if there is none.
	CheckpointStep int
	// Notes describe how the data were read and how the model was built. Warnings describe problems
	// that did not end the run.
	Notes, Warnings []string
	// Test holds the scores on the test set with the parameters of TestStep. It is set at the end
	// or on request.
	Test     *rundir.Metrics
	TestStep int
	// Evaluation is the objective over all training points. It is set at the end or on request.
	Evaluation *rundir.Evaluation
	// Predictions holds the predictions of the test points at TestStep, thinned to at most 20,000
	// of Predictions.Of points. It is nil if Test is nil, and if the file of a recorded run cannot
	// be read.
	Predictions *rundir.Predictions
	// Summary is set once Ended.
	Summary *rundir.Summary
	// Dir is the run directory.
	Dir string
}
