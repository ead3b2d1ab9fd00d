package datasets

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
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
	delimiter := detectDelimiter(text)
	rows := &Rows{ds: ds, scaling: scaling, name: name, guarded: newGuardedText(text, limits, delimiter)}
	rows.records = newRecords(bufio.NewReader(rows.guarded), delimiter)
	cells, err := rows.next()
	if errors.Is(err, io.EOF) {
		return nil, &CSVError{File: name, Problem: "no rows of numbers"}
	}
	if err != nil {
		return nil, err
	}
	if rows.match, err = ds.layout.match(name, cells, rows.records.line()); err != nil {
		return nil, err
	}
	if !isHeader(cells) {
		rows.first = slices.Clone(cells)
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
	d, p := len(r.match.inputs), len(r.match.targets)
	var x, y []float64
	b := &Batch{}
	for len(b.Rows) < most {
		cells := r.first
		if r.first = nil; cells == nil {
			var err error
			if cells, err = r.next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
		}
		var err error
		if x, y, err = r.parse(cells, x, y); err != nil {
			return nil, err
		}
		b.Rows, b.lines = append(b.Rows, r.at), append(b.lines, r.records.line())
		r.at++
	}
	n := len(b.Rows)
	if n == 0 {
		return nil, io.EOF
	}
	b.X, b.Y, b.Targets = mat.NewDense(n, d, x), mat.NewDense(n, p, y), mat.DenseCopyOf(mat.NewDense(n, p, y))
	return b, r.standardise(b)
}

// parse appends the inputs and the targets of a row.
func (r *Rows) parse(cells []string, x, y []float64) (inputs, targets []float64, err error) {
	if len(cells) != r.match.width {
		return nil, nil, r.trouble(min(len(cells), r.match.width), fmt.Sprintf("the row has %s, the first row has %d", count(len(cells), "cell"), r.match.width))
	}
	for _, c := range r.match.inputs {
		v, problem := parseCell(cells[c])
		if problem == "" && math.IsNaN(v) {
			problem = "the number is missing; only targets may be"
		}
		if problem != "" {
			return nil, nil, r.trouble(c, problem)
		}
		x = append(x, v)
	}
	for _, c := range r.match.targets {
		v := math.NaN()
		if c != absent {
			problem := ""
			if v, problem = r.ds.parseTarget(cells[c]); problem != "" {
				return nil, nil, r.trouble(c, problem)
			}
		}
		y = append(y, v)
	}
	return x, y, nil
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

// parseTarget returns the target in a cell, the code of a class, NaN if it is missing, or
// what is wrong with it.
func (ds *Dataset) parseTarget(cell string) (v float64, problem string) {
	v, problem = parseCell(cell)
	switch {
	case problem == "" && math.IsNaN(v):
		return v, ""
	case ds.Classes != nil:
		return ds.parseClass(v, problem == "", cell)
	case problem == "" && ds.Task.Classes():
		return ds.parseSign(v, cell)
	case problem == "" && ds.LogTargets && v <= 0:
		return v, excerpt(cell) + " has no logarithm"
	}
	return v, problem
}

// parseClass is parseTarget of the name of a class, which may be a number.
func (ds *Dataset) parseClass(v float64, isNumber bool, cell string) (code float64, problem string) {
	name := printableText(cell)
	if isNumber {
		name = numberLabel(v)
	}
	k := slices.Index(ds.Classes, name)
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
	for i, line := range b.lines {
		for part, columns := range [][]int{r.match.inputs, r.match.targets} {
			for j, v := range []*mat.Dense{b.X, b.Y}[part].RawRowView(i) {
				if math.IsInf(v, 0) {
					return r.troubleAt(line, columns[j], "the number is too far from the training part to be standardised")
				}
			}
		}
	}
	return nil
}
