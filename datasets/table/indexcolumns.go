package table

import (
	"slices"
	"strings"
)

// minIndex is the minimum number of rows required to detect an index column.
const minIndex = 3

// IndexWarnings returns warnings about inputs that look like an index: an unnamed first column that
// counts the rows, as written by data-frame tools, and identifier columns with distinct integers.
func (t *Table) IndexWarnings(d *Use) (warnings []Note) {
	if t.header == nil || t.Rows() < minIndex {
		return nil
	}
	for _, c := range d.Inputs {
		what := ""
		column := &d.Columns[c]
		switch {
		case column.Kind != Number:
		case c == 0 && strings.HasPrefix(column.Name, "x1") && t.isRowCounter(c):
			what = "the first column has no name and counts the rows"
		case isIdentifier(column.Name) && t.hasUniqueIntegers(c):
			what = "column " + column.Name + " has a different integer in every row"
		}
		if what != "" {
			warnings = append(warnings, Note{
				Text:     what + ": it is used as an input but looks like an index",
				Remedies: []Answer{t.ignoring(c)},
			})
		}
	}
	return warnings
}

// isRowCounter reports whether a column counts the rows.
func (t *Table) isRowCounter(column int) bool {
	for i := range t.Rows() {
		if t.at(i, column) != t.at(0, column)+float64(i) {
			return false
		}
	}
	return true
}

// hasUniqueIntegers reports whether a column has a different integer in every row.
func (t *Table) hasUniqueIntegers(column int) bool {
	values := make([]float64, t.Rows())
	for i := range values {
		values[i] = t.at(i, column)
		if !isWhole(values[i]) {
			return false
		}
	}
	slices.Sort(values)
	return len(slices.Compact(values)) == t.Rows()
}

// isIdentifier reports whether name is a typical name of an identifier column.
func isIdentifier(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains([]string{"id", "idx", "index", "row", "nr", "no", "unnamed: 0"}, name) ||
		strings.HasSuffix(name, "_id") || strings.HasSuffix(name, " id")
}
