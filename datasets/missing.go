package datasets

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/table"
)

// noteMissing adds warnings about missing targets and rows without any target. line returns the
// line of a row in the file.
func (ds *Dataset) noteMissing(line func(row int) int) {
	n, p := ds.Y.Dims()
	absent, empty := make([]int, p), []string{}
	for i := range n {
		seen := false
		for j, v := range ds.Y.RawRowView(i) {
			if math.IsNaN(v) {
				absent[j]++
			} else {
				seen = true
			}
		}
		if !seen {
			empty = append(empty, fmt.Sprint(line(i)))
		}
	}
	for j, count := range absent {
		if count > 0 {
			ds.warn("target %s is missing in %d of %d rows", ds.Targets[j], count, n)
		}
	}
	if len(empty) > 0 {
		noun := "line"
		if len(empty) > 1 {
			noun = "lines"
		}
		ds.warn("%s without any target omitted: %s %s", table.Plural(len(empty), "row"), noun,
			table.ShortList(empty))
	}
}

// warn adds a warning.
func (ds *Dataset) warn(format string, args ...any) {
	ds.Warnings = append(ds.Warnings, table.Note{Text: fmt.Sprintf(format, args...)})
}

// FirstMissing returns the target name and the row in the data set of the first missing target of
// the training set, and the number of missing targets.
func (p *Prepared) FirstMissing(names []string) (name string, row, count int) {
	for i := range p.Train.Rows {
		for j, v := range p.Train.Y.RawRowView(i) {
			if !math.IsNaN(v) {
				continue
			}
			count++
			if count == 1 {
				name, row = names[j], p.Train.Rows[i]
			}
		}
	}
	return name, row, count
}

// visible reports whether a part includes a target of a row. If it is nil, the part includes all
// targets.
type visible func(row, target int) bool

// part returns a part with the targets of rows of the data set, without the inputs. If LogTargets is set, Y
// holds the logarithms of the targets. Excluded targets are NaN, and rows without any target are omitted.
// The part reuses the memory of rows.
func (ds *Dataset) part(rows []int, may visible) (Part, error) {
	_, p := ds.Y.Dims()
	kept := rows[:0]
	targets := make([]float64, 0, len(rows)*p)
	given := make([]float64, 0, len(rows)*p)
	for _, row := range rows {
		seen := false
		for j, v := range ds.Y.RawRowView(row) {
			if may != nil && !may(row, j) {
				v = math.NaN()
			}
			if ds.LogTargets && v <= 0 {
				return Part{}, fmt.Errorf("target %s of row %d is %v, which has no logarithm",
					ds.Targets[j], row+1, v)
			}
			given = append(given, v)
			if ds.LogTargets {
				v = math.Log(v)
			}
			seen = seen || !math.IsNaN(v)
			targets = append(targets, v)
		}
		if !seen {
			targets = targets[:len(kept)*p]
			given = given[:len(kept)*p]
			continue
		}
		kept = append(kept, row)
	}
	if len(kept) == 0 {
		return Part{}, nil
	}
	n := len(kept)
	return Part{Y: mat.NewDense(n, p, targets), Targets: mat.NewDense(n, p, given), Rows: kept,
		Noise: at(ds.Noise, kept), Weights: at(ds.Weights, kept)}, nil
}

// copyInputs copies the inputs of the parts, in original units.
func (ds *Dataset) copyInputs(p *Prepared) {
	p.Validation.Inputs = ds.inputsOf(p.Validation.Rows)
	p.Test.Inputs = ds.inputsOf(p.Test.Rows)
	for _, part := range []*Part{&p.Train, &p.Validation, &p.Test} {
		part.X = ds.inputsOf(part.Rows)
	}
}

// inputsOf copies the inputs of rows. It returns nil if there are none.
func (ds *Dataset) inputsOf(rows []int) *mat.Dense {
	if len(rows) == 0 {
		return nil
	}
	_, d := ds.X.Dims()
	x := mat.NewDense(len(rows), d, nil)
	for i, row := range rows {
		x.SetRow(i, ds.X.RawRowView(row))
	}
	return x
}

// moveInputs stores the inputs of the parts, in original units, in the memory of X and sets X to nil. The
// training set comes first: its rows are ascending, so each moves to its own place or to an earlier one.
func (ds *Dataset) moveInputs(p *Prepared) {
	x := ds.X
	n, d := x.Dims()
	if len(p.Train.Rows)+len(p.Validation.Rows)+len(p.Test.Rows) > n { // The parts share rows and do not fit.
		ds.copyInputs(p)
		ds.X = nil
		return
	}
	p.Validation.Inputs = ds.inputsOf(p.Validation.Rows)
	p.Test.Inputs = ds.inputsOf(p.Test.Rows)
	for i, row := range p.Train.Rows {
		x.SetRow(i, x.RawRowView(row))
	}
	at := len(p.Train.Rows)
	p.Train.X = x.Slice(0, at, 0, d).(*mat.Dense)
	for _, part := range []*Part{&p.Validation, &p.Test} {
		if len(part.Rows) == 0 {
			continue
		}
		moved := x.Slice(at, at+len(part.Rows), 0, d).(*mat.Dense)
		moved.Copy(part.Inputs)
		part.X = moved
		at += len(part.Rows)
	}
	ds.X = nil
}
