package session

import (
	"context"
	"math"

	"dgplab/models"
	"dgplab/session/config"
)

const (
	// baselineFamily is the model that every other family should beat.
	baselineFamily = "linear"
	// baselineSteps bounds the number of steps of the baseline. About a dozen suffice.
	baselineSteps = 100
	// mostBaseline bounds the number of training points times the square of the number of weights, so that
	// the baseline takes at most about a second.
	mostBaseline = 1e8
)

// baselineLogLik returns the test log-likelihood of the linear model on the data of the run. It returns NaN
// if the family does not apply to the data or would take long, or if the run has the same family. It returns
// the error of ctx if ctx ends first.
func (t *trainer) baselineLogLik(ctx context.Context) (float64, error) {
	spec, err := t.env.Family(baselineFamily)
	data := t.probe.Data
	if err != nil || t.Spec.Name == spec.Name || spec.Accepts.Check(data.Task, data.Train.Y) != nil {
		return nan, nil
	}
	if data.Train.Noise != nil && !spec.Accepts.Noise || data.Train.Weights != nil && !spec.Accepts.Weights {
		return nan, nil
	}
	n, d := data.Train.X.Dims()
	_, functions := data.Train.Y.Dims()
	functions = max(functions, len(data.Classes))
	if weights := float64(functions * min(d+1, n)); float64(n)*weights*weights > mostBaseline {
		return nan, nil
	}
	values, err := models.Resolve(spec.Hyperparameters, nil)
	if err != nil {
		return nan, nil
	}
	model, err := newModel(ctx, &config.Resolved{Config: t.Config, Spec: spec, Values: values}, t.probe)
	for step := 0; err == nil && step < baselineSteps; step++ {
		report, failed := model.Step(ctx)
		err = failed
		if report.Converged {
			break
		}
	}
	if err != nil {
		return nan, ctx.Err()
	}
	metrics, _, err := t.probe.With(model).Test(ctx, 1)
	if err != nil || metrics == nil || math.IsInf(float64(metrics.LogLik), 0) {
		return nan, ctx.Err()
	}
	return float64(metrics.LogLik), nil
}
