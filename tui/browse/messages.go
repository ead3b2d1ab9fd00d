package browse

import (
	"time"

	"dgplab/session/rundir"
)

// runsListedMsg brings the list of run directories, all of them or the newest; took
// is how long it took. One of another generation is not the newest.
type runsListedMsg struct {
	gen  int
	runs []rundir.Info
	all  bool
	err  error
	took time.Duration
}

// listDueMsg says that it is time to list the runs again.
type listDueMsg struct{ gen int }

// changedMsg says what became of a change of notes or of a move to or from the
// trash.
type changedMsg struct {
	text    string   // what was done, "" if nothing was
	trashed []string // IDs that were moved to the trash
	left    []string // IDs that could not be brought back from there
	err     error
}

// forkedMsg brings the configuration of a fork, or why there is none.
type forkedMsg struct {
	form   *forkForm
	config rundir.Config
	err    error
}
