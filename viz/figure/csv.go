package figure

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Exact formats v with the digits that parsing needs to return v. NaN, +Inf and -Inf are written as
// such.
func Exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Table writes rows of CSV and keeps the first error, which Close returns.
type Table struct {
	w   *csv.Writer
	row []string // the last row
	err error
}

// NewTable writes the header.
func NewTable(out io.Writer, header ...string) *Table {
	t := &Table{w: csv.NewWriter(out)}
	t.Row(header...)
	return t
}

// Row writes a row. Fields that a spreadsheet would run as a formula are escaped (see plainField).
func (t *Table) Row(fields ...string) {
	if t.err != nil {
		return
	}
	t.row = t.row[:0]
	for _, field := range fields {
		t.row = append(t.row, plainField(field))
	}
	t.err = t.w.Write(t.row)
}

// plainField prefixes a field with an apostrophe if it begins with =, +, -, @, a tab or a carriage return and
// is not a number: spreadsheets run such a cell as a formula, and names may come from other people's files.
func plainField(field string) string {
	if field == "" || !strings.ContainsRune("=+-@\t\r", rune(field[0])) {
		return field
	}
	if _, err := strconv.ParseFloat(field, 64); err == nil {
		return field
	}
	return "'" + field
}

// Close flushes the table. It does not close the writer.
func (t *Table) Close() error {
	t.w.Flush()
	if t.err == nil {
		t.err = t.w.Error()
	}
	if t.err != nil {
		return fmt.Errorf("writing CSV: %w", t.err)
	}
	return nil
}
