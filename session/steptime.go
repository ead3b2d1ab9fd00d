package session

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"dgplab/models"
	"dgplab/session/interrupt"
	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// StepTime is the time of a step of a run that has not started, measured with a model that is then
// discarded.
type StepTime struct {
	// Seconds is the mean time of Steps steps. If no step ended in time, Steps is 0 and Seconds is the
	// time that the first one has taken so far.
	Seconds float64
	Steps   int
	// Converged is set if the model converged within these steps.
	Converged bool
	// Scoring is the expected time in seconds to score the test set after training, or 0 if it is unknown.
	Scoring float64
}

const (
	// quickTiming is the time in seconds that steps are timed for, and timingPatience the time after
	// which the first step is abandoned.
	quickTiming    = 0.5
	timingPatience = 8 * time.Second
)

// TimeSteps measures the time of a step of a run with some steps of its model, and the time of scoring with
// some test points. It takes about a second, or up to eight for slow models. The result for the last
// configuration is kept.
func (i *Inspector) TimeSteps(ctx context.Context, c rundir.Config) (timed StepTime, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	defer func() {
		if p := recover(); p != nil { // of the model, as in a run
			err = fmt.Errorf("time the steps: %v", p)
		}
	}()
	if i.timed != nil && reflect.DeepEqual(i.timedConfig, c) {
		return *i.timed, nil
	}
	loaded, err := i.load(ctx, c)
	if err != nil {
		return StepTime{}, err
	}
	if _, err := loaded.preview(i.AllowMemory); err != nil {
		return StepTime{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, timingPatience)
	defer cancel()
	p := probe.New(ctx, loaded.ds, loaded.prepared, loaded.Seed)
	model, err := newModel(ctx, loaded.Resolved, p)
	if err != nil {
		return StepTime{}, err
	}
	p.Model = model
	begin := loaded.env.now()
	cost, err := timeSteps(ctx, model, quickTiming, loaded.env.now)
	if err != nil && ctx.Err() != context.DeadlineExceeded {
		return StepTime{}, err
	}
	timed = StepTime{Seconds: cost.seconds, Steps: cost.steps, Converged: cost.converged}
	if timed.Steps == 0 {
		timed.Seconds = loaded.env.now().Sub(begin).Seconds()
	}
	if timed.Steps > 0 {
		scoring, err := p.TimeTest(ctx, loaded.TestSamples, loaded.env.now)
		if err == nil { // Some models predict only after more steps.
			timed.Scoring = scoring
		}
	}
	i.timedConfig, i.timed = c, &timed
	return timed, nil
}

// stepCost is the measured cost of a step.
type stepCost struct {
	seconds   float64 // with the share of validation, if it is known
	steps     int     // number of timed steps
	converged bool    // The model converged while it was timed.
}

// timeSteps times steps of a model for about the given number of seconds. The first step counts only if
// it takes that long, because it allocates buffers. With an error the cost contains the steps before it.
func timeSteps(
	ctx context.Context, model models.Model, seconds float64, now func() time.Time,
) (cost stepCost, err error) {
	total := 0.0
	for i := 0; cost.steps < timedSteps && total < seconds && !cost.converged; i++ {
		begin := now()
		report, err := interrupt.Call(ctx, func() (models.Report, error) { return model.Step(ctx) })
		if err != nil {
			return cost, fmt.Errorf("time the steps: %w", err)
		}
		cost.converged = report.Converged
		if took := now().Sub(begin).Seconds(); i > 0 || took >= seconds || report.Converged {
			cost.steps++
			total += took
			cost.seconds = max(total/float64(cost.steps), minStep)
		}
	}
	return cost, nil
}

// minStep is the minimum cost of a step in seconds, for clocks that are too coarse for it.
const minStep = 1e-7
