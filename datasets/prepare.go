package datasets

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

// minTrain is the least number of rows that can be standardised.
const minTrain = 2

// Prepare splits a data set, takes a share of the training part for validation
// (at least one row unless the share is 0), and standardises all parts by what
// is left of the training part. The seed draws the validation rows; the split
// has its own number. A split of Random811 has its own validation part, whatever share
// and seed are.
//
// The rows of each part are ascending; those without any observed target are in none.
// With a split of Outputs the training part also has the rows of the other parts, without
// the targets that are held out, unless it takes whole rows alone; the validation part is
// of these targets, too. An empty validation part has nil matrices. Warnings are
// of the split and the scaling, beside those of the data set, which is not changed.
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
	if ds.LogTargets && ds.Task != task.Regression {
		return nil, errors.New("classes have no logarithms")
	}
	p := &Prepared{Task: ds.Task, Classes: ds.Classes}
	if err := p.cut(ds, split, rest, drawn, test); err != nil {
		return nil, err
	}
	train := len(p.Train.Rows)
	if train < minTrain || len(p.Test.Rows) == 0 {
		n, _ := ds.X.Dims()
		return nil,
			fmt.Errorf("too few rows: of %d, %d are left to train on, %d for validation and %d for the "+
				"test; at least %d, 0 and 1 are needed",
				n, train, len(p.Validation.Rows), len(p.Test.Rows), minTrain)
	}
	scaling, warnings, err := newScaling(ds, p.Train.X, p.Train.Y)
	if err != nil {
		return nil, err
	}
	p.Scaling = scaling
	p.Warnings = append(warnings, p.unseen()...)
	for _, part := range []Part{p.Train, p.Validation, p.Test} {
		if err := part.scale(scaling, ds.MeanInputs); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// unseen returns a warning for each class that no row of the training part has.
func (p *Prepared) unseen() (warnings []string) {
	seen := make([]bool, len(p.Classes))
	if len(seen) == 0 {
		return nil
	}
	for i := range p.Train.Rows {
		if v := p.Train.Y.At(i, 0); !math.IsNaN(v) {
			seen[ClassOf(p.Task, v)] = true
		}
	}
	for k, has := range seen {
		if !has {
			warnings = append(warnings, fmt.Sprintf("no row of the training part has class %s", p.Classes[k]))
		}
	}
	return warnings
}

// cut copies the parts. A split that holds out some targets, of the rows of the test and
// the validation part, leaves the others to the training part.
func (p *Prepared) cut(ds *Dataset, split Split, train, validation, test []int) error {
	held, err := split.heldOut(ds)
	if err != nil {
		return err
	}
	var left, hidden visible
	if held != nil {
		others := slices.Concat(validation, test)
		away := make(map[int]bool, len(others))
		for _, row := range others {
			away[row] = true
		}
		left = func(row, target int) bool { return !held[target] || !away[row] }
		hidden = func(_, target int) bool { return held[target] }
		if !ds.WholeRows {
			train = slices.Sorted(slices.Values(slices.Concat(train, others)))
		}
	}
	p.Train, err = ds.part(train, left)
	if err != nil {
		return err
	}
	p.Validation, err = ds.part(validation, hidden)
	if err != nil {
		return err
	}
	p.Test, err = ds.part(test, hidden)
	return err
}

// scale standardises the part in place; an input that is missing becomes the mean, if that
// is wanted. A number so far from the training part that it overflows is an error.
func (p Part) scale(s Scaling, meanInputs bool) error {
	if len(p.Rows) == 0 {
		return nil
	}
	s.ScaleInputs(p.X)
	s.ScaleTargets(p.Y)
	if meanInputs {
		p.fillInputs()
	}
	for _, m := range []*mat.Dense{p.X, p.Y} {
		for i, row := range p.Rows {
			for _, v := range m.RawRowView(i) {
				if math.IsInf(v, 0) || math.IsNaN(v) && m == p.X {
					return fmt.Errorf("row %d is too far from the training part to be standardised", row+1)
				}
			}
		}
	}
	return nil
}

// fillInputs puts the mean of the training part, which is 0, for inputs that are missing.
func (p Part) fillInputs() {
	p.X.Apply(func(_, _ int, v float64) float64 {
		if math.IsNaN(v) {
			return 0
		}
		return v
	}, p.X)
}
