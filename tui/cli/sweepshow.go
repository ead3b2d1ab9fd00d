package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/session/sweep"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

func (c *console) showSweepCommand() *cobra.Command {
	all := false
	cmd := c.withOutput(&cobra.Command{
		Use:   "show NAME",
		Short: "Show the values, progress and scores of a sweep",
		Long: `Show the values and progress of a sweep, and a table of the scores of finished
runs: mean and standard error over splits, or over the seeds of a single split.
Sweeps that another process is training can be shown, too.

If the sweep was submitted to Slurm, a table lists the unfinished runs: running,
pending with the reason, requeued after a time limit, failed with the last lines
of their logs. Without Slurm the states follow from the files alone.

With --json, print one JSON object that includes every run.`,
		Example:           "  dgplab sweep show steps-star-inducing-3f09a1",
		ValidArgsFunction: completeFirst(sweepNames),
		Args:              exactlyOne("sweep name"),
	}, func(cmd *cobra.Command, args []string) (answer, error) {
		state, err := openSweep(args[0])
		if err != nil {
			return answer{}, err
		}
		placed, err := sweep.Placed(cmd.Context(), state)
		return answer{
			text: func() string { return c.sweepText(state, placed, all) },
			json: func() any { return placedSweepFor(state, placed) },
		}, err
	})
	cmd.Flags().BoolVar(&all, "cells", false, "list all unfinished runs on Slurm")
	return cmd
}

// sweepText returns the text of dgplab sweep show. all lists all unfinished runs on Slurm.
func (c *console) sweepText(s *sweep.State, placed *sweep.Placements, all bool) string {
	var rows facts
	rows.add("sweep", "%s, %s", s.Name, sweepStanding(s))
	rows.add("created", "%s", s.Created.Local().Format("2006-01-02 15:04:05"))
	rows.grid(s)
	text := rows.String()
	text += c.sweepPlaces(s, placed, all)
	text += "\n" + c.sweepResult(s)
	if placed != nil {
		return text + submittedHint(s, placed)
	}
	if s.Phase == sweep.Over && !s.Complete() {
		hint := sweepCommandLine(s.Name)
		if len(s.Left(false)) == 0 {
			hint += " --retry"
		}
		if len(s.Left(true)) == 0 {
			return text // The settings of failed runs are out of the competition.
		}
		text += "\nto continue, run: " + hint + "\n"
	}
	return text
}

// submittedHint returns a hint about the runs on Slurm that need an action.
func submittedHint(s *sweep.State, p *sweep.Placements) string {
	active := false
	for _, at := range p.Cells {
		active = active || at != nil && at.Active()
	}
	if active || s.Complete() {
		return ""
	}
	return "\nto continue, run: dgplab sweep retry " + s.Name + "\n"
}

// sweepStanding describes the progress of a sweep.
func sweepStanding(s *sweep.State) string {
	parts := []string{fmt.Sprintf("%s of %s done",
		report.Grouped(s.Count(sweep.Done)), plural(len(s.Cells), "run"))}
	for _, status := range sweep.Statuses() {
		if n := s.Count(status); n > 0 && status != sweep.Done {
			parts = append(parts, fmt.Sprintf("%s %s", report.Grouped(n), status))
		}
	}
	return strings.Join(parts, ", ")
}

func (c *console) listSweepsCommand() *cobra.Command {
	return c.withOutput(&cobra.Command{
		Use:   "list",
		Short: "List the sweeps",
		Long: `List the sweeps, newest first, with the numbers of finished, running and failed
runs.`,
		Example: "  dgplab sweep list",
		Args:    noArguments,
	}, func(*cobra.Command, []string) (answer, error) {
		list, err := sweep.List()
		return answer{
			text: func() string { return c.sweepsText(list) },
			json: func() any { return eachOf(list, sweepEntryFor) },
		}, err
	})
}

// prunedColumn is the index of the number of pruned runs in the table of sweeps, if there are any.
const prunedColumn = 4

// sweepsText returns the sweeps as text.
func (c *console) sweepsText(list []sweep.Entry) string {
	if len(list) == 0 {
		c.say("no sweeps")
		return ""
	}
	return c.tableText(sweepsTable(list))
}

