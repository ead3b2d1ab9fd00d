package datasets

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/table"
)

// Rows reads new rows for a model of a data set from a table, in batches. It retains none of the
// returned rows.
type Rows struct {
	reader  *table.RowReader
	ds      *Dataset
	scaling Scaling
	at      int   // index of the next row, from 0
	dropped int   // see Dropped
	made    []int // column of each input in the table
	// ignoreUnknown is set by IgnoreUnknown. unknown lists the columns with an unknown level in the
	// current row.
	ignoreUnknown bool
	unknown       []string
	// missing is the treatment of missing inputs.
	missing string
}

// Batch holds consecutive rows. Targets are NaN if missing. Rows counts from 0 in the file.
type Batch struct {
	Part
	// Unknown lists, for each row, the names of the columns whose level is not in the data set; see
	// Rows.IgnoreUnknown.
	Unknown [][]string
	// Outside lists, for each row, the names of the inputs that are outside of the range of the training set.
	Outside [][]string
	// Kept holds the cells of the columns of Rows.Kept for each row.
	Kept  [][]string
	lines []int // lines on which the rows start
}

// NewRows reads the header of a table of new rows for a model of ds, standardised by scaling.
// Errors refer to the table by name.
//
// The table can be plain text or gzip, with any delimiter, and its cells are read like the cells of
// ds. Columns are located by the names in the header, in any order. If the table or the file of ds
// has no header, columns are located by order: the table has either all columns of the file or only
// its inputs. Targets, the known noise and the weights may be absent. For a missing or unknown column,
// NewRows returns a *table.Error.
//
// The cells of the columns in keep, given by name or by index, are kept with the rows. The data of
// ds need not have these columns.
func NewRows(ds *Dataset, scaling Scaling, name string, r io.Reader, keep ...string) (*Rows, error) {
	reader, err := table.NewRowReader(ds.layout.Keeping(keep), name, r)
	if err != nil {
		return nil, err
	}
	rows := &Rows{reader: reader, ds: ds, scaling: scaling, missing: table.MissingError}
	switch {
	case ds.MeanInputs:
		rows.missing = table.MissingMean
	case reader.DropsMissing():
		rows.missing = table.MissingDrop
	}
	for _, p := range reader.Inputs {
		for range p.Column.Width() {
			rows.made = append(rows.made, p.At)
		}
	}
	return rows, nil
}

// IgnoreUnknown accepts levels that are not in the data set. All indicators of the category are
// then zero, or 0.5, halfway between the levels, if the category has a single indicator. By
// default, such levels are errors.
func (r *Rows) IgnoreUnknown() { r.ignoreUnknown = true }

// Missing sets the treatment of missing inputs: table.MissingError, table.MissingDrop or
// table.MissingMean. By default it is that of the data set.
func (r *Rows) Missing(treatment string) { r.missing = treatment }

// Kept returns the names of the kept columns.
func (r *Rows) Kept() (names []string) {
	for _, column := range r.reader.Kept {
		names = append(names, column.Name)
	}
	return names
}

// Targets reports for each target of the data set whether the table has it.
func (r *Rows) Targets() []bool {
	list := make([]bool, len(r.reader.Targets))
	for k, p := range r.reader.Targets {
		list[k] = p.At != table.Absent
	}
	return list
}

// HasTarget reports whether the table has any target.
func (r *Rows) HasTarget() bool { return slices.Contains(r.Targets(), true) }

// LacksNoise returns the name of the column with the known noise that the data set has and the table lacks,
// or "". The predictions then contain no known noise.
func (r *Rows) LacksNoise() string {
	if c := r.reader.Noise.Column; c != nil && !r.HasNoise() {
		return c.Name
	}
	return ""
}

// HasNoise reports whether the table has the known noise of its rows.
func (r *Rows) HasNoise() bool {
	return r.reader.Noise.Column != nil && r.reader.Noise.At != table.Absent
}

// Next returns the next rows, at most the given number, or io.EOF if there are no more.
func (r *Rows) Next(ctx context.Context, most int) (*Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := len(r.made)
	p := len(r.reader.Targets)
	var x, y, noise []float64
	b := &Batch{}
	for len(b.Rows) < most {
		cells, err := r.reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
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
		if r.HasNoise() {
			v, problem := r.reader.KnownNoise(cells)
			if problem != "" {
				return nil, r.reader.Trouble(r.reader.Line(), r.reader.Noise.At, problem)
			}
			noise = append(noise, v)
		}
		x, y = inputs, targets
		b.Rows = append(b.Rows, r.at-1)
		b.lines = append(b.lines, r.reader.Line())
		b.Unknown = append(b.Unknown, r.unknown)
		var kept []string
		for _, column := range r.reader.Kept {
			kept = append(kept, strings.Clone(cells[column.At]))
		}
		b.Kept = append(b.Kept, kept)
	}
	n := len(b.Rows)
	if n == 0 {
		return nil, io.EOF
	}
	b.X = mat.NewDense(n, d, x)
	b.Y = mat.NewDense(n, p, y)
	b.Inputs = mat.DenseCopyOf(b.X)
	b.Targets = mat.DenseCopyOf(b.Y)
	for i := range n {
		b.Outside = append(b.Outside, r.outside(b.Inputs.RawRowView(i)))
	}
	b.Noise = noise
	return b, r.standardise(b)
}

// outside returns the names of the inputs of a row, in original units, that are outside of the range of the
// training set.
func (r *Rows) outside(inputs []float64) (names []string) {
	for j, v := range inputs {
		if r.scaling.Outside(j, v) {
			names = append(names, r.ds.Inputs[j])
		}
	}
	return names
}

