package tui

import (
	"context"

	"dgplab/session/compare"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
)

// The methods of ablate.Engine.

func (*workbench) PreviewSweep(grid sweep.Grid, name string) (*sweep.State, error) {
	return sweep.Preview(grid, name)
}

func (w *workbench) InspectSweep(ctx context.Context, cells []sweep.Cell) (sweep.Estimate, error) {
	return sweep.Inspect(ctx, &w.inspector, cells)
}

func (*workbench) StartSweep(ctx context.Context, grid sweep.Grid, o sweep.Options) (kit.SweepRun, error) {
	return sweepRun(sweep.Start(ctx, grid, o))
}

func (*workbench) ResumeSweep(ctx context.Context, name string, o sweep.Options) (kit.SweepRun, error) {
	return sweepRun(sweep.Resume(ctx, name, o))
}

// sweepRun converts a sweep and returns nil in case of an error: an interface with a nil *Sweep is
// not nil.
func sweepRun(s *sweep.Sweep, err error) (kit.SweepRun, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (*workbench) OpenSweep(name string) (*sweep.State, error) { return sweep.Open(name) }

func (*workbench) CompareSweep(name string, w compare.ReportOptions) (*compare.Report, error) {
	runs, err := sweep.Runs(name)
	if err != nil {
		return nil, err
	}
	return compare.NewReport(runs, w)
}

func (*workbench) ListSweeps() ([]sweep.Entry, error) { return sweep.List() }
