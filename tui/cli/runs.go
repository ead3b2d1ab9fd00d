package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dgplab/datasets/wording"
	"dgplab/models/family"
	"dgplab/session/metric"
	"dgplab/session/query"
	"dgplab/session/rundir"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// listFlags holds the flags of dgplab runs.
type listFlags struct {
	sort    string
	reverse bool
}

func (c *console) runsCommand() *cobra.Command {
	f := new(listFlags)
	cmd := c.withOutput(&cobra.Command{
		Use:   "runs [QUERY...]",
		Short: "List, find, show, annotate, delete and restore runs",
		Long: `List all runs, or the runs that match a query, newest first. Run directories are
in $DGPLAB_RUNS, or in dgplab/runs in $XDG_DATA_HOME or ~/.local/share.

A query is a list of terms that must all match, or several lists joined by the
word or:

  word           the ID, name, data set, family, sweep, a tag or the note contains it
  field:value    the field contains the value; numbers must be equal
  field=value    the field equals the value; also != and, for numbers,
                 durations (10m) and dates (2026-11-21), < <= > >=
  field:a,b      the field contains a or b; also with = and !=
  -term, !term   the term does not match

* matches any characters, ? any single one, and field:* any value. Use "..." for
text with blanks or commas, and for the word or. Quote the query for the shell,
and put -- before a query that starts with a minus. The fields are

` + fieldList() + `

and the names of hyperparameters.`,
		Example: `  dgplab runs
  dgplab runs 'family:star dataset:energy log_lik>-1' --sort log_lik
  dgplab runs 'preset:lindinger2020 state:finished'
  dgplab runs 'family:star,svgp or tag:paper'
  dgplab runs --json -- '-tag:old created>=today'`,
	}, func(cmd *cobra.Command, args []string) (output, error) { return c.listRuns(cmd, f, args) })
	cmd.Flags().StringVar(&f.sort, "sort", "",
		"sort by this `field`; runs without it come last (default newest first)")
	cmd.Flags().BoolVar(&f.reverse, "reverse", false, "reverse the order")
	completeFlags(cmd, map[string]cobra.CompletionFunc{"sort": complete(fieldNames)})
	cmd.AddCommand(c.showRunCommand(), c.diffRunsCommand(), c.tagCommand(), c.untagCommand(),
		c.renameCommand(), c.noteCommand(),
		c.deleteCommand(), c.trashCommand(), c.restoreCommand())
	return cmd
}

// fieldList returns a list of the fields that are not hyperparameters.
func fieldList() string {
	var names []string
	for _, column := range metric.Columns() {
		if column.Hyperparameter == nil {
			names = append(names, column.Key)
		}
	}
	return "  " + strings.Join(wrap(names, 76), "\n  ")
}

// runJSON is a run in the list of runs in JSON.
type runJSON struct {
	ID      string    `json:"id"`
	Dir     string    `json:"dir"`
	Created time.Time `json:"created"`
	rundir.Config
	ObjectiveIs family.Objective `json:"objective_is"`
	rundir.Notes
	Parent    string            `json:"parent,omitempty"`
	WarmStart *rundir.WarmStart `json:"warm_start,omitempty"`
	Sweep     string            `json:"sweep,omitempty"`
	Step      int               `json:"step"`
	Steps     int               `json:"steps"`
	Resumable bool              `json:"resumable"`
	Summary   *rundir.Summary   `json:"summary,omitempty"`
	State     string            `json:"state"`
	Error     string            `json:"error,omitempty"`
	// NotesError is the reason why the notes cannot be read.
	NotesError string `json:"notes_error,omitempty"`
}

func runFor(i rundir.Info) runJSON {
	out := runJSON{
		ID: i.ID, Dir: i.Dir, Created: i.Created, Config: i.Config, ObjectiveIs: i.ObjectiveIs,
		Notes: i.Notes, Parent: i.Parent, WarmStart: i.WarmStart, Sweep: i.Sweep,
		Step: i.Step, Steps: i.Steps, Resumable: i.Resumable,
		State: i.Status(), Error: oneLine(i.Err), NotesError: oneLine(i.NotesErr),
	}
	if i.Results != nil && i.Results.Stop != "" {
		out.Summary = i.Results
	}
	return out
}

