package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

// minTrain is the minimum number of rows that can be standardised.
const minTrain = 2

// Prepare splits a data set, draws a share of the training rows for validation (at least one row
// unless the share is 0), and standardises all parts by the remaining training rows. seed
// determines the validation rows; the test rows depend only on the split. A split of kind Random811
// has its own validation set, independent of share and seed.
//
// The rows of each part are ascending. Rows without any observed target are omitted, and so are rows of the
// training set with weight 0. With a split
// of kind Outputs, the training set also includes the rows of the other parts without the held-out
// targets, unless WholeRows is set, and the validation set contains only the held-out targets. An
// empty validation set has nil matrices. Warnings are about the split and the scaling; they do not
// repeat the warnings of the data set. The data set is not modified.
func Prepare(ds *Dataset, split Split, validation float64, seed uint64) (*Prepared, error) {
	p, err := prepare(ds, split, validation, seed, ds.copyInputs)
	return p, split.failed(ds, err)
}

// PrepareInPlace is Prepare for a data set whose values are not needed any more. The parts take over the
// memory of X, which is then nil.
func PrepareInPlace(ds *Dataset, split Split, validation float64, seed uint64) (*Prepared, error) {
	p, err := prepare(ds, split, validation, seed, ds.moveInputs)
	return p, split.failed(ds, err)
}

// failed returns the error of splitting a data set, or nil if err is nil.
func (s Split) failed(ds *Dataset, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("data set %s, split %v: %w", ds.Name, s, err)
}

// prepare splits and standardises a data set. divide sets the inputs of the parts in original units.
func prepare(
	ds *Dataset, split Split, validation float64, seed uint64, divide func(*Prepared),
) (*Prepared, error) {
	if !(validation >= 0 && validation < 1) {
		return nil, fmt.Errorf("validation share %v: want at least 0 and less than 1", validation)
	}
	text, err := split.content()
	if err != nil {
		return nil, err
	}
	rest, drawn, test, err := split.parts(ds, text, validation, seed)
	if err != nil {
		return nil, err
	}
	if ds.LogTargets && ds.Task != task.Regression {
		word := "counts"
		if ds.Task.Classes() {
			word = "classes"
		}
		return nil, errors.New(word + " have no logarithms")
	}
	if err := ds.checkNoise(); err != nil {
		return nil, err
	}
	p := &Prepared{Task: ds.Task, Classes: ds.Classes, Inputs: ds.Inputs, LearnedNoise: ds.LearnedNoise}
	if err := p.cut(ds, split, rest, drawn, test); err != nil {
		return nil, err
	}
	train := len(p.Train.Rows)
	if train < minTrain || len(p.Test.Rows) == 0 {
		n, _ := ds.Y.Dims()
		return nil,
			fmt.Errorf("too few rows: of %d rows, %d are left for training, %d for validation and %d for "+
				"testing; at least %d, 0 and 1 are needed",
				n, train, len(p.Validation.Rows), len(p.Test.Rows), minTrain)
	}
	p.TestSHA256 = ds.checksum(p.Test)
	if ds.Columns != nil {
		p.ContentSHA256 = ds.ContentSHA256()
	}
	if split.Kind == Listed {
		sum := sha256.Sum256(text)
		p.SplitSHA256 = hex.EncodeToString(sum[:])
	}
	divide(p)
	scaling, warnings, err := newScaling(ds, p.Train.X, p.Train.Y, split.Kind == Lindinger)
	if err != nil {
		return nil, err
	}
	p.Scaling = scaling
	p.Warnings = append(warnings, p.unseen()...)
	if ds.Columns != nil { // a table of the user
		p.Warnings = append(p.Warnings, p.leaks()...)
	}
	for _, part := range []Part{p.Train, p.Validation, p.Test} {
		if err := part.scale(scaling, ds.MeanInputs); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// unseen returns a warning for each class without rows in the training set.
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
			warnings = append(warnings, fmt.Sprintf("no row of the training set has class %s", p.Classes[k]))
		}
	}
	return warnings
}

// cut sets the rows and the targets of the parts. If a split holds out some targets of the validation and
// test rows, the training set keeps the other targets.
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
	p.Train, err = ds.part(ds.weighted(train), left)
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

// scale standardises the part in place and replaces missing inputs by the mean if meanInputs is
// true. It returns an error if a value is so far from the training set that its standardised value
// overflows, or if a known noise overflows or underflows.
func (p Part) scale(s Scaling, meanInputs bool) error {
	if len(p.Rows) == 0 {
		return nil
	}
	s.ScaleInputs(p.X)
	s.ScaleTargets(p.Y)
	if i := s.ScaleNoise(p.Noise); i >= 0 {
		return fmt.Errorf("the known noise of row %d is too large or too small to be standardised",
			p.Rows[i]+1)
	}
	if meanInputs {
		p.fillInputs(s)
	}
	for _, m := range []*mat.Dense{p.X, p.Y} {
		for i, row := range p.Rows {
			for _, v := range m.RawRowView(i) {
				if math.IsInf(v, 0) || math.IsNaN(v) && m == p.X {
					return fmt.Errorf("row %d is too far from the training set to be standardised", row+1)
				}
			}
		}
	}
	return nil
}

// fillInputs replaces missing inputs by the mean of the training set, which is 0 in standardised units.
func (p Part) fillInputs(s Scaling) {
	n, _ := p.X.Dims()
	for i := range n {
		for j, v := range p.X.RawRowView(i) {
			if !math.IsNaN(v) {
				continue
			}
			p.X.Set(i, j, 0)
			if p.Inputs != nil {
				p.Inputs.Set(i, j, s.InputMean[j])
			}
		}
	}
}
