package tui

import "dgplab/session"

// What the run browser asks of the program's own engine.

func (w *workbench) ListRuns() ([]session.RunInfo, error) { return w.lister.Runs() }

func (*workbench) Annotate(id string, change func(*session.Notes)) error {
	return session.Annotate(id, change)
}

func (*workbench) Trash(id string) error { return session.Trash(id) }

func (*workbench) Untrash(id string) error { return session.Untrash(id) }

func (*workbench) Fork(run session.RunInfo, changes map[string]string) (session.Config, error) {
	return run.Fork(changes)
}
