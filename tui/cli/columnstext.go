package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets"
	"dgplab/datasets/columns"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
)

// fileAnswer says what the columns of a file are.
func (c *console) fileAnswer(cmd *cobra.Command, s datasets.Source) (answer, error) {
	t, err := datasets.Describe(cmd.Context(), s)
	if err != nil {
		return answer{}, err
	}
	return answer{text: func() string { return c.fileText(s.Name, t) }, json: func() any { return newFileJSON(t) }, trouble: t.Trouble}, nil
}

// fileJSON is what becomes of a file, with what keeps it from being used.
type fileJSON struct {
	*columns.Table
	Trouble string `json:"trouble,omitempty"`
}

func newFileJSON(t *columns.Table) fileJSON {
	out := fileJSON{Table: t}
	if t.Trouble != nil {
		out.Trouble = t.Trouble.Error()
	}
	return out
}

// fileText says what becomes of a file: a few facts, a table of its columns, and notes.
func (c *console) fileText(name string, t *columns.Table) string {
	var head, notes facts
	head.add("data set", "file %s, cells separated by %s", name, delimiterName(t.Delimiter))
	if t.Dropped > 0 {
		head.add("rows", "%s, of which %s dropped for missing cells", kit.Grouped(t.Rows), kit.Grouped(t.Dropped))
	} else {
		head.add("rows", "%s", kit.Grouped(t.Rows))
	}
	head.add("inputs", "%d", t.D)
	if t.Task == "" {
		head.add("targets", "%d", t.P)
	} else {
		head.add("targets", "%d (%s)", t.P, t.Task)
	}
	for _, column := range t.Columns {
		if column.Note != "" && column.Role == columns.Ignored {
			notes.add("note", "%s is ignored: %s", column.Name, column.Note)
		}
		if column.Kind == columns.Category || column.Role == columns.Target {
			c.levelFacts(&notes, column, t.Rows)
		}
	}
	notes.dataNotes(t.Notes, t.Warnings)
	return head.String() + "\n" + c.tableText(picture.Columns(t, c.style(), columns.Bins)) + strings.TrimSuffix("\n"+notes.String(), "\n") + "\n"
}

// dataNotes adds what is said of data, with what flags do about it.
func (f *facts) dataNotes(notes, warnings []columns.Note) {
	f.remarks("note", eachOf(notes, columns.Note.String), eachOf(warnings, columns.Note.String))
}

// remarks adds what is to be known, warnings first; name is that of what is no warning.
func (f *facts) remarks(name string, notes, warnings []string) {
	for _, w := range warnings {
		f.add("warning", "%s", w)
	}
	for _, note := range notes {
		f.add(name, "%s", note)
	}
}

// levelFacts says how many rows each level of a column has.
func (c *console) levelFacts(list *facts, column columns.Column, rows int) {
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
		list.add(what, "%s: %s (%.1f %%)", level.Name, plural(level.Count, "row"), 100*float64(level.Count)/float64(rows))
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
