package rundir

import (
	"maps"
	"path/filepath"
	"reflect"
	"time"

	"dgplab/models"
	"dgplab/models/family"
)

// State is the state of a run directory as seen by readers.
type State string

const (
	Running     State = "running"     // a process holds the lock
	Ended       State = "ended"       // the run has a summary
	Interrupted State = "interrupted" // neither locked nor ended: its process died
	Broken      State = "broken"      // the files cannot be read, see Info.Err
)

// Info describes a run in the list of runs. Callers must not modify the data that it refers to,
// because a Lister returns the same data again.
type Info struct {
	ID    string `json:"id"`
	Dir   string `json:"dir"`
	State State  `json:"-"` // Status returns the text for users.
	// Err explains in one line why a run is broken.
	Err     error     `json:"-"`
	Created time.Time `json:"created"`
	Config
	Values models.Values `json:"-"`
	// Data is zero until the data have been loaded.
	Data DataFacts `json:"-"`
	// Objective describes the objective of the run.
	ObjectiveIs family.Objective `json:"objective_is"`
	// Notes holds the user's notes. NotesErr explains in one line why they cannot be read.
	Notes
	NotesErr error `json:"-"`
	// Parent is the ID of the run that this run was forked from, or "" if there is none.
	Parent string `json:"parent,omitempty"`
	// WarmStart is the source of the initial parameters; nil without a warm start.
	WarmStart *WarmStart `json:"warm_start,omitempty"`
	// Sweep is the name of the run's sweep, or "" if there is none.
	Sweep string `json:"sweep,omitempty"`
	// Changed is the time at which the run last wrote a file.
	Changed time.Time `json:"-"`
	// Step is the step of the last report line and Steps the limit, 0 while it is unknown.
	Step  int `json:"step"`
	Steps int `json:"steps"`
	// Last is the last report line of a run without a summary. Its values are NaN if there is no
	// line.
	Last Point `json:"-"`
	// Resumable is true if Resume can continue the run without more steps.
	Resumable bool `json:"resumable"`
	// Summary is nil unless the run has ended.
	Summary *Summary `json:"summary,omitempty"`
}

// Status returns the state of the run for users, in one or two words. For an ended run it is the
// reason why it ended.
func (i *Info) Status() string {
	if i.State == Ended && i.Summary != nil {
		return i.Summary.Stop.Word()
	}
	return string(i.State)
}

// Extendable reports whether Resume can continue the run with more steps.
func (i *Info) Extendable() bool { return i.State == Ended && i.Summary.ExtendedSteps() > 0 }

// readInfo reads all files of a run directory except the report lines.
func readInfo(dir string, running bool, files stamp) Info {
	info := Info{
		ID:      filepath.Base(dir),
		Dir:     dir,
		State:   Interrupted,
		Changed: files.written(),
		Last:    noPoint,
	}
	info.Notes, info.NotesErr = readNotes(dir)
	file, err := ReadConfig(dir)
	if err != nil {
		info.State, info.Err, info.Created = Broken, err, info.Changed
		return info
	}
	info.Config = file.Config
	info.Values = file.Values
	info.Created = file.Created
	info.Parent = file.Parent
	info.WarmStart = file.WarmStart
	info.Sweep, info.Data, info.ObjectiveIs = file.Sweep, file.Data, file.ObjectiveIs
	info.Steps = StepLimit(info.Values, info.Data.N)
	if running {
		info.State = Running
		return info
	}
	info.Summary, err = ReadSummary(dir)
	switch {
	case err != nil:
		info.State, info.Err = Broken, err
	case info.Summary != nil:
		info.State, info.Step = Ended, info.Summary.Step
		info.Resumable = info.Summary.Stop == StopAsked || info.Summary.Stop == StopFailed
	default:
		info.Resumable = true
	}
	return info
}

// share replaces data of the summary by equal data of the configuration, because lists hold
// thousands of runs in memory.
func (i *Info) share() {
	s := i.Summary
	if s == nil {
		return
	}
	if reflect.DeepEqual(s.Config, i.Config) {
		s.Config = i.Config
	}
	if maps.Equal(s.Values, i.Values) {
		s.Values = i.Values
	}
	if s.Data.Equal(i.Data) {
		s.Data = i.Data
	}
}
