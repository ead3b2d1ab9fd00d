package session

import (
	"errors"
	"io"
	"slices"
	"time"

	"dgplab/models"
)

// RunState is where a run directory stands, seen from outside.
type RunState string

const (
	RunRunning     RunState = "running"     // a process holds its lock
	RunEnded       RunState = "ended"       // there is a summary
	RunInterrupted RunState = "interrupted" // neither: its process died
	RunBroken      RunState = "broken"      // its files cannot be read, see Err
)

// RunInfo is one line of the list of runs. Whoever has one must not write to what
// it refers to: a Lister returns the same again.
type RunInfo struct {
	ID, Dir string
	State   RunState
	// Err says what is wrong with a broken run, in one line.
	Err    error
	Config Config
	Values models.Values
	// Parent is the ID of the run that this one is a fork of; "" for none.
	Parent string
	// Notes are what people wrote about the run. NotesErr says, in one line, why
	// they cannot be read.
	Notes    Notes
	NotesErr error
	Created  time.Time
	// Sweep names the sweep that the run belongs to, "" if there is none.
	Sweep string
	// Changed is when the run last wrote anything.
	Changed time.Time
	// Step is the last report line's, Steps the limit.
	Step, Steps int
	// Last is the last report line of a run without a summary; its values are NaN
	// when there is none.
	Last Point
	// Resumable says that Resume would continue it, without more steps.
	Resumable bool
	// Summary is set for ended runs.
	Summary *Summary
}

// Standing says in a word or two where the run stands: its state, or why it ended.
func (i *RunInfo) Standing() string {
	if i.State == RunEnded && i.Summary != nil {
		return i.Summary.Stop.Word()
	}
	return string(i.State)
}

// Record is a run directory that was read.
type Record struct {
	RunInfo
	// Curve holds the report lines, bounded like Snapshot.Curve.
	Curve []Point
	// CheckpointStep is the step of the checkpoint, -1 if there is none.
	CheckpointStep int
	alarms         []Alarm // those of the report lines
	data           *dataFacts
	points         *Predictions // for snapshots; nil where they cannot be read
}

// Open reads the run that id means, as Find does, with its report lines.
func Open(id string) (*Record, error) {
	dir, err := findRun(id)
	if err != nil {
		return nil, err
	}
	info, file := inspect(dir, isLocked(dir), stampOf(dir))
	r := &Record{RunInfo: info, CheckpointStep: checkpointStep(dir)}
	if file != nil {
		r.data = file.Data
	}
	c, w := newCurve(curveCap), newWatcher(0)
	if r.data != nil {
		w.setData(r.data.N)
	}
	_, err = readMetrics(dir, func(Point) bool { return true }, func(p Point) {
		c.add(p)
		w.add(p)
	})
	if err != nil && r.State != RunBroken {
		r.State, r.Err = RunBroken, err
	}
	r.Curve, r.alarms = c.view(), w.alarms()
	if r.Summary != nil && r.Summary.Test != nil {
		points, _ := r.Predictions() // Who asks for them is told what is wrong.
		r.points = points.thin(shownPoints)
	}
	if n := len(r.Curve); n > 0 {
		r.Step = max(r.Step, r.Curve[n-1].Step)
	}
	return r, nil
}

// Snapshot returns what a screen shows of a recorded run: the state of its files.
// A run that died is Ended without a Stop.
func (r *Record) Snapshot() *Snapshot {
	s := &Snapshot{
		ID: r.ID, Dir: r.Dir, State: Ended, Config: r.Config, Values: r.Values,
		Step: r.Step, Steps: r.Steps, Curve: r.Curve, BestVal: nan, CheckpointStep: r.CheckpointStep,
		Predictions: r.points, Alarms: r.alarms, Err: r.Err,
	}
	if r.State == RunRunning {
		s.State = Training
	}
	if d := r.data; d != nil {
		s.N, s.NumValidation, s.NumTest, s.D, s.P = d.N, d.Validation, d.Test, d.D, d.P
		if d.Task == models.Binary.String() {
			s.Task = models.Binary
		}
	}
	s.Batch = batchOf(s.Values, s.N)
	for _, p := range r.Curve {
		if p.ValLogLik == p.ValLogLik && !(p.ValLogLik <= s.BestVal) {
			s.BestVal, s.BestStep = p.ValLogLik, p.Step
		}
	}
	if n := len(r.Curve); n > 0 {
		p := r.Curve[n-1]
		s.Seconds = p.Seconds
		s.Last = models.Report{Objective: p.Objective, ExpectedLogLik: p.ExpectedLogLik, KL: p.KL, GradientNorm: p.GradientNorm}
	}
	if sum := r.Summary; sum != nil {
		s.fill(sum)
	}
	return s
}

// fill takes from a summary what report lines do not tell.
func (s *Snapshot) fill(sum *Summary) {
	s.Stop, s.Summary, s.Warnings = sum.Stop, sum, sum.Warnings
	if s.Test = sum.Test; s.Test != nil {
		s.TestStep = sum.Steps
	}
	if sum.Error != "" {
		s.Err = errors.New(sum.Error)
	}
	s.Seconds, s.StepsPerSecond = sum.Seconds, float64(sum.StepsPerSecond)
	s.BestVal, s.BestStep, s.Rescues = float64(sum.BestVal), sum.BestStep, sum.Rescues
	s.Parameters, s.Variational = sum.Parameters, sum.Variational
	s.Last = models.Report{Objective: float64(sum.Objective), ExpectedLogLik: float64(sum.ExpectedLogLik), KL: float64(sum.KL)}
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

// WriteFile writes a file into the run directory, atomically, and returns its
// path. The name must be a plain one and not one of the run's own files.
func (r *Record) WriteFile(name string, write func(io.Writer) error) (string, error) {
	return writeInto(r.Dir, name, write)
}
