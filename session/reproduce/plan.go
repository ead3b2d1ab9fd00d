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
	// State is the sweep with only the cells to train, the cheapest first.
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

// Plan returns the selected runs for which runs has no finished one, cheapest first. Runs that failed
// are included only if retry is set. It loads the data sets and times some steps of families without runs.
// Data sets that are not downloaded are left out.
func (e *Experiment) Plan(
	ctx context.Context, in *session.Inspector, runs []rundir.Info, part Selection, retry bool,
) (*Plan, error) {
	if err := e.checkSelected(part); err != nil {
		return nil, err
	}
	names, err := e.datasets(part.Data)
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
	slices.SortStableFunc(missing, func(a, b sweep.Cell) int {
		return cmp.Compare(p.Estimate.Of(a), p.Estimate.Of(b))
	})
	p.State = state.Only(missing)
	return p, nil
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

// datasets returns the data sets of the named rows, or all of them if names is nil.
func (e *Experiment) datasets(names []string) ([]string, error) {
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
