package datasets

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/columns"
)

// Rows reads new rows for a model of a data set from a table, in batches. It does not keep the rows
// it has returned.
type Rows struct {
	ds      *Dataset
	scaling Scaling
	name    string
	guarded *guardedText
	records records
	match   match
	first   []string // the first row if it is not a header, until it is returned
	at      int      // index of the next row, from 0
	dropped int      // see Dropped
	found   findings // unused
	made    []int    // the column of each input
}

// Batch holds consecutive standardised rows, with Rows counted from 0 in the file, and their
// targets in original units, [n, P], or NaN if missing.
type Batch struct {
	Part
	Targets *mat.Dense
	lines   []int // lines on which the rows start
}

// NewRows reads the header of a table whose rows a model of ds, standardised by scaling, should
// predict. Errors refer to the table by name.
//
// The table can be plain text or gzip, with any delimiter, and its cells are read like the cells of
// ds. Columns are located by the names in its header, in any order. If the table or the file of ds
// has no header, they are located by order: either all columns of that file or only its inputs.
// Targets can be absent. A missing or unknown column is a *CSVError.
func NewRows(ds *Dataset, scaling Scaling, name string, r io.Reader) (*Rows, error) {
	limits, err := limitsOf()
	if err != nil {
		return nil, err
	}
	text, err := plainText(r, limits)
	if err != nil {
		return nil, recordError(name, err)
	}
	delimiter := detectDelimiter(text, ds.layout.plan.strict)
	rows := &Rows{ds: ds, scaling: scaling, name: name, guarded: newGuardedText(text, limits, delimiter)}
	rows.found.tallies = make([]tally, len(ds.layout.columns))
	rows.records = newRecords(bufio.NewReader(rows.guarded), delimiter)
	cells, err := rows.next()
	if errors.Is(err, io.EOF) {
		return nil, &CSVError{File: name, Problem: "no rows of numbers"}
	}
	if err != nil {
		return nil, err
	}
	rows.match, err = ds.layout.match(name, cells, rows.records.line())
	if err != nil {
		return nil, err
	}
	if !isHeader(cells, ds.layout.plan.strict) {
		rows.first = slices.Clone(cells)
	}
	for k, c := range rows.match.inputs {
		for range ds.layout.columns[ds.layout.inputs[k]].Width() {
			rows.made = append(rows.made, c)
		}
	}
	return rows, nil
}

// Targets reports for each target of the data set whether the table has it.
func (r *Rows) Targets() []bool {
	list := make([]bool, len(r.match.targets))
	for k, c := range r.match.targets {
		list[k] = c != absent
	}
	return list
}

// HasTarget reports whether the table has any target.
func (r *Rows) HasTarget() bool { return slices.Contains(r.Targets(), true) }

// next returns the cells of the next row.
func (r *Rows) next() ([]string, error) {
	cells, err := r.records.next()
	switch {
	case err != nil && r.guarded.failed != nil:
		return nil, recordError(r.name, r.guarded.failed)
	case err != nil && !errors.Is(err, io.EOF):
		return nil, recordError(r.name, err)
	}
	return cells, err
}

// Next returns the next rows, up to the number most, or io.EOF if there are no more.
func (r *Rows) Next(ctx context.Context, most int) (*Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := len(r.made)
	p := len(r.match.targets)
	var x, y []float64
	b := &Batch{}
	for len(b.Rows) < most {
		cells := r.first
		r.first = nil
		if cells == nil {
			var err error
			cells, err = r.next()
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
		}
		inputs, targets, err := r.parse(cells, x, y)
		r.at++
		if errors.Is(err, errDropped) {
			r.dropped++
			continue
		}
		if err != nil {
			return nil, err
		}
		x, y = inputs, targets
		b.Rows = append(b.Rows, r.at-1)
		b.lines = append(b.lines, r.records.line())
	}
	n := len(b.Rows)
	if n == 0 {
		return nil, io.EOF
	}
	b.X = mat.NewDense(n, d, x)
	b.Y = mat.NewDense(n, p, y)
	b.Targets = mat.DenseCopyOf(mat.NewDense(n, p, y))
	return b, r.standardise(b)
}

// missingInput is the message for a missing input. errDropped marks a row that is skipped because
// of a missing input, as in the data set.
const missingInput = "the cell is missing; only targets may be missing"

var errDropped = errors.New(missingInput)

// Dropped returns the number of rows skipped so far because of a missing input. Rows are skipped if
// the data set was read with this choice.
func (r *Rows) Dropped() int { return r.dropped }

// parse appends the inputs and the targets of a row.
func (r *Rows) parse(cells []string, x, y []float64) (inputs, targets []float64, err error) {
	if len(cells) != r.match.width {
		return nil, nil, r.trouble(min(len(cells), r.match.width),
			fmt.Sprintf("the row has %s, the first row has %d", count(len(cells), "cell"), r.match.width))
	}
	for k, c := range r.match.inputs {
		column := &r.ds.layout.columns[r.ds.layout.inputs[k]]
		x = append(x, make([]float64, column.Width())...)
		problem := r.parseInput(x[len(x)-column.Width():], column, cells[c])
		if problem == missingInput && r.ds.layout.plan.choices.Missing == columns.MissingDrop {
			return nil, nil, errDropped
		}
		if problem != "" {
			return nil, nil, r.trouble(c, problem)
		}
	}
	for k, c := range r.match.targets {
		v := math.NaN()
		if c != absent {
			problem := ""
			v, problem = r.parseTarget(&r.ds.layout.columns[r.ds.layout.targets[k]], cells[c])
			if problem != "" {
				return nil, nil, r.trouble(c, problem)
			}
		}
		y = append(y, v)
	}
	return x, y, nil
}

