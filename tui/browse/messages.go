package browse

import (
	"time"

	"dgplab/session/rundir"
)

// runsListedMsg is a list of all run directories or of the newest. took is the duration of the reading. A
// message of another generation is outdated.
type runsListedMsg struct {
	gen  int
	runs []rundir.Info
	all  bool
	err  error
	took time.Duration
}

// listDueMsg starts the next reading of the list.
type listDueMsg struct{ gen int }

// curveReadMsg carries the report lines of the run that Browse.curve names.
type curveReadMsg struct{ points []rundir.Point }

// changedMsg is the result of changing notes, or of moving runs to or from the trash.
type changedMsg struct {
	text    string   // description of the change, or ""
	trashed []string // IDs that were moved to the trash
	left    []string // IDs that could not be restored
	err     error
}

// forkedMsg is the configuration of a fork, or an error.
type forkedMsg struct {
	form   *forkForm
	config rundir.Config
	err    error
}
