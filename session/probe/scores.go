package probe

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"dgplab/datasets"
	"dgplab/models/predictive"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// Validate returns the mean log-likelihood of validation points in original units. It predicts each point
// with the given number of samples. points is the maximum number of points, or 0 for all; the subset is
// different at each step. If ctx ends, its error is returned.
func (p *Probe) Validate(ctx context.Context, step, points, samples int) (float64, error) {
	sum := 0.0
	n := 0
	err := p.validate(ctx, step, points, samples, func(density []float64, shift float64) {
		for _, l := range density {
			sum += l
		}
		sum += shift
		n += len(density)
	})
	return sum / float64(n), err
}

// ValidationDensities returns the log-likelihood of each point that Validate uses at a step, in standardised
// units.
func (p *Probe) ValidationDensities(ctx context.Context, step, points, samples int) ([]float64, error) {
	var list []float64
	err := p.validate(ctx, step, points, samples, func(density []float64, _ float64) {
		list = append(list, density...)
	})
	return list, err
}

// validate predicts validation points. It calls visit for each chunk of points with their log-likelihoods
// and the sum of what converts these to original units.
func (p *Probe) validate(
	ctx context.Context, step, points, samples int, visit func(density []float64, shift float64),
) error {
	part := p.Data.Validation
	rows := config.Subset(part.Len(), points, p.derive(validationRows, step))
	seed := p.derive(validationDraws, step)
	return p.predictInChunks(ctx, targetsIn(part, rows), samples, seed, validationDraws,
		func(first int, predicted predictive.Predictive) {
			n, _ := predicted.Dims()
			y := copyRows(part.Y, rows, first, first+n).RawMatrix().Data
			density := make([]float64, n)
			predicted.LogDensity(density, y)
			visit(density, unitsOf(p.Data.Scaling).LogDensityShift(y)) // 0 for classes
		})
}

// Test returns the scores on the test set, with the given number of samples per point, and the
// predictions of its points. It returns nil if the test set is empty.
func (p *Probe) Test(ctx context.Context, samples int) (*rundir.Metrics, *rundir.Predictions, error) {
	if p.Data.Test.Len() == 0 {
		return nil, nil, nil
	}
	metrics, points, err := p.testPart(ctx, p.Data.Test, samples)
	if err != nil {
		return nil, nil, err
	}
	if math.IsNaN(float64(metrics.LogLik)) {
		return nil, nil, errors.New("the log-likelihood is NaN")
	}
	points.Names = p.columns.targets
	points.Distance, points.Near, points.Training, err = p.measureDistances(ctx)
	return metrics, points, err
}

// testPart returns the scores on points of the test set and their predictions.
func (p *Probe) testPart(
	ctx context.Context, part datasets.Part, samples int,
) (*rundir.Metrics, *rundir.Predictions, error) {
	units := unitsOf(p.Data.Scaling)
	var tally predictive.Tally
	points, done, draws := newPredictions(part, p.Data.Task, p.Data.Classes), 0, 0
	err := p.predictInChunks(ctx, targetsIn(part, nil), samples, p.seed, testDraws,
		func(first int, predicted predictive.Predictive) {
			n, _ := predicted.Dims()
			y := copyRows(part.Y, nil, first, first+n).RawMatrix().Data
			draws = components(predicted, samples)
			given := copyRows(part.Targets, nil, first, first+n).RawMatrix().Data
			tally.Add(predicted, y, given, units)
			done = addPredictions(points, done, predicted, y, units)
		})
	return newMetrics(tally.Scores(), draws, p.columns.targets), points, err
}

// TimeTest returns the expected time of Test in seconds, from the time of its first chunk.
func (p *Probe) TimeTest(ctx context.Context, samples int, now func() time.Time) (float64, error) {
	test := p.Data.Test
	n := min(test.Len(), max(1, chunkDraws/samples))
	if n == 0 {
		return 0, nil
	}
	part := datasets.Part{
		X: copyRows(test.X, nil, 0, n), Y: copyRows(test.Y, nil, 0, n),
		Targets: copyRows(test.Targets, nil, 0, n),
	}
	if test.Noise != nil {
		part.Noise = test.Noise[:n]
	}
	begin := now()
	_, _, err := p.testPart(ctx, part, samples)
	return now().Sub(begin).Seconds() * float64(test.Len()) / float64(n), err
}

// newMetrics converts the scores that apply to the task. names holds the names of the targets.
func newMetrics(s predictive.Scores, samples int, names []string) *rundir.Metrics {
	m := &rundir.Metrics{
		N: s.N, Samples: samples, LogLik: rundir.Number(s.LogLik), NLL: rundir.Number(s.NLL),
	}
	known := func(x float64) *rundir.Number {
		if math.IsNaN(x) {
			return nil
		}
		n := rundir.Number(x)
		return &n
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
				m.Coverage = make(map[string]rundir.Number, len(predictive.Levels))
			}
			m.Coverage[strconv.FormatFloat(100*level, 'f', -1, 64)] = rundir.Number(share)
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
