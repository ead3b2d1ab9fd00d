package probe

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models/predictive"
	"dgplab/session/config"
)

// chunkDraws bounds the number of points times samples per call of Predict, so that memory does not grow with
// the data.
const chunkDraws = 4096

// places represents points that are predicted in chunks.
type places struct {
	n int
	// inputs returns the standardised inputs of the points first to last-1, [last-first, D].
	inputs func(first, last int) *mat.Dense
	// noise holds the known noise variance of each point, standardised, or is nil.
	noise []float64
}

// rowsIn returns the given rows of x, [N, D], as places, or all rows if rows is nil.
func rowsIn(x *mat.Dense, rows []int) places {
	n := len(rows)
	if rows == nil {
		n = rowsOf(x)
	}
	return places{n: n, inputs: func(first, last int) *mat.Dense { return copyRows(x, rows, first, last) }}
}

// targetsIn returns the given rows of a part as places, with the known noise of their targets, or all rows if
// rows is nil.
func targetsIn(part datasets.Part, rows []int) places {
	at := rowsIn(part.X, rows)
	at.noise = part.Noise
	if part.Noise != nil && rows != nil {
		at.noise = make([]float64, len(rows))
		for i, row := range rows {
			at.noise[i] = part.Noise[row]
		}
	}
	return at
}

// addNoise adds known noise variances, standardised, to the predictions of points. Models of data with known
// noise predict Gaussians.
func addNoise(predicted predictive.Predictive, known []float64) error {
	if known == nil {
		return nil
	}
	gaussians, ok := predicted.(*predictive.Gaussians)
	if !ok {
		return errors.New("the predictions cannot have a known noise")
	}
	gaussians.AddNoise(known)
	return nil
}

// predictInChunks predicts points in chunks. It calls visit for each chunk with the index of its first point.
// If ctx ends, its error is returned. If the run must end and visit takes too long, it is abandoned like a
// query, and what it has computed must not be used.
func (p *Probe) predictInChunks(
	ctx context.Context, at places, samples int, seed uint64, purpose string,
	visit func(first int, predicted predictive.Predictive),
) error {
	size := max(1, chunkDraws/samples)
	for first, chunk := 0, 0; first < at.n; first, chunk = first+size, chunk+1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		last := min(first+size, at.n)
		prediction, err := p.predictAt(at.inputs(first, last), samples, config.Derive(seed, purpose, chunk))
		if err != nil {
			return err
		}
		if got, _ := prediction.Dims(); got != last-first {
			return fmt.Errorf("the model returned %d predictions for %d points", got, last-first)
		}
		if at.noise != nil {
			err := addNoise(prediction, at.noise[first:last])
			if err != nil {
				return err
			}
		}
		if err := p.wait(func() { visit(first, prediction) }); err != nil {
			return err
		}
	}
	return nil
}

// wait does work that follows a prediction and may be abandoned; see Ask.
func (p *Probe) wait(work func()) error {
	_, err := Ask(p, func() (struct{}, error) {
		work()
		return struct{}{}, nil
	})
	return err
}

// copyRows returns a contiguous copy of rows[first:last] of m, or of the rows first to last-1 if rows
// is nil.
func copyRows(m *mat.Dense, rows []int, first, last int) *mat.Dense {
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

// predictAt returns the predictions of the model at x, [n, D].
func (p *Probe) predictAt(x *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	return Ask(p, func() (predictive.Predictive, error) { return p.Model.Predict(x, samples, seed) })
}

// rowsOf returns the number of rows of a matrix, which may be nil.
func rowsOf(m *mat.Dense) int {
	if m == nil || m.IsEmpty() {
		return 0
	}
	n, _ := m.Dims()
	return n
}
