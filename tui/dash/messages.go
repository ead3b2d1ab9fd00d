package dash

import (
	"time"

	"dgplab/session"
)

// frameDueMsg requests a poll of the runs of this program.
type frameDueMsg struct{}

// recordReadMsg carries the content of the run directory of generation gen. The record is nil if it cannot be
// opened. took is the duration of reading.
type recordReadMsg struct {
	gen      int
	record   Record
	snapshot *session.Snapshot
	err      error
	took     time.Duration
}

// namesReadMsg carries the names of runs by identifier.
type namesReadMsg struct{ names map[string]string }

// exportedMsg reports that an export has opened its folder or written a file.
type exportedMsg struct{ export *exporting }
