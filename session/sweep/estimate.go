package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dgplab/datasets/table"
	"dgplab/session"
	"dgplab/session/rundir"
)

// Estimate describes cells before they are trained.
type Estimate struct {
	// Runs is the number of cells.
	Runs int `json:"runs"`
	// Seconds is the total training time of all steps of the cells, based on the speed of earlier runs of the
	// same family, and with the time of scoring for cells of TimeSteps. Early stopping may shorten it. With
	// successive halving, the slowest settings are assumed to continue. Unknown is the number of cells
	// without earlier runs, which are not included in Seconds.
	Seconds float64 `json:"seconds"`
	Unknown int     `json:"unknown"`
	// Timed is the number of cells whose time follows from TimeSteps.
	Timed int `json:"-"`
	// Longest is the longest training time of a cell with known speed, in seconds. Memory is the largest
	// estimated peak memory of a cell, in bytes.
	Longest float64 `json:"-"`
	Memory  float64 `json:"-"`
	// settings maps the keys of settings to the training time of one cell, in seconds.
	settings map[string]float64
	// untimed are the settings without earlier runs.
	untimed []*untimed
	// Notes and Warnings are collected from the previews of the runs, without duplicates and with their data
	// sets.
	Notes    []string `json:"-"`
	Warnings []string `json:"-"`
}

// untimed is a setting without earlier runs, with the number of its cells.
type untimed struct {
	cell  Cell
	plan  session.Preview
	cells int
}

// Time returns the training time with the given number of jobs. It assumes that parallel runs are as fast as
// a single run; in practice runs that share cores are slower. It returns 0 if the speed of some cells is
// unknown.
func (e Estimate) Time(jobs int) time.Duration {
	if e.Unknown > 0 || e.Runs == 0 {
		return 0
	}
	return duration(e.Seconds / float64(min(max(1, jobs), e.Runs)))
}

// Of returns the training time of an inspected cell in seconds, or 0 if it is unknown.
func (e Estimate) Of(c Cell) float64 { return e.settings[c.setting] }

// Inspect loads the data sets of the cells that remain to be trained (see State.Left), checks that their
// models and splits are valid, and estimates the training time. Models are sized once for all splits
// and seeds. The error names the invalid cell, or is the error of ctx.
func Inspect(ctx context.Context, in *session.Inspector, s *State, retry bool) (Estimate, error) {
	order := s.Left(retry)
	e := Estimate{Runs: len(order)}
	// Group cells by data set, because an Inspector caches only the last one.
	slices.SortStableFunc(order, func(a, b Cell) int {
		return cmp.Compare(a.Config.Dataset, b.Config.Dataset)
	})
	settings, splits := map[string]float64{}, map[string]bool{}
	slow := map[string]*untimed{}
	e.settings = settings
	for _, c := range order {
		seconds, seen := settings[c.setting]
		split := c.Config.Dataset + " " + c.Config.Split
		if !seen || !splits[split] {
			plan, err := in.Inspect(ctx, c.Config)
			if ctx.Err() != nil {
				return e, ctx.Err()
			}
			if err == nil && s.Grid.competes(c.Config) && plan.Data.Validation == 0 {
				err = errors.New("successive halving needs validation points, and the split leaves none")
			}
			if err != nil {
				return e, fmt.Errorf("%s: %w", c.Key, err)
			}
			seconds = plan.Seconds(plan.SecondsPerStep)
			settings[c.setting], splits[split] = seconds, true
			if !seen && seconds == 0 {
				slow[c.setting] = &untimed{cell: c, plan: plan}
				e.untimed = append(e.untimed, slow[c.setting])
			}
			e.Longest = max(e.Longest, seconds)
			e.Memory = max(e.Memory, plan.MemoryBytes)
			addNotes(&e.Notes, c.Config, plan.Notes)
			addNotes(&e.Warnings, c.Config, plan.Warnings)
		}
		e.Seconds += seconds
		if seconds == 0 {
			e.Unknown++
			slow[c.setting].cells++
		}
	}
	if s.Grid.Halving > 0 {
		e.Seconds = s.halvingSeconds(func(c *CellState) bool { return c.left(retry) },
			func(c *CellState) float64 { return settings[c.setting] },
			func(*CellState) float64 { return 0 })
	}
	return e, nil
}

// TimeSteps estimates the settings without earlier runs. It times some steps of the cheapest setting of each
// family, and the scoring of some test points, and scales their time to the others. A family that cannot be
// timed stays unknown. The error is that of ctx.
func (e *Estimate) TimeSteps(ctx context.Context, in *session.Inspector) error {
	slices.SortStableFunc(e.untimed, func(a, b *untimed) int {
		return cmp.Compare(a.plan.Size.StepFLOPs, b.plan.Size.StepFLOPs)
	})
	type measured struct{ seconds, operations, scoring float64 } // scoring is the time of a test point
	speeds := map[string]measured{}
	for _, u := range e.untimed {
		name := u.cell.Config.Family
		speed, ok := speeds[name]
		if !ok {
			timed, err := in.TimeSteps(ctx, u.cell.Config)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err == nil {
				points := max(1, u.plan.Data.Test)
				speed = measured{timed.Seconds, u.plan.Size.StepFLOPs, timed.Scoring / float64(points)}
			}
			speeds[name] = speed
		}
		if speed.seconds == 0 {
			continue
		}
		perStep := speed.seconds
		if speed.operations > 0 { // The size of a family may not count them.
			perStep = session.ScaledSeconds(perStep, u.plan.Size.StepFLOPs/speed.operations)
		}
		seconds := u.plan.Seconds(perStep) + speed.scoring*float64(u.plan.Data.Test)
		e.settings[u.cell.setting] = seconds
		e.Seconds += seconds * float64(u.cells)
		e.Longest = max(e.Longest, seconds)
		e.Unknown -= u.cells
		e.Timed += u.cells
	}
	e.untimed = nil
	return nil
}

// addNotes appends notes that the list lacks.
func addNotes(list *[]string, c rundir.Config, notes []table.Note) {
	for _, note := range notes {
		if text := c.Dataset + ": " + note.Text; !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
}
