package tui

import (
	"context"

	"dgplab/session/compare"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
)

// The methods of sweep.Engine.

func (*workbench) PreviewSweep(grid sweeps.Grid, name string) (*sweeps.State, error) {
	return sweeps.Preview(grid, name)
}

func (w *workbench) InspectSweep(ctx context.Context, s *sweeps.State) (sweeps.Estimate, error) {
	return sweeps.Inspect(ctx, &w.inspector, s, false)
}

func (*workbench) StartSweep(ctx context.Context, grid sweeps.Grid, o sweeps.Options) (kit.SweepRun, error) {
	return sweepRun(sweeps.Start(ctx, grid, o))
}

func (*workbench) ResumeSweep(ctx context.Context, name string, o sweeps.Options) (kit.SweepRun, error) {
	return sweepRun(sweeps.Resume(ctx, name, o))
}

// sweepRun converts a sweep and returns nil in case of an error: an interface with a nil *Sweep is
// not nil.
func sweepRun(s *sweeps.Sweep, err error) (kit.SweepRun, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (*workbench) OpenSweep(name string) (*sweeps.State, error) { return sweeps.Open(name) }

func (*workbench) CompareSweep(name string, w compare.ReportOptions) (*compare.Report, error) {
	runs, err := sweeps.Runs(name)
	if err != nil {
		return nil, err
	}
	return compare.NewReport(runs, w)
}

func (*workbench) ListSweeps() ([]sweeps.Entry, error) { return sweeps.List() }
