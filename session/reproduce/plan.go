package reproduce

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"dgplab/datasets/wording"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
)

// Selection is a part of an experiment. Nil lists select everything.
type Selection struct {
	// Data are names of rows, and Splits are splits.
	Data, Splits []string
}

// Plan is the training of the runs that an experiment lacks.
type Plan struct {
	// State is the sweep with only the cells to train, in the order of Plan.
	State *sweep.State
	// Estimate is the time that they take.
	Estimate sweep.Estimate
	// Selected is the number of selected runs, including the finished ones.
	Selected int
}

// Cells returns the cells to train.
func (p *Plan) Cells() []sweep.Cell {
	cells := make([]sweep.Cell, len(p.State.Cells))
	for i := range p.State.Cells {
		cells[i] = p.State.Cells[i].Cell
	}
	return cells
}

// Plan returns the selected runs for which runs has no finished one, split by split. Runs that failed
// are included only if retry is set. It loads the data sets and times some steps of families without runs.
// Data sets that are not downloaded are left out.
func (e *Experiment) Plan(
	ctx context.Context, in *session.Inspector, runs []rundir.Info, part Selection, retry bool,
) (*Plan, error) {
	if err := e.checkSelected(part); err != nil {
		return nil, err
	}
	names, err := e.datasetsNamed(part.Data)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return &Plan{State: &sweep.State{Name: e.SweepName(), Grid: e.Grid()}}, nil
	}
	state, err := sweep.Preview(ctx, in, e.Grid(), e.SweepName())
	if err != nil {
		return nil, err
	}
	p := new(Plan)
	done := finished(runs)
	var missing []sweep.Cell
	for _, c := range state.Cells {
		if !slices.Contains(names, c.Dataset) {
			continue
		}
		if part.Splits != nil && !slices.Contains(part.Splits, c.Split) {
			continue
		}
		p.Selected++
		if done[c.Key] == nil {
			missing = append(missing, c.Cell)
		}
	}
	p.Estimate, err = sweep.Inspect(ctx, in, state.Only(missing), retry)
	if err != nil {
		return nil, err
	}
	if err := p.Estimate.TimeSteps(ctx, in); err != nil {
		return nil, err
	}
	e.order(missing, p.Estimate)
	p.State = state.Only(missing)
	return p, nil
}

// order sorts cells by data set, the cheapest first, then by split, and then by time. Training that ends
// early has then trained all methods on some splits, and not some methods on all splits.
func (e *Experiment) order(cells []sweep.Cell, estimate sweep.Estimate) {
	seconds := map[string]float64{} // of all runs of a data set
	for _, c := range cells {
		seconds[c.Config.Dataset] += estimate.Of(c)
	}
	slices.SortStableFunc(cells, func(a, b sweep.Cell) int {
		return cmp.Or(
			cmp.Compare(seconds[a.Config.Dataset], seconds[b.Config.Dataset]),
			cmp.Compare(a.Config.Dataset, b.Config.Dataset),
			cmp.Compare(slices.Index(e.splits, a.Config.Split), slices.Index(e.splits, b.Config.Split)),
			cmp.Compare(estimate.Of(a), estimate.Of(b)),
		)
	})
}

// Splits returns the number of splits, of one data set each, that the plan trains, and the number of those
// that end within a time in seconds with the given number of jobs.
func (p *Plan) Splits(seconds float64, jobs int) (within, all int) {
	type part struct{ dataset, split string }
	last := map[part]float64{} // time until the end of its last run
	total := 0.0
	for _, c := range p.State.Cells {
		total += p.Estimate.Of(c.Cell)
		last[part{c.Config.Dataset, c.Config.Split}] = total / float64(max(jobs, 1))
	}
	for _, end := range last {
		if end <= seconds {
			within++
		}
	}
	return within, len(last)
}

// checkSelected returns an error if the experiment lacks a selected row or split.
func (e *Experiment) checkSelected(part Selection) error {
	var known []string
	for _, d := range e.Data {
		if d.Name != AllDatasets {
			known = append(known, d.Name)
		}
	}
	for _, name := range part.Data {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%s has no data set %q%s", e.ID, name,
				wording.DidYouMeanOr(name, known, "its data sets are "+sweep.Join(known)))
		}
	}
	for _, split := range part.Splits {
		if !slices.Contains(e.splits, split) {
			return fmt.Errorf("%s has no split %s; its splits are %s", e.ID, split, sweep.Join(e.splits))
		}
	}
	return nil
}

// Part returns the experiment with only the selected rows and splits, for Measure. Ranks are those on the
// selected data sets.
func (e *Experiment) Part(part Selection) (*Experiment, error) {
	if err := e.checkSelected(part); err != nil {
		return nil, err
	}
	selected := *e
	if part.Data != nil {
		selected.Data = nil
		for _, d := range e.Data {
			if d.Name == AllDatasets || slices.Contains(part.Data, d.Name) {
				selected.Data = append(selected.Data, d)
			}
		}
	}
	if part.Splits != nil {
		selected.splits = part.Splits
		selected.Splits = sweep.Join(part.Splits)
	}
	return &selected, nil
}

// datasetsNamed returns the data sets of the named rows, or all of them if names is nil.
func (e *Experiment) datasetsNamed(names []string) ([]string, error) {
	if names == nil {
		return e.Grid().Datasets, nil
	}
	var list []string
	for i := range e.Data {
		d := &e.Data[i]
		switch {
		case !slices.Contains(names, d.Name):
		case d.Skipped != "":
			return nil, fmt.Errorf("%s is not trained: %s", d.Name, d.Skipped)
		case !d.Here():
			return nil, fmt.Errorf("%s is not downloaded; run: dgplab datasets fetch %[1]s", d.Dataset)
		default:
			list = append(list, d.Dataset)
		}
	}
	return list, nil
}
