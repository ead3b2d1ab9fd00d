package metric

import (
	"cmp"
	"math"

	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
)

// Run is a read-only view of a run in a list, of a run in training, or only of a summary or of scores.
// Columns, queries, comparisons and tables read runs through it. It refers to the run and is cheap to create
// and to pass.
type Run struct {
	info    *rundir.Info    // without a family if the configuration is unknown
	results *rundir.Summary // so far; not nil
	chains  *view.Chains    // of a run in training with chains
}

// OfInfo returns the view of a run in a list.
func OfInfo(i *rundir.Info) Run { return Run{info: i, results: cmp.Or(i.Results, &noResults)} }

var noResults rundir.Summary

// OfSnapshot returns the view of a snapshot, which may be nil.
func OfSnapshot(s *session.Snapshot) Run {
	if s == nil {
		return OfSummary(nil)
	}
	info := s.Info()
	r := OfInfo(&info)
	if s.Diagnostics != nil {
		r.chains = s.Diagnostics.Chains
	}
	return r
}

// OfSummary returns the view of the summary of a run that has ended, or of a run without values if it is nil.
func OfSummary(s *rundir.Summary) Run {
	if s == nil {
		return OfInfo(&rundir.Info{State: rundir.Preparing})
	}
	file := rundir.ConfigFile{ID: s.ID, Config: s.Config, Values: s.Values}
	return OfInfo(&rundir.Info{ConfigFile: file, State: rundir.Ended, Step: s.Step, Results: s})
}

// OfScores returns the view of scores without a run, for example the scores of a single output or of a file.
func OfScores(m *rundir.Metrics) Run {
	return OfInfo(&rundir.Info{State: rundir.Preparing, Results: &rundir.Summary{Test: m}})
}

// ID returns the ID of the run, or "" if it is unknown.
func (r Run) ID() string { return r.info.ID }

// Label returns the name of the run, or its ID if it has no name.
func (r Run) Label() string { return cmp.Or(r.info.Notes.Name, r.info.ID) }

// State returns the state of the run for users in one or two words. For a run that has ended it is the
// reason.
func (r Run) State() string { return r.info.Status() }

// Steps returns the limit of steps, or 0 while it is unknown.
func (r Run) Steps() int { return r.info.Steps }

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
	if r.info.State != rundir.Ended && r.info.Step == 0 {
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
