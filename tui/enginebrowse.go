package tui

import (
	"context"
	"errors"

	"dgplab/datasets/files"
	"dgplab/datasets/table"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// The methods of browse.Engine.

func (w *workbench) ListRuns(most int) ([]rundir.Info, bool, error) {
	return w.inspector.Runs.Newest(most)
}

func (*workbench) Annotate(id string, change func(*rundir.Notes)) error {
	return rundir.Annotate(id, change)
}

func (*workbench) Curve(run rundir.Info) []rundir.Point { return session.Open(run).Curve }

func (*workbench) Trash(id string) error { return rundir.Trash(id) }

func (*workbench) Untrash(id string) error { return rundir.Untrash(id) }

func (*workbench) Fork(run rundir.Info, changes map[string]string) (rundir.Config, error) {
	return config.Fork(run, changes)
}

// defaultQuantiles holds the quantiles of predictions made on the screen. They are the defaults of dgplab
// predict.
var defaultQuantiles = []float64{0.05, 0.5, 0.95}

func (*workbench) Predict(
	ctx context.Context, id, in, out string, report func(rows int),
) (*probe.Predicted, error) {
	run, err := rundir.FindReadOnly(id)
	if err != nil {
		return nil, err
	}
	file, err := files.OpenLinked(in)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	done, err := session.PredictInto(ctx, run, in, file, out, session.PredictOptions{
		RowOptions: probe.RowOptions{Quantiles: defaultQuantiles, Progress: report},
	})
	if cell := new(table.Error); errors.As(err, &cell) {
		err = errors.New(cell.WithoutFlags())
	}
	return done, err
}
