package session

import (
	"context"
	"math"

	"dgplab/models/family"
	"dgplab/session/rundir"
)

// An evaluation of the objective makes enough passes over the training points for about aimWindows
// minibatches, within bounds. It costs about as much as 80 steps with few minibatches, and as
// several epochs with many.
const (
	aimWindows              = 240
	leastPasses, mostPasses = 3, 20
	// manyWindows is the number of minibatches per pass beyond which only fewPasses passes are
	// made.
	manyWindows, fewPasses = 1000, 2
)

// evaluateObjective evaluates the objective over all training points as the mean over passes with
// independent draws, with its standard error. For an exact objective it uses the value at the last
// step. It stores no evaluation if the model does not support one. The draws depend only on the
// seed of the run: runs with the same seed are compared with common random numbers.
func (t *trainer) evaluateObjective(ctx context.Context) error {
	step := t.modelStep()
	if t.objective != nil && t.objective.Step == step || step == 0 {
		return nil
	}
	n := t.store.config.Data.N
	out := &rundir.Evaluation{Step: step, Points: n}
	if !t.Spec.Objective.Noisy {
		if t.kept.adopted {
			return nil // The last report line has the value of the last step, not of the kept one.
		}
		out.Objective, out.Exact = rundir.Number(t.last.point.Objective), true
		t.objective = out
		return nil
	}
	model, ok := t.model.(family.Evaluator)
	if !ok || t.Spec.Objective.Sampled() {
		return nil
	}
	var list []float64
	for passes := passesFor(n, rundir.BatchOf(t.Values, n)); len(list) < passes; {
		known := false
		value, err := ask(t, func() (float64, error) {
			value, ok, err := model.EvaluateObjective(ctx, derive(t.Seed, purposeObjective, len(list)))
			known = ok
			return value, err
		})
		if err != nil || !known {
			return err
		}
		list = append(list, value)
		if len(list) == fewPasses && list[0] == list[1] {
			break // The objective is deterministic.
		}
	}
	mean, se := meanOf(list)
	out.Objective = rundir.Number(mean)
	out.SE = rundir.Number(se)
	out.Passes = len(list)
	t.objective = out
	return nil
}

// evaluateOrWarn calls evaluateObjective and turns errors into warnings. It returns the error of
// ctx if ctx ended first.
func (t *trainer) evaluateOrWarn(ctx context.Context) error {
	err := t.evaluateObjective(ctx)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		t.warn("could not evaluate the objective over all points: %v", err)
	}
	return nil
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
	return max(leastPasses, min(aimWindows/max(windows, 1), mostPasses))
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
