package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/session/rundir"
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

If the sweep was submitted to Slurm, its pending and running tasks are counted,
with the reason why they wait. A table lists the unfinished runs: failed, stopped,
running on a node, or waiting. The last lines of the logs explain failures.

With --json, print one JSON object that includes every run.`,
		Example:           "  dgplab sweep show steps-star-inducing-3f09a1",
		ValidArgsFunction: completeFirst(sweepNames),
		Args:              exactlyOne("sweep name"),
	}, func(cmd *cobra.Command, args []string) (output, error) {
		state, err := openSweep(args[0])
		if err != nil {
			return output{}, err
		}
		tasks, err := sweep.AskTasks(cmd.Context(), state)
		return output{
			text: func() string { return c.sweepText(state, tasks, all) },
			json: func() any { return submittedSweepFor(state, tasks) },
		}, err
	})
	cmd.Flags().BoolVar(&all, "cells", false, "list all unfinished runs on Slurm")
	return cmd
}

// sweepText returns the text of dgplab sweep show. tasks is nil if the sweep was not submitted to Slurm, and
// all lists all unfinished runs of a sweep that was.
func (c *console) sweepText(s *sweep.State, tasks *sweep.Tasks, all bool) string {
	var rows facts
	rows.add("sweep", "%s, %s", s.Name, sweepStanding(s))
	rows.add("created", "%s", s.Created.Local().Format("2006-01-02 15:04:05"))
	rows.grid(s)
	text := rows.String()
	if tasks != nil {
		text += c.submittedText(s, tasks, all)
	}
	text += "\n" + c.sweepResult(s)
	if tasks != nil {
		if tasks.Active() == 0 && tasks.Err == nil && !s.Complete() {
			text += "\nto continue, run: dgplab sweep retry " + s.Name + "\n"
		}
		return text
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

const (
	// unfinishedShown is the maximum number of listed unfinished runs, unless all are requested.
	unfinishedShown = 20
	// logsShown is the maximum number of logs whose last lines are printed, and logLines the number of lines
	// of each.
	logsShown = 5
	logLines  = 3
)

// submittedText describes the tasks and the unfinished runs of a sweep that was submitted to Slurm.
func (c *console) submittedText(s *sweep.State, tasks *sweep.Tasks, all bool) string {
	var rows facts
	if tasks.Err != nil {
		rows.add("tasks", "%s; the states follow from the files alone", oneLine(tasks.Err))
	} else {
		rows.add("tasks", "%s", report.Tasks(tasks))
	}
	order := unfinished(s)
	shown := order
	if !all {
		shown = order[:min(unfinishedShown, len(order))]
	}
	text := rows.String()
	if len(shown) > 0 {
		text += "\n" + c.tableText(unfinishedTable(s, tasks, shown))
	}
	if more := len(order) - len(shown); more > 0 {
		text += fmt.Sprintf("and %s more; --cells lists all\n", report.Grouped(more))
	}
	return text + lastLogs(s, tasks, order)
}

// unfinished returns the indices of the unfinished runs: failed, stopped, running and waiting ones, each in
// the order of the cells.
func unfinished(s *sweep.State) (order []int) {
	for _, status := range []sweep.Status{sweep.Failed, sweep.Stopped, sweep.Running, sweep.Waiting} {
		for i := range s.Cells {
			if s.Cells[i].Status == status {
				order = append(order, i)
			}
		}
	}
	return order
}

// unfinishedTable has a row for each of some runs of a sweep that was submitted.
func unfinishedTable(s *sweep.State, tasks *sweep.Tasks, indices []int) tables.Table {
	t := tables.Table{Columns: []tables.Column{{Title: "#", Right: true}, {Title: "run", Least: 16},
		{Title: "state"}, {Title: "node", Drop: 3}, {Title: "steps", Right: true},
		{Title: "steps/s", Right: true, Drop: 2}, {Title: "left", Right: true, Drop: 1},
		{Title: "because", Least: 12}}}
	varied := s.Varied()
	for _, i := range indices {
		c := &s.Cells[i]
		steps, rate, left := report.CellProgress(c)
		reason := oneLine(c.Err)
		if reason == "" && tasks.Awaits(c) {
			reason = "awaited by tasks"
		}
		t.Rows = append(t.Rows, []string{strconv.Itoa(i), cellTitle(c, varied), string(c.Status), c.Node,
			steps, rate, left, reason})
	}
	return t
}

// cellTitle returns the values of a cell that vary in its sweep.
func cellTitle(c *sweep.CellState, varied []string) string {
	var parts []string
	for _, name := range varied {
		value := c.Config.Field(name)
		if !rundir.IsField(name) || name == rundir.SeedField {
			value = name + "=" + value
		}
		parts = append(parts, value)
	}
	return strings.Join(parts, " ")
}

// lastLogs returns the last lines of the logs of some failed and stopped runs. If there are no such runs
// and no tasks, it returns the last lines of the newest log, because the tasks may have ended before
// their first run.
func lastLogs(s *sweep.State, tasks *sweep.Tasks, order []int) string {
	var b strings.Builder
	n := 0
	add := func(title, log string) {
		lines := sweep.LastLines(log, logLines)
		if len(lines) == 0 || n == logsShown {
			return
		}
		n++
		fmt.Fprintf(&b, "\n%s%s\n", title, log)
		for _, line := range lines {
			fmt.Fprintf(&b, "    %s\n", report.Printable(line))
		}
	}
	for _, i := range order {
		c := &s.Cells[i]
		if c.Status == sweep.Failed || c.Status == sweep.Stopped {
			add(fmt.Sprintf("%d %s: ", i, cellTitle(c, s.Varied())), c.Log)
		}
	}
	if n == 0 && len(order) > 0 && tasks.Active() == 0 {
		add("", s.LastLog())
	}
	return b.String()
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
	}, func(*cobra.Command, []string) (output, error) {
		list, err := sweep.List()
		return output{
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
	Error string `json:"error,omitempty"`
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
	// Tasks holds the tasks on Slurm, and SlurmError is the reason why Slurm could not be asked for them.
	Tasks      *sweep.Tasks `json:"tasks,omitempty"`
	SlurmError string       `json:"slurm_error,omitempty"`
}

// submittedSweepFor returns a sweep with its table, its cells and its tasks. tasks can be nil.
func submittedSweepFor(s *sweep.State, tasks *sweep.Tasks) sweepJSON {
	out := sweepFor(s, true)
	if tasks != nil {
		out.Tasks, out.SlurmError = tasks, oneLine(tasks.Err)
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
