package session

import (
	"time"

	"dgplab/session/rundir"
)

// DriftText returns the verdict on the run in one line, with the underlying trends. It returns "" while there
// are too few report lines, and for a run that converged exactly.
func (s *Snapshot) DriftText() string {
	if s.Stop == rundir.StopConverged || s.State.Going() && !s.Drift.Measured() {
		return ""
	}
	return s.Drift.Text(s.ObjectiveIs.Name)
}

// Info returns what a list says about the run, without the user's notes.
func (s *Snapshot) Info() rundir.Info {
	return rundir.Info{
		ConfigFile: rundir.ConfigFile{
			ID: s.ID, Created: s.Created, Config: s.Config, Values: s.Values, ObjectiveIs: s.ObjectiveIs,
			Data: s.Data, WarmStart: s.WarmStart, Adapted: s.Adapted,
		},
		Dir: s.Dir, State: s.State, Err: s.Err, Step: s.Step, Steps: s.Steps, Results: &s.Summary,
	}
}

// Snapshot is a consistent state of a run. It is immutable after publication.
type Snapshot struct {
	// Summary holds the configuration and the results so far. Alarms of a recorded run that has not ended
	// are based on report lines only. KeptStep is the step of the parameters that are the current result
	// of the run and will be scored, 0 for a recorded run that has not ended. StepsPerSecond is the speed
	// over the last few seconds of training and, at the end, over all of it.
	rundir.Summary
	// Created, WarmStart and Adapted are those of the configuration file.
	Created   time.Time
	WarmStart *rundir.WarmStart
	Adapted   []rundir.Adaptation
	State     rundir.State
	Err       error // set if Stop is StopFailed, and if the run is Broken
	// Steps is the maximum number of steps, and Remaining is the time until the end of the run or of its
	// rung. They are 0 while unknown.
	Steps     int
	Remaining time.Duration
	// DecayAfter is the last step before the learning rate falls to its end. It is 0 for runs without such a
	// schedule and for recorded runs.
	DecayAfter int
	// Last holds the results of the last step.
	Last rundir.Point
	// Curve is bounded in memory. When it is full, neighbouring points are thinned. The points with
	// the smallest and the largest objective and validation value of each group are kept.
	Curve []rundir.Point
	// ValPoints is the number of points in each validation, a subset of Data.Validation.
	ValPoints int
	// Diagnostics holds the last diagnostics and is nil before the first. For a recorded run,
	// rundir.Info.Diagnostics reads them from the run directory.
	Diagnostics *rundir.Diagnostics
	// DiagnosticsSeconds is the duration of all diagnostics. Seconds does not include it.
	DiagnosticsSeconds float64
	// CheckpointStep is the step of the last checkpoint on disk, or -1 if there is none.
	CheckpointStep int
	// TestStep is the step of the parameters that Test scores. The test set is scored at the end or on
	// request.
	TestStep int
	// Predictions holds the predictions of the test points at TestStep, thinned to at most 20,000 of
	// Predictions.Of points. It is nil if Test is nil or if the file of a recorded run cannot be read.
	Predictions *rundir.Predictions
	// LeftOut holds the leave-one-out predictions of training points. It is nil under the same conditions
	// for Summary.LeaveOneOut.
	LeftOut *rundir.Predictions
}
