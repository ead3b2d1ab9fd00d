package kittest

import (
	"context"
	"errors"

	"dgplab/session/compare"
	"dgplab/session/reproduce"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
)

// The methods of sweep.Engine. There are no sweeps.

var errNoSweeps = errors.New("there are no sweeps")

// PreviewSweep returns a sweep without cells.
func (e *Engine) PreviewSweep(_ context.Context, grid sweep.Grid, name string) (*sweep.State, error) {
	return &sweep.State{Name: name, Grid: grid, Phase: sweep.Over}, nil
}

func (e *Engine) InspectSweep(ctx context.Context, _ *sweep.State) (sweep.Estimate, error) {
	return sweep.Estimate{}, ctx.Err()
}

func (e *Engine) StartSweep(context.Context, sweep.Grid, sweep.Options) (kit.SweepRun, error) {
	return nil, errNoSweeps
}

func (e *Engine) ResumeSweep(context.Context, string, sweep.Options) (kit.SweepRun, error) {
	return nil, errNoSweeps
}

func (e *Engine) OpenSweep(string) (*sweep.State, error) { return nil, errNoSweeps }

func (e *Engine) AskTasks(context.Context, *sweep.State) (*sweep.Tasks, error) {
	return nil, errNoSweeps
}

func (e *Engine) CancelTasks(context.Context, *sweep.State) (int, error) { return 0, errNoSweeps }

func (e *Engine) ResubmitSweep(context.Context, *sweep.State) (*sweep.Plan, error) {
	return nil, errNoSweeps
}

func (e *Engine) CompareSweep(string, compare.ReportOptions) (*compare.Report, error) {
	return nil, errNoSweeps
}

func (e *Engine) ListSweeps() ([]sweep.Entry, error) { return nil, nil }

func (e *Engine) ListExperiments() ([]reproduce.Entry, error) { return nil, nil }

func (e *Engine) MeasureExperiment(string) (*reproduce.Table, error) { return nil, errNoSweeps }

func (e *Engine) PlanExperiment(context.Context, string) (*reproduce.Plan, error) {
	return nil, errNoSweeps
}

func (e *Engine) StartExperiment(context.Context, string, int) (kit.SweepRun, error) {
	return nil, errNoSweeps
}
