package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dgplab/session"
	"dgplab/viz"
)

func (c *console) runsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the runs, or show one",
		Long: `List the runs, the newest first. Their directories are in $DGPLAB_RUNS, or in
dgplab/runs in $XDG_DATA_HOME or ~/.local/share.`,
		Example: `  dgplab runs
  dgplab runs show 20250131-142501`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return c.listRuns(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(c.showRunCommand())
	return cmd
}

// runJSON is a line of the list of runs in JSON.
type runJSON struct {
	ID      string           `json:"id"`
	Dir     string           `json:"dir"`
	State   session.RunState `json:"state"`
	Error   string           `json:"error,omitempty"`
	Created time.Time        `json:"created"`
	session.Config
	Step      int              `json:"step"`
	Steps     int              `json:"steps"`
	Resumable bool             `json:"resumable"`
	Summary   *session.Summary `json:"summary,omitempty"`
}

func runFor(i session.RunInfo) runJSON {
	out := runJSON{
		ID: i.ID, Dir: i.Dir, State: i.State, Created: i.Created, Config: i.Config,
		Step: i.Step, Steps: i.Steps, Resumable: i.Resumable, Summary: i.Summary,
	}
	if i.Err != nil {
		out.Error = oneLine(i.Err)
	}
	return out
}

func (c *console) listRuns(asJSON bool) error {
	list, err := session.Runs()
	if err != nil {
		return err
	}
	if asJSON {
		out := []runJSON{}
		for _, i := range list {
			out = append(out, runFor(i))
		}
		return c.json(out)
	}
	if len(list) == 0 {
		dir, err := session.RunsDir()
		if err != nil {
			return err
		}
		c.say("there are no runs in %s", dir)
		return nil
	}
	t := viz.Table{Columns: []viz.Column{
		{Title: "run"}, {Title: "dataset", Flexible: true, Min: 8, Drop: 4}, {Title: "family", Drop: 5}, {Title: "split", Drop: 3},
		{Title: "state"}, {Title: "step", Right: true, Drop: 1}, {Title: "val log-lik", Right: true, Drop: 2}, {Title: "test log-lik", Right: true},
	}}
	for _, i := range list {
		t.Rows = append(t.Rows, runRow(i))
	}
	return c.table(t)
}

func runRow(i session.RunInfo) []string {
	row := []string{i.ID, i.Config.Dataset, i.Config.Family, i.Config.Split, string(i.State), grouped(i.Step) + "/" + grouped(i.Steps), "", ""}
	if s := i.Summary; s != nil {
		row[4] = string(s.Stop)
		if s.BestStep > 0 {
			row[6] = fixed(float64(s.BestVal))
		}
		if s.Test != nil {
			row[7] = fixed(s.Test.LogLik)
		}
	}
	return row
}

func (c *console) showRunCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one run: configuration, results and curves",
		Long: `Show one run: its configuration, its results, its curves and the covariance map
at its last checkpoint. ID may be the beginning of an ID if there is only one
such run. A run that another process is training can be shown too.`,
		Example:           "  dgplab runs show 20250131-142501",
		ValidArgsFunction: complete(runNames),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(cmd, "want one run ID, not %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			record, err := session.Open(args[0])
			if err != nil {
				return &usageError{oneLine(err), "dgplab runs"}
			}
			if asJSON {
				return c.json(runFor(record.RunInfo))
			}
			return c.showRun(cmd.Context(), record)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func runNames() []string {
	list, err := session.Runs()
	if err != nil {
		return nil
	}
	var names []string
	for _, i := range list {
		names = append(names, i.ID)
	}
	return names
}

func (c *console) showRun(ctx context.Context, r *session.Record) error {
	if r.State == session.RunBroken {
		return fmt.Errorf("%s: %w", r.ID, r.Err)
	}
	s := r.Snapshot()
	if r.CheckpointStep >= 0 {
		var err error
		if s.Diagnostics, err = r.Look(ctx); err != nil {
			c.say("warning: no covariance map: %s", oneLine(err))
		}
	}
	parts := []string{configuration(r), result(s)}
	if p := c.pictures(s, true); p != "" {
		parts = append(parts, p)
	}
	if r.Resumable {
		parts = append(parts, "continue with: dgplab train --resume "+r.ID+"\n")
	}
	return c.print(strings.Join(parts, "\n"))
}

// configuration says what was trained, on what: the command that does it again,
// and every hyperparameter, those that were set first.
func configuration(r *session.Record) string {
	s := r.Snapshot()
	var rows facts
	rows.add("run", "%s, %s", r.ID, r.State)
	rows.add("created", "%s", r.Created.Local().Format("2006-01-02 15:04:05"))
	rows.add("data", "%s, %s: %s training, %s validation, %s test points; %s, %s", s.Dataset, s.Split,
		grouped(s.N), grouped(s.NumValidation), grouped(s.NumTest), plural(s.D, "input"), plural(s.P, "target"))
	rows.add("command", "%s", commandLine(r.Config))
	var values []string
	for _, name := range sortedKeys(r.Values) {
		values = append(values, name+"="+r.Values[name])
	}
	for i, line := range wrap(values, pictureWidth) {
		name := ""
		if i == 0 {
			name = "hyperparameters"
		}
		rows.add(name, "%s", line)
	}
	return rows.String()
}

// wrap joins words into lines of at most w characters, if no word is longer.
func wrap(words []string, w int) []string {
	var lines []string
	for _, word := range words {
		if n := len(lines); n > 0 && len(lines[n-1])+1+len(word) <= w {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return slices.Clip(lines)
}