// sweepsTable has a row for each sweep.
func sweepsTable(list []sweep.Entry) tables.Table {
	t := tables.Table{Columns: []tables.Column{
		{Title: "sweep"}, {Title: "created", Drop: 3}, {Title: "runs", Right: true},
		{Title: "done", Right: true},
		{Title: "running", Right: true}, {Title: "failed", Right: true}, {Title: "over", Least: 12, Drop: 2},
	}}
	pruned := slices.ContainsFunc(list, func(e sweep.Entry) bool {
		return e.State != nil && e.State.Count(sweep.Pruned) > 0
	})
	if pruned {
		t.Columns = slices.Insert(t.Columns, prunedColumn, tables.Column{Title: "pruned", Right: true})
	}
	for _, e := range list {
		row := []string{e.Name, "", "", "", "", "", oneLine(e.Err)}
		count := ""
		if e.Err == nil {
			row = sweepRow(e.State)
			count = report.Grouped(e.State.Count(sweep.Pruned))
		}
		if pruned {
			row = slices.Insert(row, prunedColumn, count)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// sweepRow returns the table row of a sweep.
func sweepRow(s *sweep.State) []string {
	var varied []string
	for _, a := range s.Axes() {
		if len(a.Values) > 1 {
			varied = append(varied, axisText(a))
		}
	}
	return []string{
		s.Name, s.Created.Local().Format("2006-01-02 15:04"), report.Grouped(len(s.Cells)),
		report.Grouped(s.Count(sweep.Done)), report.Grouped(s.Count(sweep.Running)),
		report.Grouped(s.Count(sweep.Failed)), strings.Join(varied, " "),
	}
}

// sweepCellJSON is a run of a sweep in JSON.
type sweepCellJSON struct {
	Event string `json:"event,omitempty"`
	*sweep.CellState
	Error string           `json:"error,omitempty"`
	Slurm *sweep.Placement `json:"slurm,omitempty"`
}

func sweepCellFor(c *sweep.CellState) sweepCellJSON {
	return sweepCellJSON{CellState: c, Error: oneLine(c.Err)}
}

// sweepJSON is a sweep in JSON.
type sweepJSON struct {
	Event string `json:"event,omitempty"`
	*sweep.State
	Error string `json:"error,omitempty"`
	// Runs is the total number of runs. Counts holds the number of runs by status.
	Runs   int                  `json:"runs"`
	Counts map[sweep.Status]int `json:"counts,omitempty"`
	// Estimate is omitted once the sweep has begun.
	Estimate *sweep.Estimate `json:"estimate,omitempty"`
	Rows     []sweep.Row     `json:"rows,omitempty"`
	Cells    []sweepCellJSON `json:"cells,omitempty"`
	// Slurm holds the number of submitted runs by place, and SlurmError is the reason why Slurm could not be
	// queried.
	Slurm      map[sweep.Place]int `json:"slurm,omitempty"`
	SlurmError string              `json:"slurm_error,omitempty"`
}

// placedSweepFor returns a sweep with its table, its cells and their places. p can be nil.
func placedSweepFor(s *sweep.State, p *sweep.Placements) sweepJSON {
	out := sweepFor(s, true)
	if p == nil {
		return out
	}
	out.SlurmError = oneLine(p.Err)
	out.Slurm = map[sweep.Place]int{}
	for i, at := range p.Cells {
		if at != nil {
			out.Slurm[at.Place]++
			out.Cells[i].Slurm = at
		}
	}
	return out
}

// sweepFor returns a sweep with its table, and with its cells if cells is set.
func sweepFor(s *sweep.State, cells bool) sweepJSON {
	out := sweepJSON{State: s, Runs: len(s.Cells), Counts: map[sweep.Status]int{}, Rows: s.Rows()}
	for _, status := range sweep.Statuses() {
		if status != sweep.Pruned || s.Grid.Halving > 0 {
			out.Counts[status] = s.Count(status)
		}
	}
	if cells {
		for i := range s.Cells {
			out.Cells = append(out.Cells, sweepCellFor(&s.Cells[i]))
		}
	}
	return out
}

// sweepEntryFor returns a sweep with its table, or the error if it cannot be read.
func sweepEntryFor(e sweep.Entry) sweepJSON {
	if e.Err != nil {
		return sweepJSON{State: &sweep.State{Name: e.Name}, Error: oneLine(e.Err)}
	}
	return sweepFor(e.State, false)
}
