package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"dgplab/datasets/table"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

// Indices of the columns of ColumnTable that screens draw differently.
const (
	ColumnName    = 1
	ColumnRole    = 3
	ColumnMissing = 4
)

// ColumnTable returns a table with a row for each column of a file: its type, its role and its values, with a
// histogram of at most bars bins.
func ColumnTable(t *table.Description, style canvas.Style, bars int) tables.Table {
	out := tables.Table{Columns: ColumnHeads()}
	for i := range t.Columns {
		out.Rows = append(out.Rows, ColumnRow(&t.Columns[i], style, bars))
	}
	return out
}

// ColumnHeads returns the heads of ColumnTable.
func ColumnHeads() []tables.Column {
	return []tables.Column{
		{Title: "", Right: true}, {Title: "column"}, {Title: "type"}, {Title: "role"},
		{Title: "missing", Right: true}, {Title: "distinct", Right: true},
		{Title: "min", Right: true, Drop: 2}, {Title: "mean", Right: true, Drop: 1},
		{Title: "max", Right: true, Drop: 2}, {Title: "", Drop: 3},
	}
}

// ColumnRow returns the row of ColumnTable for a column of a file.
func ColumnRow(c *table.Column, style canvas.Style, bars int) []string {
	style.Mode = canvas.NoColor
	what := c.Kind.String()
	role := c.Role.String()
	switch {
	case c.Unit != "":
		what += ", " + c.Unit
	case c.Kind == table.Category && len(c.Levels) > 0: // a column that divides the rows lists no levels
		what += fmt.Sprintf(" of %d", len(c.Levels))
	}
	if c.Log {
		role += ", log"
	}
	if c.Question != nil {
		role += " ?"
	}
	distinct := strconv.Itoa(c.Distinct)
	switch {
	case c.Distinct == 0: // There are no values, or they are unknown.
		distinct = ""
	case c.Distinct > table.MaxDistinct:
		distinct = "> " + strconv.Itoa(table.MaxDistinct)
	}
	if c.Unread {
		return []string{strconv.Itoa(c.Index), c.Name, "not read", role, "", "", "", "", "", ""}
	}
	row := []string{strconv.Itoa(c.Index), c.Name, what, role, strconv.Itoa(c.Missing), distinct}
	for _, v := range []float64{c.Min, c.Mean, c.Max} {
		switch {
		case c.Kind == table.Number && c.Distinct > 0:
			row = append(row, columnNumber(v))
		case c.Kind == table.Date && c.Distinct > 0:
			row = append(row, dayOf(c, v))
		default:
			row = append(row, "")
		}
	}
	return append(row, strings.TrimRight(tables.HistogramBar(style, c.Spark, min(len(c.Spark), bars)), " "))
}

// columnNumber formats a number of a column. Numbers of four digits, which may be years, have no unit.
func columnNumber(v float64) string {
	if a := math.Abs(v); a >= 999.5 && a < 9999.5 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return canvas.Number(v)
}

// dayOf formats a date of a column as a day.
func dayOf(c *table.Column, v float64) string {
	return time.Unix(int64(v*table.SecondsOf(c.Unit)), 0).UTC().Format(time.DateOnly)
}
