package probe

import (
	"context"
	"errors"
	"math"
	"slices"

	"dgplab/datasets"
	"dgplab/models/family"
	"dgplab/models/predictive"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// LeaveOneOut returns the scores and the predictions of training points, each predicted from all others:
// all of them, or a seeded sample if there are more than most. It returns nil if the model has no
// leave-one-out predictions.
func (p *Probe) LeaveOneOut(ctx context.Context, most int) (*rundir.LeaveOneOut, *rundir.Predictions, error) {
	m, ok := p.Model.(family.LeaveOneOuter)
	if !ok {
		return nil, nil, nil
	}
	train := p.Data.Train
	rows := config.Subset(train.Len(), most, p.derive(leftOutDraws, 0))
	slices.Sort(rows)
	left, err := Ask(p, func() (*family.LeftOut, error) {
		return m.LeaveOneOut(ctx, rows, p.derive(leftOutDraws, 1))
	})
	if left == nil || err != nil {
		return nil, nil, err
	}
	part := datasets.Part{
		X:       copyRows(train.X, rows, 0, len(rows)),
		Y:       copyRows(train.Y, rows, 0, len(rows)),
		Targets: copyRows(train.Targets, rows, 0, len(rows)),
		Rows:    rows,
	}
	if train.Rows != nil { // Otherwise the part is the data set itself.
		part.Rows = nil
		for _, row := range rows {
			part.Rows = append(part.Rows, train.Rows[row])
		}
	}
	units := unitsOf(p.Data.Scaling)
	points := newPredictions(part, p.Data.Task, p.Data.Classes)
	points.Names = p.columns.targets
	points.Distance = slices.Repeat([]float64{math.NaN()}, len(rows))
	var tally predictive.Tally
	done := 0
	for _, predicted := range left.Parts {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		n, _ := predicted.Dims()
		y := copyRows(part.Y, nil, done, done+n).RawMatrix().Data
		given := copyRows(part.Targets, nil, done, done+n).RawMatrix().Data
		err := p.wait(func() {
			tally.Add(predicted, y, given, units)
			done = addPredictions(points, done, predicted, y, units)
		})
		if err != nil {
			return nil, nil, err
		}
	}
	out := &rundir.LeaveOneOut{
		Metrics: *newMetrics(tally.Scores(), max(left.Draws, 1), p.columns.targets),
		Of:      train.Len(),
		Exact:   left.K == nil,
	}
	if math.IsNaN(float64(out.LogLik)) {
		return nil, nil, errors.New("the log-likelihood is NaN")
	}
	if left.K != nil {
		limit := left.ReliableK
		largest := slices.Max(left.K)
		out.Reliable = (*rundir.Number)(&limit)
		out.LargestK = (*rundir.Number)(&largest)
		for _, k := range left.K {
			if k > limit {
				out.Unreliable++
			}
		}
	}
	return out, points, nil
}
