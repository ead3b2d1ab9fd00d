package table

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// emptyCopy returns a table with the same columns and no rows.
func (t *Table) emptyCopy() *Table {
	return &Table{
		Name:    t.Name,
		header:  t.header,
		grid:    newGrid(t.Width),
		limits:  t.limits,
		plan:    t.plan,
		columns: make([]content, t.Width),
	}
}

// addRow appends row i of a table with the same number of columns.
func (t *Table) addRow(from *Table, i int) {
	copy(t.extend(), from.Row(i))
	t.lines.add(from.lines.at(i))
	for c := range from.columns {
		w := from.columns[c].words
		text := w.at(i)
		if text == "" {
			continue
		}
		to := &t.columns[c]
		if to.words == nil {
			to.words = &words{number: map[string]int32{}, first: w.first}
		}
		to.cells++
		to.put(t.Rows()-1, to.intern(text))
	}
}

// Concatenate returns the rows of all tables, which must have the same number of columns. A single
// table is returned unchanged.
func Concatenate(parts ...*Table) (*Table, error) {
	if len(parts) == 1 {
		return parts[0], nil
	}
	all := parts[0].emptyCopy()
	for _, part := range parts {
		if part.Width != all.Width {
			return nil, fmt.Errorf("%s has %d columns, %s has %d", all.Name, all.Width, part.Name, part.Width)
		}
		for i := range part.Rows() {
			all.addRow(part, i)
		}
	}
	return all, nil
}

// WithoutUnknown returns the table without the rows that have a question mark in a chosen column.
// All other cells of these columns must be numbers.
func (t *Table) WithoutUnknown(chosen []int) (*Table, error) {
	out := t.emptyCopy()
	for i := range t.Rows() {
		if !slices.ContainsFunc(chosen, func(c int) bool { return t.Label(i, c) == "?" }) {
			out.addRow(t, i)
		}
	}
	if trouble := out.onlyNumbers(chosen); trouble != nil {
		return nil, trouble
	}
	return out, out.FirstMissing(chosen)
}

// Pick returns the chosen columns of the table, [rows, len(columns)].
func (t *Table) Pick(columns []int) (*mat.Dense, error) {
	m := mat.NewDense(t.Rows(), len(columns), nil)
	for j, c := range columns {
		if c >= t.Width {
			return nil, fmt.Errorf("%s: no column %d; there are %d columns", t.Name, c, t.Width)
		}
		for i := range t.Rows() {
			m.Set(i, j, t.at(i, c))
		}
	}
	return m, nil
}
