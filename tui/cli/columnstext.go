package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets"
	"dgplab/datasets/columns"
	"dgplab/tui/kit"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
	"dgplab/viz/spark"
	"dgplab/viz/tables"
)

// fileAnswer says what the columns of a file are.
func (c *console) fileAnswer(cmd *cobra.Command, s datasets.Source) (answer, error) {
	t, err := datasets.Describe(cmd.Context(), s)
	if err != nil {
		return answer{}, err
	}
	a := answer{text: func() string { return c.fileText(s.Name, t) }, json: func() any { return t }}
	if t.Trouble != "" {
		a.trouble = errors.New(t.Trouble)
	}
	return a, nil
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
	for _, note := range t.Notes {
		notes.add("note", "%s", note)
	}
	return head.String() + "\n" + c.columnsText(t) + strings.TrimSuffix("\n"+notes.String(), "\n") + "\n"
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

// columnsText is a table with a row for each column of a file.
func (c *console) columnsText(t *columns.Table) string {
	out := tables.Table{Columns: []tables.Column{
		{Title: "", Right: true}, {Title: "column"}, {Title: "type"}, {Title: "role"}, {Title: "missing", Right: true}, {Title: "distinct", Right: true},
		{Title: "min", Right: true, Drop: 2}, {Title: "mean", Right: true, Drop: 1}, {Title: "max", Right: true, Drop: 2}, {Title: "", Drop: 3},
	}}
	for _, column := range t.Columns {
		out.Rows = append(out.Rows, c.columnRow(column))
	}
	return c.tableText(out)
}

func (c *console) columnRow(column columns.Column) []string {
	what, role := column.Kind.String(), column.Role.String()
	switch {
	case column.Unit != "":
		what += ", " + column.Unit
	case column.Kind == columns.Category:
		what += fmt.Sprintf(" of %d", len(column.Levels))
	}
	if column.Log {
		role += ", log"
	}
	if column.Question != nil {
		role += " ?"
	}
	distinct := strconv.Itoa(column.Distinct)
	if column.Distinct > columns.MostDistinct {
		distinct = "> " + strconv.Itoa(columns.MostDistinct)
	}
	row := []string{strconv.Itoa(column.Index), column.Name, what, role, strconv.Itoa(column.Missing), distinct}
	if column.Kind == columns.Number || column.Kind == columns.Date {
		row = append(row, number.Short(column.Min), number.Short(column.Mean), number.Short(column.Max))
	} else {
		row = append(row, "", "", "")
	}
	style := c.style()
	style.Mode = canvas.NoColor
	return append(row, strings.TrimRight(spark.Histogram(style, column.Spark, min(len(column.Spark), columns.Bins)), " "))
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
