package tui

import (
	"dgplab/session"
	"dgplab/session/rundir"
)

// What the run browser asks of the program's own engine.

func (w *workbench) ListRuns(most int) ([]rundir.Info, bool, error) {
	return w.inspector.Runs.Newest(most)
}

func (*workbench) Annotate(id string, change func(*rundir.Notes)) error {
	return rundir.Annotate(id, change)
}

func (*workbench) Trash(id string) error { return rundir.Trash(id) }

func (*workbench) Untrash(id string) error { return rundir.Untrash(id) }

func (*workbench) Fork(run rundir.Info, changes map[string]string) (rundir.Config, error) {
	return session.Fork(run, changes)
}
