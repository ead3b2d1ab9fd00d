package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/predictive"
	"dgplab/session/rundir"
)

// chunkDraws bounds points times samples per call of Predict, and with it the memory, independent
// of the size of the data.
const chunkDraws = 4096

// places are points that are predicted in chunks.
type places struct {
	n int
	// inputs returns the standardised inputs of the points first to last-1, [last-first, D].
	inputs func(first, last int) *mat.Dense
}

// rowsIn returns the given rows of x, [N, D], as places, or all rows if rows is nil.
func rowsIn(x *mat.Dense, rows []int) places {
	n := len(rows)
	if rows == nil {
		n = rowsOf(x)
	}
	return places{n, func(first, last int) *mat.Dense { return copyRows(x, rows, first, last) }}
}

// predictInChunks predicts points in chunks and calls visit for each with the index of its first
// point. If ctx ends, its error is returned.
func (t *trainer) predictInChunks(ctx context.Context, at places, samples int, seed uint64, p purpose,
	visit func(first int, p predictive.Predictive)) error {
	size := max(1, chunkDraws/samples)
	for first, chunk := 0, 0; first < at.n; first, chunk = first+size, chunk+1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		last := min(first+size, at.n)
		prediction, err := t.predictAt(at.inputs(first, last), samples, derive(seed, p, chunk))
		if err != nil {
			return err
		}
		if got, _ := prediction.Dims(); got != last-first {
			return fmt.Errorf("the model returned %d predictions for %d points", got, last-first)
		}
		visit(first, prediction)
	}
	return nil
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

// validate returns the mean log-likelihood of a fresh subset of the validation points (see
// validation_points) in original units, and updates the best value and the early-stopping rule. If
// a prediction fails, it warns and returns NaN, because the next step decides whether training can
// continue. The error is the error of ctx; nothing has changed then.
func (t *trainer) validate(ctx context.Context, step int) (float64, error) {
	part := t.prepared.Validation
	rows := subset(rowsOf(part.X), t.ValidationPoints, derive(t.Seed, purposeValidationRows, step))
	seed := derive(t.Seed, purposeValidation, step)
	sum := 0.0
	err := t.predictInChunks(ctx, rowsIn(part.X, rows), t.ValidationSamples, seed, purposeValidation,
		func(first int, p predictive.Predictive) {
			n, _ := p.Dims()
			y := copyRows(part.Y, rows, first, first+n).RawMatrix().Data
			density := make([]float64, n)
			p.LogDensity(density, y)
			for _, l := range density {
				sum += l
			}
			sum += unitsOf(t.prepared.Scaling).LogDensityShift(y) // 0 for classes
		})
	switch {
	case err != nil && ctx.Err() != nil:
		return nan, ctx.Err()
	case err != nil:
		t.warnError("validation failed", err)
		return nan, nil
	}
	value := sum / float64(len(rows))
	t.stopper().Add(step, value)
	t.keepIfBest(step, value)
	if best := float64(t.progress.BestVal); replacesBest(t.Spec.Objective, best, value) {
		t.progress.BestVal, t.progress.BestStep = rundir.Number(value), step
	}
	return value, nil
}

// replacesBest reports whether a validation log-likelihood replaces best, the best one so far,
// which is NaN if there is none. Higher values do. For a sampler every value does, because choosing
// the best state by validation would bias the samples.
func replacesBest(o family.Objective, best, value float64) bool {
	return !math.IsNaN(value) && (math.IsNaN(best) || value > best || o.Sampled())
}

// testScores holds the scores on the test set and the step of the model.
type testScores struct {
	step    int
	metrics *rundir.Metrics
	points  *rundir.Predictions
	shown   *rundir.Predictions // points, thinned for snapshots
}

