package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

const (
	// placesShown is the maximum number of runs listed, unless all are requested.
	placesShown = 20
	// logsShown is the maximum number of failed runs whose last log lines are printed, and logLines the
	// number of lines of each.
	logsShown = 5
	logLines  = 3
)

// sweepPlaces returns the text about the runs of a sweep on Slurm, or "" if it was not submitted. all
// lists all unfinished runs.
func (c *console) sweepPlaces(s *sweep.State, p *sweep.Placements, all bool) string {
	if p == nil {
		return ""
	}
	var rows facts
	rows.add("slurm", "%s", report.Places(p))
	if p.Err != nil {
		rows.add("", "%s; the states follow from the files alone", oneLine(p.Err))
	}
	order := unfinished(p)
	shown := order
	if !all {
		shown = order[:min(placesShown, len(order))]
	}
	text := rows.String()
	if len(shown) > 0 {
		text += "\n" + c.tableText(placesTable(s, p, shown))
	}
	if more := len(order) - len(shown); more > 0 {
		text += fmt.Sprintf("and %s more; --cells lists all\n", report.Grouped(more))
	}
	return text + lastLogs(s, p, order)
}

// unfinished returns the indices of the unfinished runs that were submitted: failed and lost ones,
// then running ones, then the others, in the order of the cells.
func unfinished(p *sweep.Placements) []int {
	ranks := []sweep.Place{sweep.PlaceFailed, sweep.PlaceLost, sweep.PlaceTimedOut, sweep.PlaceCancelled,
		sweep.PlaceRunning, sweep.PlaceRequeued, sweep.PlacePending, sweep.PlaceUnknown}
	var order []int
	for i, at := range p.Cells {
		if at != nil && at.Place != sweep.PlaceDone {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(slices.Index(ranks, p.Cells[a].Place), slices.Index(ranks, p.Cells[b].Place))
	})
	return order
}

// placesTable has a row for each of some runs.
func placesTable(s *sweep.State, p *sweep.Placements, indices []int) tables.Table {
	t := tables.Table{Columns: []tables.Column{{Title: "#", Right: true}, {Title: "run", Least: 16},
		{Title: "state"}, {Title: "node", Drop: 3}, {Title: "steps", Right: true},
		{Title: "steps/s", Right: true, Drop: 2}, {Title: "left", Right: true, Drop: 1},
		{Title: "because", Least: 12}}}
	varied := s.Varied()
	for _, i := range indices {
		cell, at := &s.Cells[i], p.Cells[i]
		steps, rate, left := report.PlaceProgress(cell, at)
		t.Rows = append(t.Rows, []string{strconv.Itoa(i), cellTitle(cell, varied), report.Place(at), at.Node,
			steps, rate, left, at.Reason})
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

// lastLogs returns the last lines of the logs of some failed runs.
func lastLogs(s *sweep.State, p *sweep.Placements, order []int) string {
	var b strings.Builder
	n := 0
	for _, i := range order {
		at := p.Cells[i]
		if at.Place != sweep.PlaceFailed && at.Place != sweep.PlaceLost || n == logsShown {
			continue
		}
		lines := sweep.LastLines(at.Log, logLines)
		if len(lines) == 0 {
			continue
		}
		n++
		fmt.Fprintf(&b, "\n%d %s: %s\n", i, cellTitle(&s.Cells[i], s.Varied()), at.Log)
		for _, line := range lines {
			fmt.Fprintf(&b, "    %s\n", report.Printable(line))
		}
	}
	return b.String()
}
