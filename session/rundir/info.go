package rundir

import (
	"maps"
	"path/filepath"
	"reflect"
	"time"
)

// State is the state of a run. Readers of its directory see Running for all states before the end.
type State string

const (
	Preparing   State = "preparing" // loading data, building the model
	Running     State = "running"
	Paused      State = "paused"
	Finishing   State = "finishing"   // evaluating on the test set, writing the summary
	Ended       State = "ended"       // the run has a summary, see Summary.Stop
	Interrupted State = "interrupted" // no process has the lock, and there is no summary: its process died
	Broken      State = "broken"      // the files cannot be read, see Info.Err
)

// Going reports whether a process works on a run in this state.
func (s State) Going() bool { return s != Ended && s != Interrupted && s != Broken }

// Info describes a run in the list of runs. A Lister returns its data again, so callers must not modify them.
type Info struct {
	// ConfigFile holds the configuration. If the run is broken, only its ID and Created are set. ID is the
	// name of the directory.
	ConfigFile
	// Dir is the run directory, or the file of a packed model.
	Dir   string
	State State
	// DataFile is the path of the data file if it is not where the run was trained, or "".
	DataFile string
	// Packed is nil unless the run is a packed model, which has no other files; see FindModel.
	Packed *Pack
	// Err explains in one line why a run is broken.
	Err error
	// Notes holds the user's notes. NotesErr explains in one line why they cannot be read.
	Notes
	NotesErr error
	// Changed is the time at which the run last wrote a file.
	Changed time.Time
	// Step is the step of the last report line. Steps is the limit, or 0 while it is unknown.
	Step, Steps int
	// Resumable is true if Resume can continue the run without more steps.
	Resumable bool
	// Results holds the summary of a run that has ended, otherwise the results at the last report line. It is
	// nil before the first one.
	Results *Summary
}

// Status returns the state of the run for users in one or two words. For a run that has ended it is the
// reason.
func (i *Info) Status() string {
	if i.State == Ended {
		return i.Results.Stop.Word()
	}
	return string(i.State)
}

// Extendable reports whether Resume can continue the run with more steps.
func (i *Info) Extendable() bool { return i.State == Ended && i.Results.ExtendedSteps() > 0 }

// readInfo reads all files of a run directory except the report lines.
func readInfo(dir string, running bool, files stamp) Info {
	info := Info{Dir: dir, Changed: files.written()}
	info.Notes, info.NotesErr = readNotes(dir)
	file, err := ReadConfig(dir)
	if err != nil {
		info.State, info.Err = Broken, err
		info.ID, info.Created = filepath.Base(dir), info.Changed
		return info
	}
	info.ConfigFile = *file
	info.ID = filepath.Base(dir)
	info.Steps = StepLimit(info.Values, info.Data.N)
	if running {
		info.State = Running
		return info
	}
	info.Results, err = ReadSummary(dir)
	if err != nil {
		info.State, info.Err = Broken, err
		return info
	}
	info.setState()
	return info
}

// setState sets the state of a run that no process trains and whose last report line is not read yet. The run
// has ended if it has a summary.
func (i *Info) setState() {
	if i.Results == nil {
		i.State, i.Resumable = Interrupted, true
		return
	}
	i.State, i.Step = Ended, i.Results.Step
	switch i.Results.Stop {
	case StopAsked, StopRung, StopFailed:
		i.Resumable = true
	}
}

// readLast sets the results of a run without a summary from its last report line.
func (i *Info) readLast() {
	last := lastPoint(i.Dir)
	if last.Step == 0 {
		return
	}
	i.Step = last.Step
	i.Results = &Summary{
		ID: i.ID, Config: i.Config, Values: i.Values, ObjectiveIs: i.ObjectiveIs, Data: i.Data, Dir: i.Dir,
	}
	i.Results.Take(last)
}

// share replaces data of the results with equal data of the configuration, because lists hold thousands of
// runs in memory. It reports whether all of them are equal.
func (i *Info) share() (agrees bool) {
	s := i.Results
	if s == nil {
		return false
	}
	agrees = reflect.DeepEqual(s.Config, i.Config) && maps.Equal(s.Values, i.Values) &&
		s.Data.Equal(i.Data) && reflect.DeepEqual(s.ObjectiveIs, i.ObjectiveIs)
	if agrees {
		s.Config, s.Values, s.ObjectiveIs, s.Data = i.Config, i.Values, i.ObjectiveIs, i.Data
	}
	return agrees
}