// read returns the number or the level in a cell, read like the cells of the data set. Missing
// values are NaN with level -1. problem is not empty if the cell is invalid.
func (r *Rows) read(column *columns.Column, cell string) (v float64, level int, problem string) {
	v, problem = r.value(column, cell)
	level = -1
	if problem != "" && column.Kind == columns.Date {
		problem = excerpt(cell) + " is not a date in the model's format"
	}
	if column.Kind != columns.Category && column.Kind != columns.Boolean || problem == "" && math.IsNaN(v) {
		return v, level, problem
	}
	level = column.Level(printableText(cell))
	if level < 0 {
		return v, level, excerpt(cell) + " is not a level of the model; the levels are " +
			shortList(levelNames(column))
	}
	return v, level, ""
}

// value returns the number in a cell, read like the cells of the data set; NaN if it is missing.
// problem is not empty if the cell is invalid.
func (r *Rows) value(column *columns.Column, cell string) (v float64, problem string) {
	cell = strings.TrimSpace(cell)
	plan := r.ds.layout.plan
	v, wrong := plan.cell(&r.found, 0, column.Index, cell)
	if wrong == notNumber && column.Kind == columns.Number && !plan.strict &&
		columns.ShapeOf(cell) != 0 {
		return v, excerpt(cell) + problems[notNumber] +
			" in the notation of the model's data: " + plan.notation.String()
	}
	return v / column.Seconds(), wrong.of(cell)
}

func levelNames(c *columns.Column) (names []string) {
	for _, level := range c.Levels {
		names = append(names, level.Name)
	}
	return names
}

// parseInput writes the inputs given by a cell of a column. It returns the problem if the cell is
// invalid.
func (r *Rows) parseInput(dst []float64, column *columns.Column, cell string) (problem string) {
	v, level, problem := r.read(column, cell)
	switch {
	case problem != "":
		return problem
	case math.IsNaN(v) && level < 0 && !r.ds.MeanInputs:
		return missingInput
	case column.Log && v <= 0:
		return excerpt(cell) + " has no logarithm"
	}
	put(dst, column, level, v)
	return ""
}

// trouble returns an error in a cell of the row read last, with its column from 0.
func (r *Rows) trouble(column int, problem string) error {
	return r.troubleAt(r.records.line(), column, problem)
}

// troubleAt returns an error in a cell of the row that starts on the given line.
func (r *Rows) troubleAt(line, column int, problem string) error {
	e := &CSVError{File: r.name, Line: line, Column: column + 1, Problem: problem}
	if column < len(r.match.names) {
		e.Name = r.match.names[column]
	}
	return e
}

// parseTarget returns the target in a cell of a column: a number or the code of a class, or NaN if
// it is missing. problem is not empty if the cell is invalid.
func (r *Rows) parseTarget(column *columns.Column, cell string) (v float64, problem string) {
	ds := r.ds
	if ds.Classes == nil && column.Kind == columns.Boolean {
		v, level, problem := r.read(column, cell)
		if level >= 0 {
			v = float64(level)
		}
		return v, problem
	}
	v, problem = r.value(column, cell)
	switch {
	case problem == "" && math.IsNaN(v):
		return v, ""
	case ds.Classes != nil:
		return ds.parseClass(column, v, problem == "", cell)
	case problem == "" && ds.Task.Classes():
		return ds.parseSign(v, cell)
	case problem == "" && ds.LogTargets && v <= 0:
		return v, excerpt(cell) + " has no logarithm"
	}
	return v, problem
}

// parseClass returns the code of a named class. Names can be numbers.
func (ds *Dataset) parseClass(
	column *columns.Column, v float64, isNumber bool, cell string,
) (code float64, problem string) {
	name := printableText(cell)
	if isNumber {
		name = numberLabel(v)
	}
	k := slices.Index(ds.Classes, name)
	if k < 0 && column.Kind == columns.Boolean {
		k = column.Level(name)
	}
	if k < 0 {
		return 0, excerpt(name) + " is not a class of the model; the classes are " + shortList(ds.Classes)
	}
	return codeOf(k, len(ds.Classes)), ""
}

// parseSign returns the code of an unnamed class: -1 or 0, and 1.
func (ds *Dataset) parseSign(v float64, cell string) (code float64, problem string) {
	switch v {
	case -1, 0:
		return -1, ""
	case 1:
		return 1, ""
	}
	return 0, excerpt(cell) + " is not a class of the model; the classes are 0 or -1, and 1"
}

// standardise converts a batch to the units of the model.
func (r *Rows) standardise(b *Batch) error {
	if r.scaling.Log {
		b.Y.Apply(func(_, _ int, v float64) float64 { return math.Log(v) }, b.Y)
	}
	r.scaling.ScaleInputs(b.X)
	r.scaling.ScaleTargets(b.Y)
	if r.ds.MeanInputs {
		b.fillInputs()
	}
	for i, line := range b.lines {
		for part, places := range [][]int{r.made, r.match.targets} {
			for j, v := range []*mat.Dense{b.X, b.Y}[part].RawRowView(i) {
				if math.IsInf(v, 0) {
					return r.troubleAt(line, places[j],
						"the number is too far from the training set to be standardised")
				}
			}
		}
	}
	return nil
}
