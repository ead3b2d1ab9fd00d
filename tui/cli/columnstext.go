package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/session/rundir"
	"dgplab/tui/report"
)

// maxColumns is the default number of columns to print.
const maxColumns = 100

// columnRange is the range of columns selected by --columns. Columns are numbered from 0.
type columnRange struct {
	set         bool
	first, last int
}

// String implements pflag.Value.
func (r *columnRange) String() string { return "" }

// Type implements pflag.Value.
func (r *columnRange) Type() string { return "range" }

// Set implements pflag.Value. The text is "all", a column, or the first and the last column.
func (r *columnRange) Set(text string) error {
	first, last, several := strings.Cut(text, "-")
	if !several {
		last = first
	}
	if text == "all" {
		first, last = "0", strconv.Itoa(math.MaxInt-1)
	}
	from, err := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if err != nil || err2 != nil || from < 0 || to < from {
		return errors.New("invalid range of columns")
	}
	*r = columnRange{set: true, first: from, last: to}
	return nil
}

// of returns the columns in the range, and the number of columns after it.
func (r *columnRange) of(list []table.Column) (shown []table.Column, more int) {
	first, last := 0, maxColumns-1
	if r.set {
		first, last = r.first, r.last
	}
	first = min(first, len(list))
	end := min(last+1, len(list))
	return list[first:end], len(list) - end
}

// fileOutput describes the columns of a file.
func (c *console) fileOutput(cmd *cobra.Command, s datasets.Source, shown columnRange) (output, error) {
	t, err := datasets.Describe(cmd.Context(), s)
	if err != nil {
		return output{}, blame(cmd, rundir.Config{Targets: s.Targets, Columns: s.Columns}, err)
	}
	return output{
		text: func() string { return c.fileText(s.Name, t, shown) },
		json: func() any { return newFileJSON(t) }, trouble: t.Err,
	}, nil
}

// fileJSON describes a file and the error that prevents training on it.
type fileJSON struct {
	*table.Description
	Trouble string `json:"trouble,omitempty"`
}

func newFileJSON(t *table.Description) fileJSON {
	out := fileJSON{Description: t}
	if t.Err != nil {
		out.Trouble = t.Err.Error()
	}
	return out
}

// fileText describes a file: facts, a table of its columns, and notes.
func (c *console) fileText(name string, t *table.Description, shown columnRange) string {
	var head, notes facts
	format := cmp.Or(t.Format, "cells separated by "+delimiterName(t.Delimiter))
	head.add("data set", "file %s, %s", name, format)
	if t.Dropped > 0 {
		head.add("rows", "%s, %s of them dropped because of missing cells",
			report.Grouped(t.Rows), report.Grouped(t.Dropped))
	} else {
		head.add("rows", "%s", report.Grouped(t.Rows))
	}
	head.add("inputs", "%d", t.D)
	if t.Task == "" {
		head.add("targets", "%d", t.P)
	} else {
		head.add("targets", "%d (%s)", t.P, t.Task)
	}
	page := *t
	more := 0
	page.Columns, more = shown.of(t.Columns)
	for _, column := range page.Columns {
		if column.Note != "" && column.Role == table.Ignored {
			notes.add("note", "%s is ignored: %s", column.Name, column.Note)
		}
		if column.Kind == table.Category || column.Role == table.Target {
			c.levelFacts(&notes, column, t.Rows)
		}
	}
	notes.dataNotes(t.Notes, t.Warnings)
	text := head.String() + "\n" + c.tableText(report.ColumnTable(&page, c.style(), table.Bins))
	if more > 0 {
		next := len(t.Columns) - more
		text += fmt.Sprintf("%s; use --columns %d-%d for the next ones, or --columns all\n",
			plural(more, "more column"), next, min(next+maxColumns, len(t.Columns))-1)
	}
	return text + strings.TrimSuffix("\n"+notes.String(), "\n") + "\n"
}

// dataNotes adds notes and warnings about data, with the flags that address them.
func (f *facts) dataNotes(notes, warnings []table.Note) {
	f.remarks("note", eachOf(notes, table.Note.String), eachOf(warnings, table.Note.String))
}

// remarks adds warnings, followed by notes under the given name.
func (f *facts) remarks(name string, notes, warnings []string) {
	for _, w := range warnings {
		f.add("warning", "%s", w)
	}
	for _, note := range notes {
		f.add(name, "%s", note)
	}
}

// levelFacts adds the number of rows for each level of a column.
func (c *console) levelFacts(list *facts, column table.Column, rows int) {
	const most = 20
	for k, level := range column.Levels {
		what := ""
		if k == 0 {
			what = column.Name
		}
		if k == most {
			list.add("", "and %d more", len(column.Levels)-most)
			return
		}
		list.add(what, "%s: %s (%.1f %%)", level.Name, plural(level.Count, "row"),
			100*float64(level.Count)/float64(rows))
	}
}

func delimiterName(delimiter string) string {
	switch delimiter {
	case ",":
		return "commas"
	case ";":
		return "semicolons"
	case "|":
		return "bars"
	case "\t":
		return "tabs"
	}
	return "blanks"
}
