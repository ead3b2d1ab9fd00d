package datasets

import (
	"errors"
	"fmt"
	"math"

	"dgplab/datasets/table"
	"dgplab/datasets/task"
)

// readKnown reads the known noise and the weights of the rows from their columns, if there are any.
func (ds *Dataset) readKnown(t *table.Table, d *table.Use, rows []int) (err error) {
	ds.Noise, err = t.Known(d, table.KnownNoise, rows)
	if err != nil {
		return err
	}
	ds.Weights, err = t.Known(d, table.Weight, rows)
	return err
}

// checkNoise returns an error if the noise of the targets cannot be known.
func (ds *Dataset) checkNoise() error {
	switch {
	case ds.Noise == nil:
		return nil
	case len(ds.Targets) > 1:
		return fmt.Errorf("a known noise needs a single target, and there are %d", len(ds.Targets))
	case ds.Task != task.Regression:
		return fmt.Errorf("a known noise needs real targets; %s:number treats the target as numbers",
			ds.Targets[0])
	case ds.LogTargets:
		return errors.New("a known noise is that of the target, not of its logarithm; use one of the two, " +
			"or a table with the logarithms and their noise")
	}
	return nil
}

// noteKnown adds notes about the columns of known noise and weights.
func (ds *Dataset) noteKnown() {
	for _, c := range ds.Columns.Columns {
		text := ""
		switch {
		case c.Role == table.KnownNoise && ds.LearnedNoise:
			text = "column %s is the known part of the noise and is not an input; intervals for points " +
				"without it contain only the learned part"
		case c.Role == table.KnownNoise:
			text = "column %s is the known noise and is not an input; intervals for points without it " +
				"contain only the uncertainty of the function"
		case c.Role == table.Weight:
			text = "column %s weighs the rows in training and is not an input; rows of weight 0 are left " +
				"out, and scores have equal weights"
		default:
			continue
		}
		ds.Notes = append(ds.Notes, table.Note{Text: fmt.Sprintf(text, c.Name)})
	}
}

// weighted returns the rows with a positive weight. It reuses the memory of rows.
func (ds *Dataset) weighted(rows []int) []int {
	if ds.Weights == nil {
		return rows
	}
	kept := rows[:0]
	for _, row := range rows {
		if ds.Weights[row] > 0 {
			kept = append(kept, row)
		}
	}
	return kept
}

// at returns the values of rows, or nil if there are none.
func at(values []float64, rows []int) []float64 {
	if values == nil || len(rows) == 0 {
		return nil
	}
	out := make([]float64, len(rows))
	for i, row := range rows {
		out[i] = values[row]
	}
	return out
}

// ScaleNoise converts known noise variances of the single target to standardised units, in place. It returns
// the index of the first value that is then not finite and positive, or -1.
func (s Scaling) ScaleNoise(noise []float64) (invalid int) {
	for i, v := range noise {
		noise[i] = v / s.TargetSD[0] / s.TargetSD[0]
		if !(noise[i] > 0) || math.IsInf(noise[i], 0) {
			return i
		}
	}
	return -1
}
