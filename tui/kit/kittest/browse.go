package kittest

import (
	"errors"

	"dgplab/session"
)

// What the run browser asks of an engine: this one has no run directories.

var errNoRuns = errors.New("there are no run directories")

func (e *Engine) ListRuns() ([]session.RunInfo, error) { return nil, nil }

func (e *Engine) Annotate(string, func(*session.Notes)) error { return errNoRuns }

func (e *Engine) Trash(string) error { return errNoRuns }

func (e *Engine) Untrash(string) error { return errNoRuns }

func (e *Engine) Fork(session.RunInfo, map[string]string) (session.Config, error) {
	return session.Config{}, errNoRuns
}
