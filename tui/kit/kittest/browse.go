package kittest

import (
	"context"
	"errors"

	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// The methods of browse.Engine. There are no run directories.

var errNoRuns = errors.New("there are no run directories")

func (e *Engine) ListRuns(int) ([]rundir.Info, bool, error) { return nil, true, nil }

func (e *Engine) Annotate(string, func(*rundir.Notes)) error { return errNoRuns }

func (e *Engine) Curve(rundir.Info) []rundir.Point { return nil }

func (e *Engine) Trash(string) error { return errNoRuns }

func (e *Engine) Untrash(string) error { return errNoRuns }

func (e *Engine) Fork(rundir.Info, map[string]string) (rundir.Config, error) {
	return rundir.Config{}, errNoRuns
}

func (e *Engine) Predict(
	context.Context, string, string, string, func(rows int),
) (*probe.Predicted, error) {
	return nil, errNoRuns
}
