package metric

import (
	"math"
	"time"

	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
)

// Run is a read-only view of a run: of its directory, of a run in training, or only of its summary
// or scores. Columns, queries, comparisons and tables read runs through it. It refers to the run and
// copies nothing, so it is cheap to create and to pass. The zero Run has no values.
type Run struct {
	// At most one of them is set, except that info comes with its summary.
	info     *rundir.Info
	snapshot *session.Snapshot
	summary  *rundir.Summary
	scores   *rundir.Metrics
}

// OfInfo returns the view of a run directory. The values come from the summary, or from the last
// report line if there is no summary.
func OfInfo(i *rundir.Info) Run { return Run{info: i, summary: i.Summary} }

// OfSummary returns the view of a summary, which may be nil.
func OfSummary(s *rundir.Summary) Run { return Run{summary: s} }

// OfSnapshot returns the view of a snapshot of a run in training, which may be nil.
func OfSnapshot(s *session.Snapshot) Run { return Run{snapshot: s} }

// OfScores returns the view of scores without a run, for example the scores of one output or of a
// file.
func OfScores(m *rundir.Metrics) Run { return Run{scores: m} }

// ID returns the ID of the run, or "" if it is unknown.
func (r Run) ID() string {
	switch {
	case r.info != nil:
		return r.info.ID
	case r.snapshot != nil:
		return r.snapshot.ID
	case r.summary != nil:
		return r.summary.ID
	}
	return ""
}

// Label returns the name of the run, or its ID if it has no name.
func (r Run) Label() string {
	if name := r.notes().Name; name != "" {
		return name
	}
	return r.ID()
}

var (
	noNotes  rundir.Notes
	noConfig rundir.Config
)

// notes returns the user's notes, which only run directories have.
func (r Run) notes() *rundir.Notes {
	if r.info == nil {
		return &noNotes
	}
	return &r.info.Notes
}

// config returns the configuration. It has no family if it is unknown.
func (r Run) config() *rundir.Config {
	switch {
	case r.info != nil:
		return &r.info.Config
	case r.snapshot != nil:
		return &r.snapshot.Config
	case r.summary != nil:
		return &r.summary.Config
	}
	return &noConfig
}

// Setting returns the value of a hyperparameter, or "" if the run does not have it.
func (r Run) Setting(name string) string {
	switch {
	case r.info != nil:
		return r.info.Values[name]
	case r.snapshot != nil:
		return r.snapshot.Values[name]
	case r.summary != nil:
		return r.summary.Values[name]
	}
	return ""
}

// Created returns the start time, or the zero time if it is unknown.
func (r Run) Created() time.Time {
	if r.info == nil {
		return time.Time{}
	}
	return r.info.Created
}

// State returns the state of the run for users, in one or two words. For an ended run it is the
// reason why it ended.
func (r Run) State() string {
	switch {
	case r.info != nil:
		return r.info.Status()
	case r.snapshot != nil:
		return stateOf(r.snapshot)
	case r.summary != nil:
		return r.summary.Stop.Word()
	}
	return string(session.Preparing)
}

// stateOf returns the state of a run in training. The words are the same as in lists of runs, with
// the addition of preparing, paused and finishing.
func stateOf(s *session.Snapshot) string {
	switch {
	case s.State == session.Training:
		return string(rundir.Running)
	case s.Died():
		return string(rundir.Interrupted)
	case s.State == session.Ended:
		return s.Stop.Word()
	}
	return string(s.State)
}

// end returns the summary, or nil while there is none.
func (r Run) end() *rundir.Summary {
	if r.snapshot != nil {
		return r.snapshot.Summary
	}
	return r.summary
}

// ended reports whether the run has ended and recorded the reason.
func (r Run) ended() bool {
	switch {
	case r.info != nil:
		return r.info.State == rundir.Ended
	case r.snapshot != nil:
		return r.snapshot.State == session.Ended && !r.snapshot.Died()
	}
	return r.summary != nil
}

// Step returns the number of steps done.
func (r Run) Step() int {
	switch {
	case r.summary != nil:
		return r.summary.Step
	case r.snapshot != nil:
		return r.snapshot.Step
	case r.info != nil:
		return r.info.Step
	}
	return 0
}

// Steps returns the limit of steps, or 0 while it is unknown.
func (r Run) Steps() int {
	switch {
	case r.info != nil:
		return r.info.Steps
	case r.snapshot != nil:
		return r.snapshot.Steps
	}
	return 0
}

