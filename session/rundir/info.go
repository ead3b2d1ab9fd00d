package rundir

import (
	"maps"
	"path/filepath"
	"reflect"
	"time"

	"dgplab/models"
	"dgplab/models/family"
)

// State is where a run directory stands, seen from outside.
type State string

const (
	Running     State = "running"     // a process holds its lock
	Ended       State = "ended"       // there is a summary
	Interrupted State = "interrupted" // neither: its process died
	Broken      State = "broken"      // its files cannot be read, see Err
)

// Info is one line of the list of runs. Whoever has one must not write to what
// it refers to: a Lister returns the same again.
type Info struct {
	ID    string `json:"id"`
	Dir   string `json:"dir"`
	State State  `json:"-"` // What people are told is Standing.
	// Err says what is wrong with a broken run, in one line.
	Err     error     `json:"-"`
	Created time.Time `json:"created"`
	Config
	Values models.Values `json:"-"`
	// Data is nil until the data was loaded.
	Data *DataFacts `json:"-"`
	// Notes are what people wrote about the run. NotesErr says, in one line, why
	// they cannot be read.
	// Objective is what the run maximises.
	Objective family.Objective `json:"objective_is"`
	Notes
	NotesErr error `json:"-"`
	// Parent is the ID of the run that this one is a fork of; "" for none.
	Parent string `json:"parent,omitempty"`
	// WarmStart is what the run started from; nil for its own start.
	WarmStart *WarmStart `json:"warm_start,omitempty"`
	// Sweep names the sweep that the run belongs to, "" if there is none.
	Sweep string `json:"sweep,omitempty"`
	// Changed is when the run last wrote anything.
	Changed time.Time `json:"-"`
	// Step is the last report line's, Steps the limit, 0 where it is not known yet.
	Step  int `json:"step"`
	Steps int `json:"steps"`
	// Last is the last report line of a run without a summary; its values are NaN
	// when there is none.
	Last Point `json:"-"`
	// Resumable says that Resume would continue it, without more steps.
	Resumable bool `json:"resumable"`
	// Summary is set for ended runs.
	Summary *Summary `json:"summary,omitempty"`
}

// Standing says in a word or two where the run stands: its state, or why it ended.
func (i *Info) Standing() string {
	if i.State == Ended && i.Summary != nil {
		return i.Summary.Stop.Word()
	}
	return string(i.State)
}

// Extendable says that Resume would continue the run with more steps.
func (i *Info) Extendable() bool { return i.State == Ended && i.Summary.Extended() > 0 }

// inspect reads all of a run directory but its report lines.
func inspect(dir string, running bool, files stamp) Info {
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
	info.Sweep, info.Data, info.Objective = file.Sweep, file.Data, file.ObjectiveIs
	n := 0
	if info.Data != nil {
		n = info.Data.N
	}
	info.Steps = StepLimit(info.Values, n)
	if running {
		info.State = Running
		return info
	}
	info.Summary, err = ReadSummary(dir)
	switch {
	case err != nil:
		info.State, info.Err = Broken, err
	case info.Summary != nil:
		info.State, info.Step = Ended, info.Summary.Steps
		info.Resumable = info.Summary.Stop == StopAsked || info.Summary.Stop == StopFailed
	default:
		info.Resumable = true
	}
	return info
}

// share lets the summary refer to what the configuration holds already: lists keep
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
	if s.Data != nil && i.Data != nil && reflect.DeepEqual(*s.Data, *i.Data) {
		s.Data = i.Data
	}
}
