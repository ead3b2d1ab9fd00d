package dash

import (
	"time"

	"dgplab/session"
)

// frameDueMsg asks for a look at the runs of this program.
type frameDueMsg struct{}

// recordReadMsg brings what a run directory says, to the run of generation gen: no
// record if it cannot be opened. took is how long the reading took.
type recordReadMsg struct {
	gen      int
	record   Record
	snapshot *session.Snapshot
	err      error
	took     time.Duration
}

// namesReadMsg brings the names of runs by their identifiers.
type namesReadMsg struct{ names map[string]string }

// exportDoneMsg says which files an export wrote into dir.
type exportDoneMsg struct {
	files []string
	dir   string
	err   error
}
