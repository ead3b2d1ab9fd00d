package session

import (
	"context"

	"dgplab/datasets"
	"dgplab/session/rundir"
	"dgplab/session/watch"
)

// A run with a time budget times some steps of a model that is then discarded, and derives its number of
// steps from the timings. It then continues like a run that was started with this number of steps.

const (
	// timingShare is the reciprocal of the share of the budget that is spent on timing, at most
	// maxTiming seconds and timedSteps steps.
	timingShare = 20
	maxTiming   = 3.0
	timedSteps  = 50
	// trainingShare is the share of the budget for training. The rest is for diagnostics and tests.
	trainingShare = 0.9
	// usefulSteps is the number of steps below which the default number of inducing points is halved. In
	// fewer steps a run cannot even be stopped for overfitting.
	usefulSteps = 2 * watch.OverfitAfter
)

// fitBudget adapts a new run to its time budget. It does nothing for a run without one.
func (t *trainer) fitBudget(ctx context.Context, ds *datasets.Dataset) error {
	budget := t.Budget.Seconds()
	file := t.store.config
	if budget == 0 || file.Budget != nil || t.store.start != nil || t.progress.Step > 0 {
		return nil
	}
	defer func() { t.probe.Model = nil }()
	n := file.Data.N
	begin := t.env.now()
	var cost stepCost
	var adapted []rundir.Adaptation
	var steps int
	for {
		var err error
		cost, err = t.timeSteps(ctx, budget/timingShare)
		if err != nil {
			return err
		}
		left := trainingShare*budget - t.env.now().Sub(begin).Seconds()
		steps = t.Settings.Steps
		if most := left / cost.seconds; most < float64(steps) {
			steps = max(int(most), 1)
		}
		useful := min(usefulSteps, t.Settings.Steps)
		if cost.converged || steps >= useful {
			break
		}
		fewer, err := t.fewerInducing(ds, cost.seconds, left/float64(useful))
		if err != nil {
			return err
		}
		if fewer == nil {
			break
		}
		adapted = append(adapted, fewer...)
	}
	if steps < t.Settings.Steps && !cost.converged {
		adapted = append(adapted, t.AdaptToSteps(steps, n)...)
	}
	size, err := t.Resolved.Size(ds, t.probe.Data)
	if err != nil {
		return err
	}
	t.size = size
	file.Adapt(adapted)
	file.Values = t.Values
	file.Budget = &rundir.Budget{
		Seconds:     budget,
		StepSeconds: cost.seconds,
		Timed:       cost.steps,
		Steps:       t.Settings.Steps,
	}
	return t.store.SaveConfig(file)
}

// fewerInducing halves the default number of inducing points at least once, and until a step is expected to
// take at most the wanted time. measured is the time of a step before the changes. It returns the changes, or
// nil if there are none.
func (t *trainer) fewerInducing(
	ds *datasets.Dataset, measured, wanted float64,
) (list []rundir.Adaptation, err error) {
	halved, err := halvings(t.Resolved, ds, t.probe.Data)
	for _, half := range halved {
		list = append(list, t.HalveInducing(t.store.config.Data.N)...)
		if ScaledSeconds(measured, half.Ratio) <= wanted {
			break
		}
	}
	return list, err
}

// timeSteps times steps of a new model for about the given number of seconds, and a validation.
func (t *trainer) timeSteps(ctx context.Context, seconds float64) (stepCost, error) {
	if err := t.build(ctx); err != nil {
		return stepCost{}, err
	}
	cost, err := timeSteps(ctx, t.probe.Model, min(seconds, maxTiming), t.env.now)
	if err != nil {
		return cost, err
	}
	if t.probe.Data.Validation.Len() > 0 {
		begin := t.env.now()
		_, err := t.probe.Validate(ctx, 1, t.ValidationPoints, t.ValidationSamples)
		if ctx.Err() != nil {
			return cost, ctx.Err()
		} else if err == nil {
			cost.seconds += t.env.now().Sub(begin).Seconds() / float64(t.ValidationEvery)
		}
	}
	return cost, nil
}