// missingInput is the message for a missing input. errDropped marks a row that is skipped because
// of a missing input.
const missingInput = "the cell is missing; only targets may be missing"

var errDropped = errors.New(missingInput)

// Dropped returns the number of rows skipped so far because of a missing input.
func (r *Rows) Dropped() int { return r.dropped }

// parse appends the inputs and the targets of a row.
func (r *Rows) parse(cells []string, x, y []float64) (inputs, targets []float64, err error) {
	r.unknown = nil
	for _, p := range r.reader.Inputs {
		x = append(x, make([]float64, p.Column.Width())...)
		problem := r.parseInput(x[len(x)-p.Column.Width():], p.Column, cells[p.At])
		if problem == missingInput && r.missing == table.MissingDrop {
			return nil, nil, errDropped
		}
		if problem != "" {
			trouble := r.reader.Trouble(r.reader.Line(), p.At, problem)
			if hasLevels(p.Column) && problem != missingInput {
				trouble.Remedies = []table.Answer{table.Choose("unknown", "ignore", "predicts without it")}
			}
			if problem == missingInput {
				trouble.Remedies = []table.Answer{
					table.Choose("missing", table.MissingMean, "uses the mean of the training set"),
					table.Choose("missing", table.MissingDrop, "leaves the row out"),
				}
			}
			return nil, nil, trouble
		}
	}
	for _, p := range r.reader.Targets {
		v := math.NaN()
		if p.At != table.Absent {
			problem := ""
			v, problem = r.parseTarget(p.Column, cells[p.At])
			if problem != "" {
				return nil, nil, r.reader.Trouble(r.reader.Line(), p.At, problem)
			}
		}
		y = append(y, v)
	}
	return x, y, nil
}

// hasLevels reports whether the only invalid cells of a column are missing or unknown levels.
func hasLevels(column *table.Column) bool {
	return column.Kind == table.Category || column.Kind == table.Boolean
}

// parseInput sets dst to the inputs that a cell of a column encodes. problem is not empty if the
// cell is invalid.
func (r *Rows) parseInput(dst []float64, column *table.Column, cell string) (problem string) {
	v, level, problem := r.reader.Read(column, cell)
	switch {
	case problem != "" && hasLevels(column) && r.ignoreUnknown:
		if len(dst) == 1 {
			dst[0] = 0.5
		}
		r.unknown = append(r.unknown, column.Name)
		return ""
	case problem != "":
		return problem
	case math.IsNaN(v) && level < 0 && r.missing != table.MissingMean:
		return missingInput
	case column.Log && v <= 0:
		return table.Excerpt(cell) + " has no logarithm"
	}
	column.Put(dst, level, v)
	return ""
}

// parseTarget returns the target in a cell of a column: a number or the code of a class, or NaN if
// it is missing. problem is not empty if the cell is invalid.
func (r *Rows) parseTarget(column *table.Column, cell string) (v float64, problem string) {
	ds := r.ds
	if ds.Classes == nil && column.Kind == table.Boolean {
		v, level, problem := r.reader.Read(column, cell)
		if level >= 0 {
			v = float64(level)
		}
		return v, problem
	}
	v, problem = r.reader.Value(column, cell)
	switch {
	case problem == "" && math.IsNaN(v):
		return v, ""
	case ds.Classes != nil:
		return ds.parseClass(column, v, problem == "", cell)
	case problem == "" && ds.Task.Classes():
		return ds.parseSign(v, cell)
	case problem == "" && ds.LogTargets && v <= 0:
		return v, table.Excerpt(cell) + " has no logarithm"
	}
	return v, problem
}

// parseClass returns the code of a named class. Names may be numbers.
func (ds *Dataset) parseClass(
	column *table.Column, v float64, isNumber bool, cell string,
) (code float64, problem string) {
	name := table.LabelOf(cell, v, isNumber)
	k := table.IndexOf(ds.Classes, name)
	if k < 0 && column.Kind == table.Boolean {
		k = column.Level(name)
	}
	if k < 0 {
		return 0, table.Excerpt(name) + " is not a class of the model; the classes are " +
			table.ShortList(ds.Classes)
	}
	return codeOf(k, len(ds.Classes)), ""
}

// parseSign returns the code of an unnamed class, which is written -1 or 0, or 1.
func (ds *Dataset) parseSign(v float64, cell string) (code float64, problem string) {
	switch v {
	case -1, 0:
		return -1, ""
	case 1:
		return 1, ""
	}
	return 0, table.Excerpt(cell) + " is not a class of the model; the classes are 0 or -1, and 1"
}

// standardise converts a batch to the units of the model.
func (r *Rows) standardise(b *Batch) error {
	if r.scaling.Log {
		change(b.Y, func(_ int, v float64) float64 { return math.Log(v) })
	}
	r.scaling.ScaleInputs(b.X)
	r.scaling.ScaleTargets(b.Y)
	if i := r.scaling.ScaleNoise(b.Noise); i >= 0 {
		return r.reader.Trouble(b.lines[i], r.reader.Noise.At,
			"the known noise is too large or too small to be standardised")
	}
	if r.missing == table.MissingMean {
		b.fillInputs(r.scaling)
	}
	for i, line := range b.lines {
		const far = "the number is too far from the training set to be standardised"
		for j, v := range b.X.RawRowView(i) {
			if math.IsInf(v, 0) {
				return r.reader.Trouble(line, r.made[j], far)
			}
		}
		for j, v := range b.Y.RawRowView(i) {
			if math.IsInf(v, 0) {
				return r.reader.Trouble(line, r.reader.Targets[j].At, far)
			}
		}
	}
	return nil
}
