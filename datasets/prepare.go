package datasets

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// minTrain is the least number of rows that can be standardised.
const minTrain = 2

// Prepare splits a data set, takes a share of the training part for validation
// (at least one row unless the share is 0), and standardises all parts by what
// is left of the training part. The seed draws the validation rows; the split
// has its own number. A split of Random811 has its own validation part, whatever share
// and seed are.
//
// The rows of each part are ascending. An empty validation part has nil matrices. Warnings are those of the data set and those of the scaling. The
// data set itself is not changed.
func Prepare(ds *Dataset, split Split, validation float64, seed uint64) (*Prepared, error) {
	p, err := prepare(ds, split, validation, seed)
	if err != nil {
		return nil, fmt.Errorf("data set %s, split %v: %w", ds.Name, split, err)
	}
	return p, nil
}

func prepare(ds *Dataset, split Split, validation float64, seed uint64) (*Prepared, error) {
	if !(validation >= 0 && validation < 1) {
		return nil, fmt.Errorf("validation share %v: want a number from 0, below 1", validation)
	}
	rest, drawn, test, err := split.parts(ds, validation, seed)
	if err != nil {
		return nil, err
	}
	if len(rest) < minTrain || len(test) == 0 {
		n, _ := ds.X.Dims()
		return nil, fmt.Errorf("too few rows: of %d, %d are left to train on, %d for validation and %d for the test; at least %d, 0 and 1 are needed",
			n, len(rest), len(drawn), len(test), minTrain)
	}
	p := &Prepared{
		Train: ds.part(rest), Validation: ds.part(drawn), Test: ds.part(test),
		Task: ds.Task,
	}
	scaling, warnings, err := newScaling(ds, p.Train.X, p.Train.Y)
	if err != nil {
		return nil, err
	}
	p.Scaling = scaling
	p.Warnings = append(append(p.Warnings, ds.Warnings...), warnings...)
	for _, part := range []Part{p.Train, p.Validation, p.Test} {
		if err := part.scale(scaling); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// scale standardises the part in place. A number so far from the training part
// that it overflows is an error.
func (p Part) scale(s Scaling) error {
	if len(p.Rows) == 0 {
		return nil
	}
	s.ScaleInputs(p.X)
	s.ScaleTargets(p.Y)
	for _, m := range []*mat.Dense{p.X, p.Y} {
		for i, row := range p.Rows {
			for _, v := range m.RawRowView(i) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return fmt.Errorf("row %d is too far from the training part to be standardised", row)
				}
			}
		}
	}
	return nil
}

// part copies rows of the data set, in original units.
func (ds *Dataset) part(rows []int) Part {
	if len(rows) == 0 {
		return Part{}
	}
	_, d := ds.X.Dims()
	_, p := ds.Y.Dims()
	part := Part{X: mat.NewDense(len(rows), d, nil), Y: mat.NewDense(len(rows), p, nil), Rows: rows}
	for i, row := range rows {
		part.X.SetRow(i, ds.X.RawRowView(row))
		part.Y.SetRow(i, ds.Y.RawRowView(row))
	}
	return part
}
