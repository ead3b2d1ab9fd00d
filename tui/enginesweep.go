package tui

import (
	"context"

	"dgplab/session/compare"
	"dgplab/session/reproduce"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/sweep"
)

// The methods of sweep.Engine.

func (w *workbench) PreviewSweep(ctx context.Context, grid sweeps.Grid, name string) (*sweeps.State, error) {
	return sweeps.Preview(ctx, &w.inspector, grid, name)
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

// sweepRun converts a sweep to an interface. It returns nil if there is an error, because an interface that
// holds a nil *Sweep is not nil.
func sweepRun(s *sweeps.Sweep, err error) (kit.SweepRun, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// OpenSweep reads only runs that have changed.
func (w *workbench) OpenSweep(name string) (*sweeps.State, error) {
	runs, err := w.inspector.Runs.Runs()
	if err != nil {
		return nil, err
	}
	return sweeps.OpenAmong(name, runs)
}

func (*workbench) AskTasks(ctx context.Context, s *sweeps.State) (*sweeps.Tasks, error) {
	return sweeps.AskTasks(ctx, s)
}

func (*workbench) CancelTasks(ctx context.Context, s *sweeps.State) (tasks int, err error) {
	return sweeps.CancelTasks(ctx, s)
}

func (*workbench) ResubmitSweep(ctx context.Context, s *sweeps.State) (*sweeps.Plan, error) {
	return sweeps.Resubmit(ctx, s)
}

func (*workbench) CompareSweep(name string, w compare.ReportOptions) (*compare.Report, error) {
	runs, err := sweeps.Runs(name)
	if err != nil {
		return nil, err
	}
	return compare.NewReport(runs, w)
}

func (*workbench) ListSweeps() ([]sweeps.Entry, error) { return sweeps.List() }

func (w *workbench) ListExperiments() ([]reproduce.Entry, error) {
	runs, err := w.inspector.Runs.Runs()
	if err != nil {
		return nil, err
	}
	return reproduce.List(runs)
}

func (w *workbench) MeasureExperiment(id string) (*reproduce.Table, error) {
	e, err := reproduce.Get(id)
	if err != nil {
		return nil, err
	}
	runs, err := w.inspector.Runs.Runs()
	if err != nil {
		return nil, err
	}
	return e.Measure(runs)
}

func (w *workbench) PlanExperiment(ctx context.Context, id string) (*reproduce.Plan, error) {
	e, err := reproduce.Get(id)
	if err != nil {
		return nil, err
	}
	runs, err := w.inspector.Runs.Runs()
	if err != nil {
		return nil, err
	}
	return e.Plan(ctx, &w.inspector, runs, reproduce.Selection{}, false)
}

func (w *workbench) StartExperiment(ctx context.Context, id string, jobs int) (kit.SweepRun, error) {
	plan, err := w.PlanExperiment(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case plan.Selected == 0:
		return nil, sweep.ErrNoData
	case plan.Estimate.Runs == 0:
		return nil, sweep.ErrReproduced
	}
	options := sweeps.Options{Name: plan.State.Name, Jobs: jobs, Cells: plan.Cells()}
	return sweepRun(sweeps.Start(ctx, plan.State.Grid, options))
}
