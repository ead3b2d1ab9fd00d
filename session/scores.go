package session

import (
	"context"
	"math"
	"strings"

	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/session/watch"
)

// validate returns the mean log-likelihood of a new subset of the validation points (see validation_points)
// in original units, and updates the best value and the early-stopping rule. If a prediction fails, it warns
// and returns NaN: the next step decides whether training can continue. It returns an error only if ctx ends;
// then nothing has changed.
func (t *trainer) validate(ctx context.Context, step int) (float64, error) {
	value, err := t.probe.Validate(ctx, step, t.ValidationPoints, t.ValidationSamples)
	switch {
	case err != nil && ctx.Err() != nil:
		return nan, ctx.Err()
	case err != nil:
		t.warnError("validation failed", err)
		return nan, nil
	}
	t.stopper().Add(step, value)
	t.keepIfBest(step, value)
	if best := float64(t.progress.BestVal); replacesBest(t.Spec.Objective, best, value) {
		t.progress.BestVal, t.progress.BestStep = rundir.Number(value), step
	}
	return value, nil
}

// replacesBest reports whether a validation log-likelihood replaces best, which is NaN if there is none yet.
// A higher value does. For a sampler every value does, because choosing the best state by validation would
// bias the samples.
func replacesBest(o family.Objective, best, value float64) bool {
	return !math.IsNaN(value) && (math.IsNaN(best) || value > best || o.Sampled())
}

// testScores holds the scores on the test set and the step of the model.
type testScores struct {
	step    int
	metrics *rundir.Metrics
	points  *rundir.Predictions
	shown   *rundir.Predictions // points, thinned for snapshots
	worst   *rundir.WorstPoints
	alarm   *rundir.Alarm // nil unless the scores are hopeless
}

// leftOut holds the leave-one-out predictions and the step of the model.
type leftOut struct {
	step   int
	scores *rundir.LeaveOneOut
	points *rundir.Predictions
}

// The maximum number of training points with leave-one-out predictions: in closed form, and from
// posterior draws, which predict every point once for each draw.
const mostLeftOut, mostSampledOut = 2000, 500

// leaveOneOut computes the leave-one-out predictions of the current model. It turns errors into
// warnings, and returns the error of ctx if ctx ended first.
func (t *trainer) leaveOneOut(ctx context.Context) error {
	most := mostLeftOut
	if t.Spec.Objective.Sampled() {
		most = mostSampledOut
	}
	scores, points, err := t.probe.LeaveOneOut(ctx, most)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		t.warnError("could not compute leave-one-out predictions", err)
		return nil
	}
	t.leftOut = leftOut{t.modelStep(), scores, points}
	if text := scores.Warning(); text != "" {
		t.warn("%s", text)
	}
	return nil
}

// shownPoints is the maximum number of predicted points in a snapshot.
const shownPoints = 20000

// score scores the current model on the test set unless it already has scores.
func (t *trainer) score(ctx context.Context) error {
	if t.test.metrics != nil && t.test.step == t.modelStep() {
		return nil
	}
	metrics, points, err := t.probe.Test(ctx, t.TestSamples)
	if err != nil {
		return err
	}
	scores := testScores{
		step: t.modelStep(), metrics: metrics, points: points, shown: points.Thin(shownPoints),
	}
	if metrics != nil {
		scores.worst = points.Dominating()
		scores.alarm, err = t.scoreAlarm(ctx, scores)
		if err != nil {
			return err
		}
	}
	t.test = scores
	if names := metrics.Overflowed(); len(names) > 0 {
		t.warn("null scores (%s) overflow 64-bit numbers", strings.Join(names, ", "))
	}
	return nil
}

// scoreAlarm returns an alarm if test scores are hopeless, and nil otherwise.
func (t *trainer) scoreAlarm(ctx context.Context, scores testScores) (*rundir.Alarm, error) {
	baseline, err := t.baselineLogLik(ctx)
	if err != nil {
		return nil, err
	}
	scored := watch.Scored{
		Step: scores.step, Last: t.progress.Step,
		Test: scores.metrics, Points: scores.points, Worst: scores.worst, Baseline: baseline,
		Noise: withNoise(rundir.Point{}, t.probe.Model).Reading(watch.NoiseReading),
		Drift: t.history.watcher.Drift.Report(),
	}
	if t.probe.Data.Train.Noise != nil {
		scored.Noise = nan // A learned part of the noise may vanish.
	}
	problem := scored.Problem()
	if problem == "" {
		return nil, nil
	}
	far, err := t.probe.Far(ctx)
	if err != nil {
		return nil, err
	}
	return scored.Alarm(problem, far), nil
}

// evaluateObjective evaluates the objective over all training points unless it is already known or the model
// does not support it. For an exact objective it uses the value at the last step.
func (t *trainer) evaluateObjective(ctx context.Context) error {
	step := t.modelStep()
	if t.objective != nil && t.objective.Step == step || step == 0 {
		return nil
	}
	switch {
	case !t.Spec.Objective.Noisy && t.kept.adopted:
		return nil // The last report line is about the last step, not the kept one.
	case !t.Spec.Objective.Noisy:
		t.objective = &rundir.Evaluation{
			Step: step, Objective: rundir.Number(t.last.point.Objective),
			Points: t.store.config.Data.N, Exact: true,
		}
	case !t.Spec.Objective.Sampled():
		value, err := t.probe.Objective(ctx, rundir.BatchOf(t.Values, t.store.config.Data.N))
		if value == nil || err != nil {
			return err
		}
		value.Step = step
		t.objective = value
	}
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
