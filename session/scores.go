package session

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models"
)

// chunkDraws bounds the points times samples of one call of Predict, and with
// them its memory, whatever the size of a part.
const chunkDraws = 4096

// inChunks predicts the points of a part (those in rows, in this order; all if
// rows is nil) chunk by chunk and hands each mixture with its targets to visit.
func inChunks(ctx context.Context, m models.Model, part datasets.Part, rows []int, samples int, seed uint64, p purpose,
	visit func(mix *models.Mixture, y *mat.Dense)) error {
	n := len(rows)
	if rows == nil {
		n = rowsOf(part.X)
	}
	size := max(1, chunkDraws/samples)
	for first, chunk := 0, 0; first < n; first, chunk = first+size, chunk+1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		last := min(first+size, n)
		mix, err := m.Predict(pick(part.X, rows, first, last), samples, derive(seed, p, chunk))
		if err != nil {
			return err
		}
		visit(mix, pick(part.Y, rows, first, last))
	}
	return nil
}

// pick returns a copy of rows[first:last] of m, or of the rows first to last-1
// if rows is nil.
func pick(m *mat.Dense, rows []int, first, last int) *mat.Dense {
	_, cols := m.Dims()
	out := mat.NewDense(last-first, cols, nil)
	for i := range last - first {
		row := first + i
		if rows != nil {
			row = rows[row]
		}
		copy(out.RawRowView(i), m.RawRowView(row))
	}
	return out
}

// validate returns the mean log-likelihood of the validation points (a fresh
// subset of them, see validation_points) in original units, and keeps count of
// the best value and of the trend. A prediction that fails gives NaN and a
// warning: whether training can go on is for the next step to say.
func (t *trainer) validate(step int) float64 {
	part := t.prepared.Validation
	rows := subset(rowsOf(part.X), t.validationPoints, derive(t.Seed, purposeValidationRows, step))
	sum, n := 0.0, 0
	seed := derive(t.Seed, purposeValidation, step)
	err := inChunks(context.Background(), t.model, part, rows, t.validationSamples, seed, purposeValidation,
		func(mix *models.Mixture, y *mat.Dense) {
			for _, l := range pointLogLik(mix, y, t.prepared) {
				sum += l
				n++
			}
		})
	if err != nil {
		t.warn("a validation failed: %v", err)
		return nan
	}
	value := sum / float64(n)
	t.progress.Early.add(step, value)
	if best := float64(t.progress.BestVal); !math.IsNaN(value) && (math.IsNaN(best) || value > best) {
		t.progress.BestVal, t.progress.BestStep = Number(value), step
	}
	return value
}

// evaluate returns the scores on the test part; nil if that is empty.
func (t *trainer) evaluate(ctx context.Context) (*Metrics, error) {
	part := t.prepared.Test
	if rowsOf(part.X) == 0 {
		return nil, nil
	}
	var scores tally
	err := inChunks(ctx, t.model, part, nil, t.testSamples, t.Seed, purposeTest,
		func(mix *models.Mixture, y *mat.Dense) { scores.add(mix, y, t.prepared) })
	if err != nil {
		return nil, err
	}
	metrics := scores.metrics(taskOf(t.prepared.Task))
	metrics.Samples = t.testSamples
	if math.IsNaN(metrics.LogLik) {
		return metrics, fmt.Errorf("the test log-likelihood is not a number")
	}
	return metrics, nil
}
