package cli

import (
	"github.com/spf13/cobra"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/viz/tables"
)

func (c *console) diffRunsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff ID ID...",
		Short: "Show where the configurations of runs differ",
		Long: `Show where the configurations of runs differ: a line for every field that is not
the same in all of them, - where a run does not have it.
` + idHelp,
		Example:           "  dgplab runs diff 20250131-142501 20250131-150210",
		ValidArgsFunction: complete(runNames),
		Args:              someRuns(2),
		RunE:              c.diffRuns,
	}
	formFlags(cmd, jsonForm)
	return cmd
}

// diffJSON is what dgplab runs diff --json prints. Values are in the order of the runs.
type diffJSON struct {
	Runs        []string             `json:"runs"`
	Differences []session.Difference `json:"differences"`
}

func (c *console) diffRuns(cmd *cobra.Command, ids []string) error {
	var runs []rundir.Info
	for _, id := range ids {
		info, err := findRun(id)
		if err != nil {
			return err
		}
		runs = append(runs, info)
	}
	out := diffJSON{Differences: []session.Difference{}}
	t := tables.Table{Columns: []tables.Column{{Title: "field"}}}
	for _, run := range runs {
		out.Runs = append(out.Runs, run.ID)
		title := run.Notes.Name
		if title == "" {
			title = run.ID
		}
		t.Columns = append(t.Columns, tables.Column{Title: title, Least: 8})
	}
	for _, d := range session.Differences(runs) {
		out.Differences = append(out.Differences, d)
		row := []string{d.Field}
		for _, value := range d.Values {
			if value == "" {
				value = "-"
			}
			row = append(row, value)
		}
		t.Rows = append(t.Rows, row)
	}
	return c.write(cmd, answer{json: func() any { return out }, text: func() string {
		if len(t.Rows) == 0 {
			c.say("the configurations do not differ")
			return ""
		}
		return c.tableText(t)
	}})
}
