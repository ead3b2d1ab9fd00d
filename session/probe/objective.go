package probe

import (
	"context"
	"math"

	"dgplab/models/family"
	"dgplab/session/rundir"
)

// An evaluation of the objective makes enough passes over the training points for about aimWindows
// minibatches, within bounds. With few minibatches per pass it costs as much as about 80 steps, with many as
// much as several epochs.
const (
	aimWindows              = 240
	leastPasses, mostPasses = 3, 20
	// manyWindows is the number of minibatches per pass beyond which only fewPasses passes are
	// made.
	manyWindows, fewPasses = 1000, 2
)

// Objective evaluates the objective over all training points as the mean over passes with independent draws,
// with its standard error. batch is the number of points per minibatch, or 0 for full batches. Objective
// returns nil if the model does not support an evaluation. The draws depend only on the seed of the run, so
// that runs with the same seed are compared with common random numbers.
func (p *Probe) Objective(ctx context.Context, batch int) (*rundir.Evaluation, error) {
	model, ok := p.Model.(family.Evaluator)
	if !ok {
		return nil, nil
	}
	n := p.Data.Train.Len()
	var list []float64
	for passes := passesFor(n, batch); len(list) < passes; {
		known := false
		value, err := Ask(p, func() (float64, error) {
			value, ok, err := model.EvaluateObjective(ctx, p.derive(objectiveDraws, len(list)))
			known = ok
			return value, err
		})
		if err != nil || !known {
			return nil, err
		}
		list = append(list, value)
		if len(list) == fewPasses && list[0] == list[1] {
			break // The objective is deterministic.
		}
	}
	mean, se := meanOf(list)
	return &rundir.Evaluation{
		Objective: rundir.Number(mean), SE: rundir.Number(se), Passes: len(list), Points: n,
	}, nil
}

// passesFor returns the number of passes over n points in minibatches of size batch, which is 0 for
// full batches.
func passesFor(n, batch int) int {
	windows := 1
	if batch > 0 {
		windows = (n + batch - 1) / batch
	}
	if windows > manyWindows {
		return fewPasses
	}
	return max(leastPasses, min(aimWindows/windows, mostPasses))
}

// meanOf returns the mean of at least two values and its standard error.
func meanOf(list []float64) (mean, se float64) {
	count := float64(len(list))
	for _, v := range list {
		mean += v / count
	}
	for _, v := range list {
		se += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(se / (count - 1) / count)
}
