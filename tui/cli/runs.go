package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/session/metric"
	"dgplab/session/query"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/viz/tables"
)

// listFlags are the flags of dgplab runs.
type listFlags struct {
	sort    string
	reverse bool
}

func (c *console) runsCommand() *cobra.Command {
	f := new(listFlags)
	cmd := c.answers(&cobra.Command{
		Use:   "runs [QUERY...]",
		Short: "List and find runs, show, annotate, compare, delete and restore them",
		Long: `List the runs, the newest first, or those that a query matches. Their directories
are in $DGPLAB_RUNS, or in dgplab/runs in $XDG_DATA_HOME or ~/.local/share.

A query is terms that must all hold:

  word           in the ID, name, data set, family, a tag or the note
  field:value    the field contains the value; for numbers, is the value
  field=value    the field is the value; also != and, for numbers, durations
                 (10m) and dates (2026-11-21), < <= > >=
  -term, !term   the term does not hold

* and ? stand for any characters and any one, field:* for any value; "..." holds
what has blanks. Put a query in quotes for the shell, and -- before one that
begins with a minus. The fields are

` + fieldList() + `

and the hyperparameters by their names.`,
		Example: `  dgplab runs
  dgplab runs 'family:star dataset:energy log_lik>-1' --sort log_lik
  dgplab runs 'preset:lindinger2020 state:finished'
  dgplab runs --json -- '-tag:old created>=today'`,
	}, func(cmd *cobra.Command, args []string) (answer, error) { return c.listRuns(cmd, f, args) })
	cmd.Flags().StringVar(&f.sort, "sort", "", "order by this `field`; runs without it come last (default created, the newest first)")
	cmd.Flags().BoolVar(&f.reverse, "reverse", false, "the other way round")
	completeFlags(cmd, map[string]cobra.CompletionFunc{"sort": complete(fieldNames)})
	cmd.AddCommand(c.showRunCommand(), c.diffRunsCommand(), c.tagCommand(), c.untagCommand(), c.renameCommand(), c.noteCommand(),
		c.deleteCommand(), c.trashCommand(), c.restoreCommand())
	return cmd
}

// fieldList names the fields that are no hyperparameters, for help.
func fieldList() string {
	var names []string
	for _, f := range query.Fields() {
		if !f.Hyperparameter {
			names = append(names, f.Name)
		}
	}
	return "  " + strings.Join(wrap(names, 76), "\n  ")
}

// runJSON is a line of the list of runs in JSON.
type runJSON struct {
	rundir.Info
	State string `json:"state"`
	Error string `json:"error,omitempty"`
	// NotesError says why the notes cannot be read.
	NotesError string `json:"notes_error,omitempty"`
}

func runFor(i rundir.Info) runJSON {
	return runJSON{Info: i, State: i.Standing(), Error: oneLine(i.Err), NotesError: oneLine(i.NotesErr)}
}

func (c *console) listRuns(cmd *cobra.Command, f *listFlags, words []string) (answer, error) {
	text := strings.Join(words, " ")
	filter, err := query.Parse(text)
	if err != nil {
		return answer{}, badQuery(cmd, "query", err)
	}
	list, err := rundir.List()
	if err != nil {
		return answer{}, err
	}
	none := len(list) == 0
	list = filter.Filter(list)
	switch {
	case f.sort != "":
		if err := query.Sort(list, f.sort, f.reverse); err != nil {
			return answer{}, badQuery(cmd, "--sort", err)
		}
	case f.reverse:
		slices.Reverse(list)
	}
	dir, err := rundir.Root()
	why := fmt.Sprintf("there are no runs in %s", dir)
	if !none && len(list) == 0 {
		why = fmt.Sprintf("no run matches %s%s", text, didYouMean(words[0], subcommands(cmd), "dgplab runs "))
	}
	return c.runs(list, why), err
}

// badQuery turns the error of a query or of a sort key into a usage error.
func badQuery(cmd *cobra.Command, what string, err error) error {
	var wrong *query.Error
	if errors.As(err, &wrong) && wrong.Unknown != "" {
		return usage(cmd, "bad %s: %s%s", what, oneLine(err), didYouMean(wrong.Unknown, fieldNames(), ""))
	}
	return usage(cmd, "bad %s: %s", what, oneLine(err))
}

// runs lists runs, or says why there are none.
func (c *console) runs(list []rundir.Info, none string) answer {
	return answer{
		json: func() any { return eachOf(list, runFor) },
		text: func() string {
			if len(list) == 0 {
				c.say("%s", none)
				return ""
			}
			for _, i := range list {
				if i.NotesErr != nil {
					c.say("warning: notes cannot be read: %s", oneLine(i.NotesErr))
				}
			}
			return c.tableText(runTable(list))
		},
	}
}

// runTable has a column for names and one for tags where there are any.
func runTable(list []rundir.Info) tables.Table {
	named := slices.ContainsFunc(list, func(i rundir.Info) bool { return i.Notes.Name != "" })
	tagged := slices.ContainsFunc(list, func(i rundir.Info) bool { return len(i.Notes.Tags) > 0 })
	t := tables.Table{Columns: []tables.Column{{Title: "run"}}}
	if named {
		t.Columns = append(t.Columns, tables.Column{Title: "name", Least: 8})
	}
	t.Columns = append(t.Columns,
		tables.Column{Title: "dataset", Least: 8, Drop: 4}, tables.Column{Title: "family", Drop: 5}, tables.Column{Title: "split", Drop: 3},
		tables.Column{Title: "state"}, tables.Column{Title: "drift", Drop: 6}, tables.Column{Title: "step", Right: true, Drop: 1},
		tables.Column{Title: metric.Get("val.best").Short, Right: true, Drop: 2}, tables.Column{Title: metric.Get("log_lik").Short, Right: true})
	if tagged {
		t.Columns = append(t.Columns, tables.Column{Title: "tags", Least: 8, Drop: 7})
	}
	for _, i := range list {
		row := runRow(i)
		if named {
			row = slices.Insert(row, 1, i.Notes.Name)
		}
		if tagged {
			row = append(row, strings.Join(i.Notes.Tags, " "))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func runRow(i rundir.Info) []string {
	row := []string{i.ID, i.Config.Dataset, i.Config.Family, i.Config.Split, i.Standing(), i.Summary.Verdict(), kit.Grouped(i.Step) + "/" + kit.Grouped(i.Steps)}
	for _, key := range []string{"val.best", "log_lik"} {
		row = append(row, kit.Value(metric.OfRun(&i), key))
	}
	return row
}
