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

// Rows are new rows for a model of a data set, read from a table a few at a time: those
// that were read are not kept.
type Rows struct {
	ds      *Dataset
	scaling Scaling
	name    string
	guarded *guardedText
	records records
	match   match
	first   []string // the row that was read to find the columns, nil once it was returned
	at      int      // the number of the next row, from 0
	dropped int      // see Dropped
	found   findings // not looked at
	made    []int    // the columns that the inputs are made of
}

// Batch are some rows in a row: standardised, with Rows counted from 0 in the file, and
// their targets as the file has them, [n, P], NaN where there is none.
type Batch struct {
	Part
	Targets *mat.Dense
	lines   []int // on which the rows start
}

// NewRows reads the columns of a table whose rows a model of ds, scaled so, is to predict.
// name is what errors call it.
//
// It is read as the file of ds was: plain text or gzip, cells separated by whatever cuts
// it into columns. Columns are found by the names in its header, in any order; where it
// has none, or the file of ds had none, by their order: either all columns of that file or
// its inputs alone. Targets may be absent. A column that is missing or that nobody knows is
// a *CSVError.
func NewRows(ds *Dataset, scaling Scaling, name string, r io.Reader) (*Rows, error) {
	limits, err := limitsOf()
	if err != nil {
		return nil, err
	}
	text, err := plainText(r, limits)
	if err != nil {
		return nil, recordError(name, err)
	}
	delimiter := detectDelimiter(text, ds.layout.plan.choices.First())
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
	if !isHeader(cells, ds.layout.plan.choices.First()) {
		rows.first = slices.Clone(cells)
	}
	for k, c := range rows.match.inputs {
		for range ds.layout.columns[ds.layout.inputs[k]].Width() {
			rows.made = append(rows.made, c)
		}
	}
	return rows, nil
}

// Targets says which targets of the data set the table has.
func (r *Rows) Targets() []bool {
	list := make([]bool, len(r.match.targets))
	for k, c := range r.match.targets {
		list[k] = c != absent
	}
	return list
}

// HasTarget says whether the table has any of them.
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

// Next returns at most so many rows, or io.EOF where there are no more.
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

// missingInput is the trouble with the cell of an input that is missing, and errDropped that
// with its row where the data set was made without such rows.
const missingInput = "the cell is missing; only targets may be"

var errDropped = errors.New(missingInput)

// Dropped returns how many rows were left out so far because they miss an input, as those of
// the data set were.
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

// read returns the number in a cell of a column of the data set, as the file of these was
// read, or its level; NaN and -1 for what is missing, or what is wrong with it.
func (r *Rows) read(column *columns.Column, cell string) (v float64, level int, problem string) {
	v, problem = r.value(column, cell)
	level = -1
	if problem != "" && column.Kind == columns.Date {
		problem = excerpt(cell) + " is no date like those of the model"
	}
	if column.Kind != columns.Category && column.Kind != columns.Boolean || problem == "" && math.IsNaN(v) {
		return v, level, problem
	}
	level = column.Level(printableText(cell))
	if level < 0 {
		return v, level, excerpt(cell) + " is no level of the model; there are " +
			shortList(levelNames(column))
	}
	return v, level, ""
}

// value returns the number in a cell of a column, as the file of these was read; NaN for what
// is missing, or what is wrong with it.
func (r *Rows) value(column *columns.Column, cell string) (v float64, problem string) {
	cell = strings.TrimSpace(cell)
	plan := r.ds.layout.plan
	v, wrong := plan.cell(&r.found, 0, column.Index, cell)
	if wrong == noNumber && column.Kind == columns.Number && !plan.choices.First() &&
		columns.ShapeOf(cell) != 0 {
		return v, excerpt(cell) + problems[noNumber] +
			" as those of the model's data are written: " + plan.notation.String()
	}
	return v / column.Seconds(), wrong.of(cell)
}

func levelNames(c *columns.Column) (names []string) {
	for _, level := range c.Levels {
		names = append(names, level.Name)
	}
	return names
}

// parseInput writes the inputs that a cell of a column makes, or says what is wrong with it.
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

// trouble is that with a cell of the row that was read last, its column from 0.
func (r *Rows) trouble(column int, problem string) error {
	return r.troubleAt(r.records.line(), column, problem)
}

// troubleAt is trouble with a row that starts on a line.
func (r *Rows) troubleAt(line, column int, problem string) error {
	e := &CSVError{File: r.name, Line: line, Column: column + 1, Problem: problem}
	if column < len(r.match.names) {
		e.Name = r.match.names[column]
	}
	return e
}

// parseTarget returns the target in a cell of a column, the code of a class, NaN if it is
// missing, or what is wrong with it.
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

// parseClass is parseTarget of the name of a class, which may be a number.
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
		return 0, excerpt(name) + " is no class of the model; there are " + shortList(ds.Classes)
	}
	return codeOf(k, len(ds.Classes)), ""
}

// parseSign is parseTarget of a class without a name: -1 or 0, and 1.
func (ds *Dataset) parseSign(v float64, cell string) (code float64, problem string) {
	switch v {
	case -1, 0:
		return -1, ""
	case 1:
		return 1, ""
	}
	return 0, excerpt(cell) + " is no class of the model; there are 0, or -1, and 1"
}

// standardise takes rows to the units of the model.
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
						"the number is too far from the training part to be standardised")
				}
			}
		}
	}
	return nil
}
