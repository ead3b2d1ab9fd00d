package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// RowReader reads the rows of another file by the layout of a table.
type RowReader struct {
	// Inputs and Targets locate the columns of the layout. The file may lack targets.
	Inputs, Targets []Location

	layout  Layout
	name    string
	guarded *guardedText
	records records
	names   []string // names in the file, or nil without a header
	width   int
	first   []string // the first row if it is not a header, until it is returned
	found   findings // unused
}

// Location locates a column of a layout: its index in the rows of a file, or Absent.
type Location struct {
	Column *Column
	At     int
}

// NewRowReader reads the header of a text, plain or compressed. Errors refer to the file by name. A
// missing or unknown column is an *Error. Columns are located by name if both files have a header,
// and otherwise by order. A file located by order has all columns, or lacks the ignored columns,
// the targets or both.
func NewRowReader(l Layout, name string, text io.Reader) (*RowReader, error) {
	limits, err := limitsOf()
	if err != nil {
		return nil, err
	}
	plain, err := plainText(text, limits)
	if err != nil {
		return nil, recordError(name, err)
	}
	delimiter := detectDelimiter(plain, l.plan.strict)
	r := &RowReader{layout: l, name: name, guarded: newGuardedText(plain, limits, delimiter)}
	r.found.tallies = make([]tally, len(l.columns))
	r.records = newRecords(bufio.NewReader(r.guarded), delimiter)
	cells, err := r.record()
	if errors.Is(err, io.EOF) {
		return nil, &Error{File: name, Problem: "no rows of numbers"}
	}
	if err != nil {
		return nil, err
	}
	m, err := l.match(name, cells, r.records.line())
	if err != nil {
		return nil, err
	}
	if !isHeader(cells, l.plan.strict) {
		r.first = slices.Clone(cells)
	}
	r.names, r.width = m.names, m.width
	for k, c := range m.inputs {
		r.Inputs = append(r.Inputs, Location{&l.columns[l.inputs[k]], c})
	}
	for k, c := range m.targets {
		r.Targets = append(r.Targets, Location{&l.columns[l.targets[k]], c})
	}
	return r, nil
}

// record returns the cells of the next row of the text.
func (r *RowReader) record() ([]string, error) {
	cells, err := r.records.next()
	switch {
	case err != nil && r.guarded.failed != nil:
		return nil, recordError(r.name, r.guarded.failed)
	case err != nil && !errors.Is(err, io.EOF):
		return nil, recordError(r.name, err)
	}
	return cells, err
}

// Next returns the cells of the next row, or io.EOF. The slice is valid until the next call.
func (r *RowReader) Next() (cells []string, err error) {
	cells, r.first = r.first, nil
	if cells == nil {
		cells, err = r.record()
		if err != nil {
			return nil, err
		}
	}
	if len(cells) != r.width {
		return nil, r.Trouble(r.Line(), min(len(cells), r.width),
			fmt.Sprintf("the row has %s, the first row has %d", Plural(len(cells), "cell"), r.width))
	}
	return cells, nil
}

// Line returns the line on which the last row starts.
func (r *RowReader) Line() int { return r.records.line() }

// DropsMissing reports whether rows with a missing input are omitted.
func (r *RowReader) DropsMissing() bool { return r.layout.plan.choices.Missing == MissingDrop }

// Trouble returns an error for a cell of the row that starts on the given line; column counts from
// 0.
func (r *RowReader) Trouble(line, column int, problem string) *Error {
	e := &Error{File: r.name, Line: line, Column: column + 1, Problem: problem}
	if column < len(r.names) {
		e.Name = r.names[column]
	}
	return e
}

// Read returns the number or the level in a cell, read like the cells of the data set. For a
// missing value it returns NaN and level -1. problem is not empty if the cell is invalid.
func (r *RowReader) Read(column *Column, cell string) (v float64, level int, problem string) {
	v, problem = r.Value(column, cell)
	level = -1
	if problem != "" && column.Kind == Date {
		problem = Excerpt(cell) + " is not a date in the model's format"
	}
	if column.Kind != Category && column.Kind != Boolean || problem == "" && math.IsNaN(v) {
		return v, level, problem
	}
	level = column.Level(printableText(cell))
	if level < 0 {
		return v, level, Excerpt(cell) + " is not a level of the model; the levels are " +
			ShortList(levelNames(column))
	}
	return v, level, ""
}

// Value returns the number in a cell, read like the cells of the data set, or NaN if it is missing.
// problem is not empty if the cell is invalid.
func (r *RowReader) Value(column *Column, cell string) (v float64, problem string) {
	cell = strings.TrimSpace(cell)
	plan := r.layout.plan
	v, wrong := plan.cell(&r.found, 0, column.Index, cell)
	if wrong == notNumber && column.Kind == Number && !plan.strict &&
		ShapeOf(cell) != 0 {
		return v, Excerpt(cell) + problems[notNumber] +
			" in the notation of the model's data: " + plan.notation.String()
	}
	return v / column.Seconds(), wrong.of(cell)
}

func levelNames(c *Column) (names []string) {
	for _, level := range c.Levels {
		names = append(names, level.Name)
	}
	return names
}