// last returns the last report line, or nil if there is none or a summary replaces it.
func (r Run) last() *rundir.Point {
	switch {
	case r.summary != nil:
	case r.snapshot != nil:
		return &r.snapshot.Last
	case r.info != nil && r.info.Last.Step > 0:
		return &r.info.Last
	}
	return nil
}

// Is describes the objective. It has no name while the objective is unknown.
func (r Run) Is() family.Objective {
	switch {
	case r.summary != nil:
		return r.summary.ObjectiveIs
	case r.snapshot != nil:
		return r.snapshot.ObjectiveIs
	case r.last() != nil:
		return r.info.ObjectiveIs
	}
	return family.Objective{}
}

// objective returns the objective at the last step, or NaN if it is unknown.
func (r Run) objective() float64 {
	if r.summary != nil {
		return float64(r.summary.Objective)
	}
	if p := r.last(); p != nil {
		return p.Objective
	}
	return math.NaN()
}

// Terms returns the terms of the objective at the last step.
func (r Run) Terms() []rundir.Named {
	if r.summary != nil {
		return r.summary.Parts()
	}
	if p := r.last(); p != nil {
		return p.Named(r.Is().Terms)
	}
	return nil
}

// term returns the term of the objective with the given key, or NaN if there is none.
func (r Run) term(key string) float64 {
	if r.summary != nil {
		return r.summary.Term(key)
	}
	if p := r.last(); p != nil {
		return p.Reading(key)
	}
	return math.NaN()
}

// seconds returns the training time, or NaN if it is unknown.
func (r Run) seconds() float64 {
	switch {
	case r.summary != nil:
		return r.summary.Seconds
	case r.snapshot != nil && r.snapshot.Step > 0:
		return r.snapshot.Seconds
	case r.snapshot == nil && r.last() != nil:
		return r.last().Seconds
	}
	return math.NaN()
}

// stepsPerSecond returns the recent speed, or NaN if it is unknown.
func (r Run) stepsPerSecond() float64 {
	switch {
	case r.summary != nil:
		return float64(r.summary.StepsPerSecond)
	case r.snapshot != nil:
		return r.snapshot.StepsPerSecond
	}
	return math.NaN()
}

// bestValidation returns the best validation score. It returns false before the first validation.
func (r Run) bestValidation() (float64, bool) {
	switch {
	case r.summary != nil:
		return float64(r.summary.BestVal), r.summary.BestStep > 0
	case r.snapshot != nil:
		return r.snapshot.BestVal, r.snapshot.BestStep > 0
	}
	return math.NaN(), false
}

// Test returns the scores on the test set, or nil until the run is evaluated.
func (r Run) Test() *rundir.Metrics {
	switch {
	case r.summary != nil:
		return r.summary.Test
	case r.snapshot != nil:
		return r.snapshot.Test
	}
	return r.scores
}

// drift returns the drift of the last steps, or nil if there are too few reports.
func (r Run) drift() *rundir.Drift {
	switch {
	case r.summary != nil:
		return r.summary.Drift
	case r.snapshot != nil:
		return r.snapshot.Drift
	}
	return nil
}

// evaluation returns the objective over all points, or nil if it is unknown.
func (r Run) evaluation() *rundir.Evaluation {
	switch {
	case r.summary != nil:
		return r.summary.Evaluation
	case r.snapshot != nil:
		return r.snapshot.Evaluation
	}
	return nil
}

// chains returns the MCMC diagnostics, or nil for runs without chains.
func (r Run) chains() *view.ChainsSummary {
	switch {
	case r.summary != nil && r.summary.Chains != nil:
		return &r.summary.Chains.ChainsSummary
	case r.snapshot != nil && r.snapshot.Diagnostics != nil && r.snapshot.Diagnostics.Chains != nil:
		return r.snapshot.Diagnostics.Chains.Summary()
	}
	return nil
}

// uses describes the subset of the data used for training; "" means all of it.
func (r Run) uses() string {
	switch {
	case r.summary != nil:
		return r.summary.Data.Uses
	case r.snapshot != nil:
		return r.snapshot.Uses
	}
	return ""
}

// parameters returns the number of parameters, or 0 if it is unknown.
func (r Run) parameters() int {
	switch {
	case r.summary != nil:
		return r.summary.Parameters
	case r.snapshot != nil:
		return r.snapshot.Parameters
	}
	return 0
}

// rescues returns the number of jitter rescues.
func (r Run) rescues() int {
	switch {
	case r.summary != nil:
		return r.summary.Rescues
	case r.snapshot != nil:
		return r.snapshot.Rescues
	case r.last() != nil:
		return r.last().Rescues
	}
	return 0
}
