package session

import (
	"errors"
	"io"
	"slices"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/session/watch"
)

// Record is a run read from its directory.
type Record struct {
	rundir.Info
	// Curve holds the report lines, bounded like Snapshot.Curve.
	Curve []rundir.Point
	// CheckpointStep is the step of the checkpoint, or -1 if there is none.
	CheckpointStep int
	alarms         []watch.Alarm       // alarms of the report lines
	drift          *rundir.Drift       // drift at the last report line
	points         *rundir.Predictions // for snapshots; nil if they cannot be read
}

// Open reads the run that matches id (see rundir.FindReadOnly) with its report lines.
func Open(id string) (*Record, error) {
	info, err := rundir.FindReadOnly(id)
	if err != nil {
		return nil, err
	}
	r := &Record{Info: info, CheckpointStep: rundir.CheckpointStep(info.Dir)}
	h := newHistory(r.ObjectiveIs, r.Data.N)
	_, err = rundir.ReadPoints(r.Dir, func(rundir.Point) bool { return true }, h.add)
	if err != nil && r.State != rundir.Broken {
		r.State, r.Err = rundir.Broken, err
	}
	if r.Summary != nil && r.Summary.Stop == rundir.StopConverged {
		h.watcher.Drift.Converge()
	}
	r.Curve = h.curve.view()
	r.alarms = h.watcher.Alarms()
	r.drift = h.watcher.Drift.Report()
	if r.Summary != nil && r.Summary.Test != nil {
		points, _ := r.Predictions() // Callers of Predictions get the error.
		r.points = points.Thin(shownPoints)
	}
	if n := len(r.Curve); n > 0 {
		r.Step = max(r.Step, r.Curve[n-1].Step)
	}
	return r, nil
}

// Snapshot returns the state of a recorded run as its files describe it. A run that died is Ended
// without a Stop.
func (r *Record) Snapshot() *Snapshot {
	s := &Snapshot{
		ID: r.ID, Dir: r.Dir, State: Ended, Config: r.Config, Values: r.Values, ObjectiveIs: r.ObjectiveIs,
		Step: r.Step, Steps: r.Steps, Curve: r.Curve, BestVal: nan, CheckpointStep: r.CheckpointStep,
		Predictions: r.points, Alarms: r.alarms, Drift: r.drift, Err: r.Err,
	}
	if r.State == rundir.Running {
		s.State = Training
	}
	if d := r.Data; d.N > 0 {
		s.N = d.N
		s.NumValidation = d.Validation
		s.NumTest = d.Test
		s.D = d.D
		s.P = d.P
		s.Task, s.Uses = d.Task, d.Uses
	}
	s.Batch = rundir.BatchOf(s.Values, s.N)
	for _, p := range r.Curve {
		if replacesBest(r.ObjectiveIs, s.BestVal, p.ValLogLik) {
			s.BestVal, s.BestStep = p.ValLogLik, p.Step
		}
	}
	if n := len(r.Curve); n > 0 {
		p := r.Curve[n-1]
		s.Seconds = p.Seconds
		s.Last = p
	}
	if sum := r.Summary; sum != nil {
		s.fill(sum)
	}
	return s
}

// fill sets the fields that come from the summary.
func (s *Snapshot) fill(sum *rundir.Summary) {
	s.Stop = sum.Stop
	s.Summary = sum
	s.Notes = sum.Notes
	s.Warnings = sum.Warnings
	s.Test = sum.Test
	if s.Test != nil {
		s.TestStep = sum.KeptStep
	}
	s.Alarms = sum.Alarms
	if sum.Error != "" {
		s.Err = errors.New(sum.Error)
	}
	s.Evaluation = sum.Evaluation
	s.KeptStep = sum.KeptStep
	s.Seconds, s.StepsPerSecond = sum.Seconds, float64(sum.StepsPerSecond)
	s.BestVal, s.BestStep, s.Rescues = float64(sum.BestVal), sum.BestStep, sum.Rescues
	s.Parameters, s.Variational = sum.Parameters, sum.Variational
	s.Last.Readings = readingsAtEnd(s.ObjectiveIs, sum, s.Last)
	s.Last.Step, s.Last.Objective = sum.Step, float64(sum.Objective)
	names := make([]string, 0, len(sum.Hyper))
	for name := range sum.Hyper {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		q := models.Quantity{Name: name}
		for _, v := range sum.Hyper[name] {
			q.Value = append(q.Value, float64(v))
		}
		s.Hyper = append(s.Hyper, q)
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

// WriteFile atomically writes a file into the run directory and returns its path. The name must be
// a plain file name and not the name of a file of the run.
func (r *Record) WriteFile(name string, write func(io.Writer) error) (string, error) {
	return rundir.WriteFile(r.Dir, name, write)
}
