package table

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// RowReader reads the rows of another file by the layout of a table.
type RowReader struct {
	// Inputs and Targets locate the columns of the layout. The file may lack targets.
	Inputs, Targets []Location
	// Noise locates the column of the known noise. Its Column is nil if the layout has none.
	Noise Location
	// Kept locates the columns of Layout.Keeping.
	Kept []Kept

	layout Layout
	name   string
	limits limits
	rows   *opened
	names  []string // names in the file, or nil without a header
	width  int
}

// Location locates a column of a layout: its index in the rows of a file, or Absent.
type Location struct {
	Column *Column
	At     int
}

// NewRowReader opens a table, which may be a text, a Parquet file or a workbook. Errors refer to the file by
// name. A missing or unknown column is an *Error. Columns are located by name if both files have a header,
// and otherwise by order. A file located by order has all columns, or lacks the ignored columns,
// the targets or both.
func NewRowReader(l Layout, name string, file io.Reader) (*RowReader, error) {
	limits, err := limitsOf()
	if err != nil {
		return nil, err
	}
	s := newSource(name, file, limits)
	opt := ReadOptions{Strict: l.plan.strict, Choices: Choices{Header: l.plan.choices.Header,
		Comment: l.plan.choices.Comment, Encoding: l.plan.choices.Encoding}}
	if s.file == nil && opt.Choices.Encoding == "" {
		opt.Choices.Encoding = l.plan.encoding
	}
	if l.named {
		opt.Choices.Header, opt.names = "", l.names()
	}
	rows, err := s.open(opt)
	if err != nil {
		return nil, placed(name, err)
	}
	r := &RowReader{layout: l, name: name, limits: limits, rows: rows, names: rows.header}
	line := rows.headerLine
	r.width = len(rows.header)
	if rows.header == nil {
		ahead, ok := rows.records.(*rowsAhead)
		if !ok || len(ahead.rows) == 0 {
			if ok && ahead.err != nil && !errors.Is(ahead.err, io.EOF) {
				return nil, placed(name, ahead.err)
			}
			return nil, &Error{File: name, Problem: "no rows of numbers"}
		}
		r.width, line = len(ahead.rows[0].cells), ahead.rows[0].line
	}
	m, err := l.match(name, rows.header, r.width, line)
	if err != nil {
		return nil, err
	}
	for k, c := range m.inputs {
		r.Inputs = append(r.Inputs, Location{&l.columns[l.inputs[k]], c})
	}
	for k, c := range m.targets {
		r.Targets = append(r.Targets, Location{&l.columns[l.targets[k]], c})
	}
	r.Noise = Location{knownColumn(l.columns, KnownNoise), m.noise}
	return r, r.keep()
}

// Next returns the cells of the next row, or io.EOF. The slice is valid until the next call.
func (r *RowReader) Next() (cells []string, err error) {
	cells, err = r.rows.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, placed(r.name, err)
	}
	if err != nil {
		return nil, err
	}
	if trouble := r.limits.checkRow(cells, r.Line()); trouble != nil {
		return nil, placed(r.name, trouble)
	}
	if len(cells) != r.width {
		return nil, r.Trouble(r.Line(), min(len(cells), r.width), raggedProblem(len(cells), r.width))
	}
	return cells, nil
}

// Line returns the line on which the last row starts.
func (r *RowReader) Line() int { return r.rows.line() }

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
	text := strings.TrimSpace(cell)
	plan := r.layout.plan
	reading := &plan.readings[column.Index]
	switch {
	case reading.skip || plan.isMissing(reading, text):
		return math.NaN(), ""
	case reading.text || reading.strings && reading.value == noValue:
		return math.NaN(), notNumber.of(text)
	case column.Kind == Date:
		v, ok := reading.parse(text, plan.notation)
		if !ok {
			return math.NaN(), Excerpt(text) + " is not a date in the model's format"
		}
		return v, ""
	case reading.value != noValue && reading.value != numberValue:
		v, ok := reading.parse(text, plan.notation)
		if !ok {
			return math.NaN(), fmt.Sprintf("%s is not %v", Excerpt(text), reading)
		}
		return v, ""
	}
	v, shown, wrong := plan.number(text)
	if wrong != noProblem {
		return v, wrong.of(text)
	}
	v, ok := plan.notation.settle(v, shown)
	if !ok && !plan.strict {
		return math.NaN(), Excerpt(text) + problems[notNumber] +
			" in the notation of the model's data: " + plan.notation.String()
	}
	return v, ""
}

func levelNames(c *Column) (names []string) {
	for _, level := range c.Levels {
		names = append(names, level.Name)
	}
	return names
}
