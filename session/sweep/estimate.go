package sweep

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"dgplab/datasets/columns"
	"dgplab/session"
	"dgplab/session/rundir"
)

// Estimate is what is known of cells before they are trained.
type Estimate struct {
	// Runs counts the cells.
	Runs int `json:"runs"`
	// Seconds is the training time of all cells, one after the other, with all of
	// their steps: early stopping can end them sooner. It comes from the speed of
	// earlier runs of the same family; Unknown counts the cells of families that have
	// none, which are not in Seconds.
	Seconds float64 `json:"seconds"`
	Unknown int     `json:"unknown"`
	// Notes and Warnings are those of the plans, each once, with the data set they are about.
	Notes    []string `json:"-"`
	Warnings []string `json:"-"`
}

// Time returns how long jobs workers take, if each of them trains as fast as a run
// alone does; 0 when the speed of some cells is not known. Runs that share the
// cores are slower.
func (e Estimate) Time(jobs int) time.Duration {
	if e.Unknown > 0 || e.Runs == 0 {
		return 0
	}
	return duration(e.Seconds / float64(min(max(1, jobs), e.Runs)))
}

// Inspect loads the data sets of cells, makes sure that all their models fit them
// and their splits exist, and estimates the time. Models are sized once for all
// splits and seeds. The error says which cell there cannot be, or is that of ctx.
func Inspect(ctx context.Context, in *session.Inspector, cells []Cell) (Estimate, error) {
	e := Estimate{Runs: len(cells)}
	order := slices.Clone(cells)
	// Cells of the same data stand together: an Inspector remembers the last data set.
	slices.SortStableFunc(order, func(a, b Cell) int {
		return cmp.Compare(a.Config.Dataset, b.Config.Dataset)
	})
	settings, splits := map[string]float64{}, map[string]bool{} // seconds of a whole run
	for _, c := range order {
		seconds, seen := settings[c.setting]
		split := c.Config.Dataset + " " + c.Config.Split
		if !seen || !splits[split] {
			plan, err := in.Inspect(ctx, c.Config)
			if ctx.Err() != nil {
				return e, ctx.Err()
			}
			if err != nil {
				return e, fmt.Errorf("%s: %w", c.Key, err)
			}
			seconds = plan.SecondsPerStep * float64(plan.Steps)
			settings[c.setting], splits[split] = seconds, true
			tell(&e.Notes, c.Config, plan.Notes)
			tell(&e.Warnings, c.Config, plan.Warnings)
		}
		e.Seconds += seconds
		if seconds == 0 {
			e.Unknown++
		}
	}
	return e, nil
}

// tell adds to a list what is not told yet.
func tell(list *[]string, c rundir.Config, notes []columns.Note) {
	for _, note := range notes {
		if text := c.Dataset + ": " + note.Text; !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
}
