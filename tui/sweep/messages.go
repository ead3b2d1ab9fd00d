package sweep

import (
	"time"

	"dgplab/session/compare"
	"dgplab/session/reproduce"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
)

// sweepsListedMsg is the list of all sweeps.
type sweepsListedMsg struct {
	gen  int
	list []sweeps.Entry
	err  error
}

// sweepStartedMsg is the answer to a request to start or resume a sweep.
type sweepStartedMsg struct {
	sweep kit.SweepRun // nil if err is set
	err   error
}

// sweepOpenedMsg is the state of a sweep, read from its files. tasks is nil if it was not submitted to Slurm,
// and took is the time of reading.
type sweepOpenedMsg struct {
	gen   int
	state *sweeps.State
	tasks *sweeps.Tasks
	err   error
	took  time.Duration
}

// tasksChangedMsg is the answer to a request to Slurm.
type tasksChangedMsg struct {
	gen  int
	text string
	err  error
}

// stateTakenMsg requests the state of the sweep of generation gen.
type stateTakenMsg struct{ gen int }

// sweepComparedMsg is the result of the comparison with number job. of describes the compared runs.
type sweepComparedMsg struct {
	job    int
	of     string
	report *compare.Report
	err    error
}

// methodsPairedMsg is the result of the direct comparison with number job.
type methodsPairedMsg struct {
	job int
	direct
}

// sweepEndedMsg is sent when the goroutine of a sweep of this program has returned.
type sweepEndedMsg struct{ sweep kit.SweepRun }

// experimentsListedMsg is the list of all experiments.
type experimentsListedMsg struct {
	gen  int
	list []reproduce.Entry
	err  error
}

// experimentMeasuredMsg is the table of an experiment, with its protocol.
type experimentMeasuredMsg struct {
	gen      int
	table    *reproduce.Table
	protocol compare.Sheet
	err      error
}