// score evaluates the current model on the test set unless that was already done.
func (t *trainer) score(ctx context.Context) error {
	if t.test.metrics != nil && t.test.step == t.modelStep() {
		return nil
	}
	metrics, points, err := t.evaluate(ctx)
	if err == nil {
		t.test = testScores{t.modelStep(), metrics, points, points.Thin(shownPoints)}
		if names := overflowed(metrics); len(names) > 0 {
			t.warn("null scores (%s) overflow 64-bit numbers",
				strings.Join(names, ", "))
		}
	}
	return err
}

// overflowed returns the names of scores that are null in files because they are infinite.
func overflowed(m *rundir.Metrics) []string {
	text, err := json.Marshal(m)
	if err != nil {
		return nil
	}
	var scores map[string]any
	var single struct {
		Outputs []map[string]any `json:"outputs"`
	}
	if json.Unmarshal(text, &scores) != nil || json.Unmarshal(text, &single) != nil {
		return nil
	}
	return nulls(append(single.Outputs, scores))
}

// nulls returns the keys that are null in any of the objects, in ascending order.
func nulls(objects []map[string]any) []string {
	names := map[string]bool{}
	for _, fields := range objects {
		for name, value := range fields {
			if value == nil {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// evaluate returns the scores on the test set and the predictions of its points, or nil if it is
// empty.
func (t *trainer) evaluate(ctx context.Context) (*rundir.Metrics, *rundir.Predictions, error) {
	part, units := t.prepared.Test, unitsOf(t.prepared.Scaling)
	if rowsOf(part.X) == 0 {
		return nil, nil, nil
	}
	var tally predictive.Tally
	points, done, samples := newPredictions(part, t.prepared.Task, t.prepared.Classes), 0, 0
	err := t.predictInChunks(ctx, rowsIn(part.X, nil), t.TestSamples, t.Seed, purposeTest,
		func(first int, p predictive.Predictive) {
			n, _ := p.Dims()
			y := copyRows(part.Y, nil, first, first+n).RawMatrix().Data
			samples = components(p, t.TestSamples)
			tally.Add(p, y, units)
			done = addPredictions(points, done, p, y, units)
		})
	if err != nil {
		return nil, nil, err
	}
	metrics := newMetrics(tally.Scores(), samples, t.columns.targets)
	if math.IsNaN(metrics.LogLik) {
		return nil, nil, errors.New("the log-likelihood is NaN")
	}
	points.Names = t.columns.targets
	points.Distance, points.Near, points.Training, err = t.measureDistances(ctx)
	return metrics, points, err
}

// newMetrics converts the scores that apply to the task. names holds the names of the targets.
func newMetrics(s predictive.Scores, samples int, names []string) *rundir.Metrics {
	m := &rundir.Metrics{N: s.N, Samples: samples, LogLik: s.LogLik, NLL: s.NLL}
	known := func(x float64) *float64 {
		if math.IsNaN(x) {
			return nil
		}
		return &x
	}
	m.RMSE = known(s.RMSE)
	m.MAE = known(s.MAE)
	m.SMSE = known(s.SMSE)
	m.CRPS = known(s.CRPS)
	m.StdLogLik = known(s.StdLogLik)
	m.StdNLL = known(s.StdNLL)
	m.StdRMSE = known(s.StdRMSE)
	m.StdCRPS = known(s.StdCRPS)
	m.ErrorRate = known(s.ErrorRate)
	m.Accuracy = known(s.Accuracy)
	m.LogLoss = known(s.LogLoss)
	m.Brier = known(s.Brier)
	m.ECE = known(s.ECE)
	for i, level := range predictive.Levels {
		if share := s.Coverage[i]; !math.IsNaN(share) {
			if m.Coverage == nil {
				m.Coverage = make(map[string]float64, len(predictive.Levels))
			}
			m.Coverage[strconv.FormatFloat(100*level, 'f', -1, 64)] = share
		}
	}
	if s.Outputs == nil && len(names) == 1 {
		m.Output = names[0]
	}
	for k, scores := range s.Outputs {
		if scores.N > 0 { // Outputs with N = 0 were not tested.
			m.Outputs = append(m.Outputs, newMetrics(scores, samples, []string{nameOf(names, "target", k)}))
		}
	}
	return m
}
