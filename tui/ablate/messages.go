package ablate

import (
	"dgplab/session/compare"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
)

// sweepsListedMsg brings the list of all sweeps.
type sweepsListedMsg struct {
	gen  int
	list []sweep.Entry
	err  error
}

// sweepStartedMsg says what became of a request to start or go on with a sweep.
type sweepStartedMsg struct {
	sweep kit.SweepRun // nil if err is set
	err   error
}

// sweepOpenedMsg brings the state of a sweep from its files.
type sweepOpenedMsg struct {
	gen   int
	state *sweep.State
	err   error
}

// stateTakenMsg asks to look at the sweep of generation gen again.
type stateTakenMsg struct{ gen int }

// sweepComparedMsg brings the comparison of the number job, of what ends said then.
type sweepComparedMsg struct {
	job    int
	of     string
	report *compare.Report
	err    error
}

// methodsPairedMsg brings the direct comparison of the number job.
type methodsPairedMsg struct {
	job int
	direct
}

// sweepEndedMsg says that the goroutine of a sweep of this program has returned.
type sweepEndedMsg struct{ sweep kit.SweepRun }
