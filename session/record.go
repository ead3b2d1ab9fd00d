package session

import (
	"errors"
	"io"
	"slices"

	"dgplab/models/family"
	"dgplab/session/rundir"
)

// Record is a run read from its directory.
type Record struct {
	rundir.Info
	snapshot Snapshot
}

// Open reads the run that matches id (see rundir.FindReadOnly) with its report lines.
func Open(id string) (*Record, error) {
	info, err := rundir.FindReadOnly(id)
	if err != nil {
		return nil, err
	}
	h := newHistory(info.ObjectiveIs, info.Data.N)
	_, err = rundir.ReadPoints(info.Dir, func(rundir.Point) bool { return true }, h.add)
	if err != nil && info.State != rundir.Broken {
		info.State, info.Err = rundir.Broken, err
	}
	if n := len(h.curve.points); n > 0 {
		info.Step = max(info.Step, h.curve.points[n-1].Step)
	}
	r := &Record{Info: info}
	r.describe(h)
	return r, nil
}

// describe fills the snapshot of the run from its files.
func (r *Record) describe(h history) {
	s := &r.snapshot
	s.State, s.Err = r.State, r.Err
	s.Steps = r.Steps
	s.Curve = h.curve.view()
	s.CheckpointStep = rundir.CheckpointStep(r.Dir)
	ended := r.Results != nil && r.Results.Stop != ""
	if ended {
		s.Summary = *r.Results
	} else {
		s.Alarms = h.watcher.Alarms()
		s.BestVal = rundir.Number(nan)
	}
	s.ID, s.Dir, s.Config, s.Values = r.ID, r.Dir, r.Config, r.Values
	s.ObjectiveIs = r.ObjectiveIs
	s.Created, s.WarmStart, s.Adapted = r.Created, r.WarmStart, r.Adapted
	if n := len(s.Curve); n > 0 {
		s.Last = s.Curve[n-1]
	}
	if !ended {
		s.Data, s.Drift = r.Data, h.watcher.Drift.Report()
		s.Take(s.Last)
		for _, p := range s.Curve {
			if replacesBest(s.ObjectiveIs, float64(s.BestVal), p.ValLogLik) {
				s.BestVal, s.BestStep = rundir.Number(p.ValLogLik), p.Step
			}
		}
	} else {
		s.describeEnd(r)
	}
}

// describeEnd fills the parts of the snapshot that come from the summary.
func (s *Snapshot) describeEnd(r *Record) {
	if s.Error != "" {
		s.Err = errors.New(s.Error)
	}
	s.Last.Readings = readingsAtEnd(s.ObjectiveIs, &s.Summary, s.Last)
	s.Last.Step, s.Last.Objective = s.Step, float64(s.Objective)
	if s.Test != nil {
		s.TestStep = s.KeptStep
		points, _ := r.Predictions() // Predictions returns the error to its callers.
		s.Predictions = points.Thin(shownPoints)
	}
	if s.LeaveOneOut != nil {
		s.LeftOut, _ = r.LeftOut()
	}
}

// Snapshot returns the state of the run as its files describe it. The caller may modify it.
func (r *Record) Snapshot() *Snapshot {
	s := r.snapshot
	return &s
}

// readingsAtEnd returns the terms of the objective in a summary, and the gauges of the last report
// line if it belongs to the last step.
func readingsAtEnd(objective family.Objective, sum *rundir.Summary, last rundir.Point) []rundir.Reading {
	list := slices.Clip(sum.Terms)
	for _, g := range objective.Gauges {
		if v := last.Reading(g.Key); last.Step == sum.Step && v == v {
			list = append(list, rundir.Reading{Key: g.Key, Value: v})
		}
	}
	return list
}

// WriteFile atomically writes a file into the run directory and returns its path. The name must be
// a plain file name and not the name of a file of the run.
func (r *Record) WriteFile(name string, write func(io.Writer) error) (string, error) {
	return rundir.WriteFile(r.Dir, name, write)
}
