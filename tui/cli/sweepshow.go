package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/session/sweep"
	"dgplab/viz/tables"
)

func (c *console) showSweepCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show one sweep: its values, how far it is, and the scores",
		Long: `Show one sweep: its values, how far it is, and a table of the scores of the runs
that are done: mean and standard error over splits, or over seeds where there is
one split. A sweep that another process is training can be shown too.

With --json, the same with every run as one JSON object.`,
		Example:           "  dgplab sweep show steps-star-inducing-3f09a1",
		ValidArgsFunction: completeFirst(sweepNames),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(cmd, "want one name of a sweep, not %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			state, err := openSweep(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return c.json(sweepFor(state, true))
			}
			return c.print(c.sweepText(state))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// sweepText is what sweep show prints.
func (c *console) sweepText(s *sweep.State) string {
	var rows facts
	rows.add("sweep", "%s, %s", s.Name, sweepStanding(s))
	rows.add("created", "%s", s.Created.Local().Format("2006-01-02 15:04:05"))
	rows.grid(s)
	text := rows.String() + "\n" + c.sweepResult(s)
	if s.Phase == sweep.Over && !s.Complete() {
		hint := sweepCommandLine(s.Name)
		if len(s.Left(false)) == 0 {
			hint += " --retry"
		}
		text += "\ncontinue with: " + hint + "\n"
	}
	return text
}

// sweepStanding says how far a sweep is.
func sweepStanding(s *sweep.State) string {
	parts := []string{fmt.Sprintf("%s of %s done", grouped(s.Count(sweep.Done)), plural(len(s.Cells), "run"))}
	for _, status := range sweep.Statuses() {
		if n := s.Count(status); n > 0 && status != sweep.Done {
			parts = append(parts, fmt.Sprintf("%s %s", grouped(n), status))
		}
	}
	return strings.Join(parts, ", ")
}

func (c *console) listSweepsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the sweeps",
		Long: `List the sweeps, the newest first, with how many of their runs are done, running
and failed.`,
		Example: "  dgplab sweep list",
		Args:    noArguments,
		RunE:    func(*cobra.Command, []string) error { return c.listSweeps(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (c *console) listSweeps(asJSON bool) error {
	list, err := sweep.List()
	if err != nil {
		return err
	}
	if asJSON {
		out := []sweepJSON{}
		for _, e := range list {
			if e.Err != nil {
				out = append(out, sweepJSON{State: &sweep.State{Name: e.Name}, Error: oneLine(e.Err)})
			} else {
				out = append(out, sweepFor(e.State, false))
			}
		}
		return c.json(out)
	}
	if len(list) == 0 {
		c.say("there are no sweeps")
		return nil
	}
	t := tables.Table{Columns: []tables.Column{
		{Title: "sweep"}, {Title: "created", Drop: 3}, {Title: "runs", Right: true}, {Title: "done", Right: true},
		{Title: "running", Right: true}, {Title: "failed", Right: true}, {Title: "over", Least: 12, Drop: 2},
	}}
	for _, e := range list {
		if e.Err != nil {
			t.Rows = append(t.Rows, []string{e.Name, "", "", "", "", "", oneLine(e.Err)})
			continue
		}
		t.Rows = append(t.Rows, sweepRow(e.State))
	}
	return c.table(t)
}

// sweepRow is a line of the list of sweeps.
func sweepRow(s *sweep.State) []string {
	var varied []string
	for _, a := range s.Axes() {
		if len(a.Values) > 1 {
			varied = append(varied, axisText(a))
		}
	}
	return []string{
		s.Name, s.Created.Local().Format("2006-01-02 15:04"), grouped(len(s.Cells)),
		grouped(s.Count(sweep.Done)), grouped(s.Count(sweep.Running)), grouped(s.Count(sweep.Failed)), strings.Join(varied, " "),
	}
}
