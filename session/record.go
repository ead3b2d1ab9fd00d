package session

import (
	"errors"
	"slices"

	"dgplab/models/family"
	"dgplab/session/rundir"
)

// Open returns a recorded run as its files describe it, with the report lines. If these cannot be read, the
// snapshot is Broken. The caller may modify it.
func Open(run rundir.Info) *Snapshot {
	h := newHistory(run.ObjectiveIs, run.Data.N)
	step := 0
	var err error
	if run.Packed != nil {
		_, step = run.Packed.Checkpoint.Result()
	} else {
		_, err = rundir.ReadPoints(run.Dir, func(rundir.Point) bool { return true }, h.add)
		step = rundir.CheckpointStep(run.Dir)
	}
	s := &Snapshot{
		Created: run.Created, WarmStart: run.WarmStart, Adapted: run.Adapted,
		State: run.State, Err: run.Err, Steps: run.Steps, Curve: h.curve.view(),
		CheckpointStep: step,
	}
	if n := len(s.Curve); n > 0 {
		s.Last = s.Curve[n-1]
	}
	ended := run.State == rundir.Ended
	if ended {
		s.Summary = *run.Results
	} else {
		s.Data, s.BestVal = run.Data, rundir.Number(nan)
	}
	s.ID, s.Dir, s.Config, s.Values, s.ObjectiveIs = run.ID, run.Dir, run.Config, run.Values, run.ObjectiveIs
	if ended {
		s.describeEnd(run)
	} else {
		s.describeCourse(h)
	}
	if err != nil && run.State != rundir.Broken {
		s.State, s.Err = rundir.Broken, err
	}
	return s
}

// describeCourse fills the parts of the snapshot of a run without a summary that come from its report lines.
func (s *Snapshot) describeCourse(h history) {
	s.Alarms, s.Drift = h.watcher.Alarms(), h.watcher.Drift.Report()
	s.Take(s.Last)
	for _, p := range s.Curve {
		if replacesBest(s.ObjectiveIs, float64(s.BestVal), p.ValLogLik) {
			s.BestVal, s.BestStep = rundir.Number(p.ValLogLik), p.Step
		}
	}
}

// describeEnd fills the parts of the snapshot that come from the summary and the files of predictions.
func (s *Snapshot) describeEnd(run rundir.Info) {
	if s.Error != "" {
		s.Err = errors.New(s.Error)
	}
	s.Last.Readings = readingsAtEnd(s.ObjectiveIs, &s.Summary, s.Last)
	s.Last.Step, s.Last.Objective = s.Step, float64(s.Objective)
	if s.Test != nil {
		s.TestStep = s.KeptStep
		points, _ := run.Predictions() // Predictions returns the error to its callers.
		s.Predictions = points.Thin(shownPoints)
	}
	if s.LeaveOneOut != nil {
		s.LeftOut, _ = run.LeftOut()
	}
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
