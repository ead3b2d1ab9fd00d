package metric

import (
	"cmp"
	"math"

	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
)

// Run is a read-only view of a run directory, of a run in training, or only of a summary or of scores.
// Columns, queries, comparisons and tables read runs through it. It refers to the run and is cheap to create
// and to pass.
type Run struct {
	file    *rundir.ConfigFile // without a family if the configuration is unknown
	notes   *rundir.Notes
	state   string          // see State
	ended   bool            // The run has ended and recorded the reason.
	step    int             // the number of steps done
	steps   int             // the maximum number of steps, or 0 if it is unknown
	results *rundir.Summary // so far
	chains  *view.Chains    // of a run in training with chains
}

// unknown returns a run without values.
func unknown() Run {
	return Run{file: &noFile, notes: &noNotes, state: string(rundir.Preparing), results: &noResults}
}

var (
	noFile    rundir.ConfigFile
	noNotes   rundir.Notes
	noResults rundir.Summary
)

// OfInfo returns the view of a run directory.
func OfInfo(i *rundir.Info) Run {
	return Run{
		file: &i.ConfigFile, notes: &i.Notes, state: i.Status(), ended: i.State == rundir.Ended,
		step: i.Step, steps: i.Steps, results: cmp.Or(i.Results, &noResults),
	}
}

// OfSummary returns the view of a summary, which may be nil.
func OfSummary(s *rundir.Summary) Run {
	r := unknown()
	if s != nil {
		r.file = &rundir.ConfigFile{ID: s.ID, Config: s.Config, Values: s.Values}
		r.state, r.ended, r.step, r.results = s.Stop.Word(), true, s.Step, s
	}
	return r
}

// OfSnapshot returns the view of a snapshot of a run in training, which may be nil. The words for its state
// are the same as in lists of runs, and also preparing, paused and finishing.
func OfSnapshot(s *session.Snapshot) Run {
	if s == nil {
		return unknown()
	}
	r := OfSummary(&s.Summary)
	r.ended, r.steps = s.State == rundir.Ended, s.Steps
	if !r.ended {
		r.state = string(s.State)
	}
	if s.Diagnostics != nil {
		r.chains = s.Diagnostics.Chains
	}
	return r
}

// OfScores returns the view of scores without a run, for example the scores of a single output or of a file.
func OfScores(m *rundir.Metrics) Run {
	r := unknown()
	r.results = &rundir.Summary{Test: m}
	return r
}

// ID returns the ID of the run, or "" if it is unknown.
func (r Run) ID() string { return r.file.ID }

// Label returns the name of the run, or its ID if it has no name.
func (r Run) Label() string { return cmp.Or(r.notes.Name, r.file.ID) }

// State returns the state of the run for users in one or two words. For a run that has ended it is the
// reason.
func (r Run) State() string { return r.state }

// Steps returns the limit of steps, or 0 while it is unknown.
func (r Run) Steps() int { return r.steps }

// Objective describes the objective. It has no name while the objective is unknown.
func (r Run) Objective() family.Objective { return r.results.ObjectiveIs }

// Terms returns the terms of the objective at the last step.
func (r Run) Terms() []rundir.Named { return r.results.Parts() }

// Test returns the scores on the test set, or nil until the run is evaluated.
func (r Run) Test() *rundir.Metrics { return r.results.Test }

// SeveralTargets reports whether the run was tested on several real targets.
func (r Run) SeveralTargets() bool { return r.results.Test != nil && len(r.results.Test.Outputs) > 1 }

// seconds returns the training time, or NaN if it is unknown.
func (r Run) seconds() float64 {
	if !r.ended && r.step == 0 {
		return math.NaN()
	}
	return r.results.Seconds
}

// mixing returns the diagnostics of the Markov chains, or nil if there are no chains.
func (r Run) mixing() *view.ChainsSummary {
	switch {
	case r.chains != nil:
		return r.chains.Summary()
	case r.results.Chains != nil:
		return &r.results.Chains.ChainsSummary
	}
	return nil
}
