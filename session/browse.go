package session

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// RunInfo is one line of the list of runs.
type RunInfo struct {
	ID, Dir string
	State   RunState
	// Err says what is wrong with a broken run, in one line.
	Err     error
	Config  Config
	Values  models.Values
	Created time.Time
	// Changed is when the run last wrote anything.
	Changed time.Time
	// Step is the last report line's, Steps the limit.
	Step, Steps int
	// Resumable says that Resume would continue it, without more steps.
	Resumable bool
	// Summary is set for ended runs.
	Summary *Summary
}

// Record is a run directory that was read.
type Record struct {
	RunInfo
	// Curve holds the report lines, bounded like Snapshot.Curve.
	Curve []Point
	// CheckpointStep is the step of the checkpoint, -1 if there is none.
	CheckpointStep int
	data           *dataFacts
	points         *Predictions // for snapshots; nil where they cannot be read
}

// Runs lists all run directories, the newest first. A directory that cannot be
// read is listed as broken; a missing folder has no runs.
func Runs() ([]RunInfo, error) {
	parent, err := RunsDir()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(parent)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	var list []RunInfo
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		info, _ := inspect(filepath.Join(parent, e.Name()))
		info.Step = max(info.Step, lastStep(info.Dir))
		list = append(list, info)
	}
	slices.SortStableFunc(list, func(a, b RunInfo) int {
		return cmp.Or(b.Created.Compare(a.Created), strings.Compare(b.ID, a.ID))
	})
	return list, nil
}

// Open reads the run whose ID is id, or starts with id if there is only one. A
// broken run is returned with State RunBroken and Err, not as an error.
func Open(id string) (*Record, error) {
	dir, err := findRun(id)
	if err != nil {
		return nil, err
	}
	info, file := inspect(dir)
	r := &Record{RunInfo: info, CheckpointStep: checkpointStep(dir)}
	if file != nil {
		r.data = file.Data
	}
	c := newCurve(curveCap)
	_, err = readMetrics(dir, func(Point) bool { return true }, func(p Point) { c.add(p) })
	if err != nil && r.State != RunBroken {
		r.State, r.Err = RunBroken, err
	}
	r.Curve = c.view()
	if r.Summary != nil && r.Summary.Test != nil {
		points, _ := r.Predictions() // Who asks for them is told what is wrong.
		r.points = points.thin(shownPoints)
	}
	if n := len(r.Curve); n > 0 {
		r.Step = max(r.Step, r.Curve[n-1].Step)
	}
	return r, nil
}

// inspect reads all of a run directory but its report lines. The file is nil
// when it cannot be read.
func inspect(dir string) (RunInfo, *configFile) {
	info := RunInfo{ID: filepath.Base(dir), Dir: dir, State: RunInterrupted}
	// The lock is looked at first: a run that ends meanwhile has its summary then.
	running := isLocked(dir)
	info.Changed = lastChange(dir)
	file, err := readConfig(dir)
	if err != nil {
		info.State, info.Err, info.Created = RunBroken, err, info.Changed
		return info, nil
	}
	info.Config, info.Values, info.Created = file.Config, file.Values, file.Created
	if steps, ok := file.Values["steps"]; ok {
		fmt.Sscan(steps, &info.Steps)
	}
	if running {
		info.State = RunRunning
		return info, file
	}
	info.Summary, err = readSummary(dir)
	switch {
	case err != nil:
		info.State, info.Err = RunBroken, err
	case info.Summary != nil:
		info.State, info.Step = RunEnded, info.Summary.Steps
		info.Resumable = info.Summary.Stop == StopAsked || info.Summary.Stop == StopFailed
	default:
		info.Resumable = true
	}
	return info, file
}

// readSummary returns the summary of a run, nil if there is none.
func readSummary(dir string) (*Summary, error) {
	path := filepath.Join(dir, summaryName)
	s := new(Summary)
	if err := readJSON(path, s); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	if s.Format != summaryVersion {
		return nil, fmt.Errorf("%s: format %d; this program reads format %d", path, s.Format, summaryVersion)
	}
	return s, nil
}

// lastChange returns the latest time of the run's own files.
func lastChange(dir string) time.Time {
	var latest time.Time
	for name := range ownNames {
		if stat, err := os.Stat(filepath.Join(dir, name)); err == nil && stat.ModTime().After(latest) {
			latest = stat.ModTime()
		}
	}
	return latest
}

// lastStep returns the step of the last whole report line, reading only the end
// of the file; 0 if there is none.
func lastStep(dir string) int {
	const tail = 4096 // many lines
	file, err := os.Open(filepath.Join(dir, metricsName))
	if err != nil {
		return 0
	}
	defer file.Close()
	stat, err := file.Stat()
	if err != nil {
		return 0
	}
	first := max(0, stat.Size()-tail)
	text, err := io.ReadAll(io.NewSectionReader(file, first, tail))
	if err != nil {
		return 0
	}
	if first > 0 { // begin with a whole line
		_, rest, _ := strings.Cut(string(text), "\n")
		text = []byte(rest)
	}
	step := 0
	_, _ = parseLines(text, func(p Point, _ int64) bool {
		step = p.Step
		return true
	})
	return step
}

// Snapshot returns what a screen shows of a recorded run: the state of its files.
// A run that died is Ended without a Stop.
func (r *Record) Snapshot() *Snapshot {
	s := &Snapshot{
		ID: r.ID, Dir: r.Dir, State: Ended, Config: r.Config, Values: r.Values,
		Step: r.Step, Steps: r.Steps, Curve: r.Curve, BestVal: nan, CheckpointStep: r.CheckpointStep,
		Predictions: r.points, Err: r.Err,
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
	for _, p := range r.Curve {
		if p.ValLogLik == p.ValLogLik && !(p.ValLogLik <= s.BestVal) {
			s.BestVal, s.BestStep = p.ValLogLik, p.Step
		}
	}
	if n := len(r.Curve); n > 0 {
		p := r.Curve[n-1]
		s.Seconds = p.Seconds
		s.Last = models.Report{Objective: p.Objective, ExpectedLogLik: p.ExpectedLogLik, KL: p.KL}
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
