package dash

import "dgplab/session"

// snapshotTakenMsg brings the newest snapshot of the run of generation gen.
type snapshotTakenMsg struct {
	gen      int
	snapshot *session.Snapshot
}

// exportDoneMsg says which files an export wrote into dir.
type exportDoneMsg struct {
	files []string
	dir   string
	err   error
}