func (c *console) listRuns(cmd *cobra.Command, f *listFlags, words []string) (output, error) {
	text := strings.Join(words, " ")
	filter, err := query.Parse(text)
	if err != nil {
		return output{}, badQuery(cmd, "query", err)
	}
	var order query.Order
	if f.sort != "" {
		order, err = query.By(f.sort, f.reverse)
		if err != nil {
			return output{}, badQuery(cmd, "--sort", err)
		}
	}
	all, err := rundir.List()
	if err != nil {
		return output{}, err
	}
	list := filter.Filter(all)
	switch {
	case f.sort != "":
		order.Sort(list)
	case f.reverse:
		slices.Reverse(list)
	}
	dir, err := rundir.Root()
	why := fmt.Sprintf("no runs in %s", dir)
	if len(all) > 0 && len(list) == 0 {
		why = "no run matches " + text
	}
	if len(list) == 0 && len(words) > 0 {
		if near := wording.DidYouMean(words[0], subcommands(cmd), "dgplab runs "); near != "" {
			return output{}, usage(cmd, "unknown command or run: %q%s", words[0], near)
		}
	}
	return c.runs(list, why), err
}

// badQuery turns an error in a query or sort key into a usage error.
func badQuery(cmd *cobra.Command, what string, err error) error {
	var wrong *query.Error
	if errors.As(err, &wrong) && wrong.Unknown != "" {
		return usage(cmd, "bad %s: %s%s", what, oneLine(err),
			wording.DidYouMean(wrong.Unknown, fieldNames(), ""))
	}
	return usage(cmd, "bad %s: %s", what, oneLine(err))
}

// runs returns the list of runs as an output. Its text is none if the list is empty.
func (c *console) runs(list []rundir.Info, none string) output {
	return output{
		each: func(visit func(any) error) error {
			for _, run := range list {
				if err := visit(runFor(run)); err != nil {
					return err
				}
			}
			return nil
		},
		text: func() string {
			if len(list) == 0 {
				c.say("%s", none)
				return ""
			}
			for _, run := range list {
				if run.NotesErr != nil {
					c.say("warning: cannot read notes: %s", oneLine(run.NotesErr))
				}
			}
			return c.tableText(runTable(list))
		},
	}
}

// listColumns holds the columns of the list of runs from left to right. Names and tags are listed only if
// there are any.
var listColumns = []struct {
	key      string
	layout   tables.Column
	optional bool
}{
	{key: "id"},
	{key: "name", layout: tables.Column{Least: 8}, optional: true},
	{key: "dataset", layout: tables.Column{Least: 8, Drop: 4}},
	{key: "family", layout: tables.Column{Drop: 5}},
	{key: "split", layout: tables.Column{Drop: 3}},
	{key: "state"},
	{key: "drift", layout: tables.Column{Drop: 6}},
	{key: "step", layout: tables.Column{Drop: 1}},
	{key: "val.best", layout: tables.Column{Drop: 2}},
	{key: "log_lik"},
	{key: "tag", layout: tables.Column{Least: 8, Drop: 7}, optional: true},
}

// runTable returns the table of a list of runs.
func runTable(list []rundir.Info) tables.Table {
	rows := make([][]string, len(list))
	for i := range list {
		rows[i] = runRow(metric.OfInfo(&list[i]))
	}
	t := tables.Table{Rows: make([][]string, len(list))}
	for k, c := range listColumns {
		if c.optional && !slices.ContainsFunc(rows, func(row []string) bool { return row[k] != "" }) {
			continue
		}
		t.Columns = append(t.Columns, report.Column(metric.Get(c.key), c.layout))
		for i, row := range rows {
			t.Rows[i] = append(t.Rows[i], row[k])
		}
	}
	return t
}

// runRow returns the cells of listColumns for a run.
func runRow(r metric.Run) []string {
	row := make([]string, len(listColumns))
	for k, c := range listColumns {
		row[k] = report.Value(r, c.key)
	}
	return row
}
