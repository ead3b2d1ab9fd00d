package tui

import "dgplab/session"

// snapshotTakenMsg brings the newest snapshot of the run of generation gen.
type snapshotTakenMsg struct {
	gen      int
	snapshot *session.Snapshot
}

// runStartedMsg answers a request to start; err says why there is no run.
type runStartedMsg struct {
	gen int
	run run
	err error
}

// runEndedMsg says that the goroutine of the run of generation gen has returned.
type runEndedMsg struct{ gen int }

// inspectDueMsg ends the wait after the last change of the configuration.
type inspectDueMsg struct{ gen int }

// planInspectedMsg answers an inspection of the configuration of generation gen.
type planInspectedMsg struct {
	gen  int
	plan plan
	err  error
}

// fetchTickedMsg asks to show how far a download has come.
type fetchTickedMsg struct{ gen int }

// fetchDoneMsg says that a download is complete, or why it is not.
type fetchDoneMsg struct {
	gen  int
	name string
	err  error
}

// exportDoneMsg says which files an export wrote into dir.
type exportDoneMsg struct {
	files []string
	dir   string
	err   error
}

// statusExpiredMsg takes away the status line of generation gen.
type statusExpiredMsg struct{ gen int }

// screenCrashedMsg brings a panic from a command to the guard.
type screenCrashedMsg struct {
	value any
	stack []byte
}
