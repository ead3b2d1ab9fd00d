// Package infer provides optimisers and the interface between them and the models. A Problem is the
// objective to maximise; a Method moves its parameters. The methods are Adam with learning-rate
// schedules, natural gradients for Gaussian posteriors combined with Adam, and L-BFGS.
package infer

import (
	"context"

	"dgplab/models/param"
)

// Problem is an objective to maximise over parameters, possibly estimated from a minibatch and
// random draws.
type Problem interface {
	// Parameters returns the parameters that a Method may move. The method calls Forward after it
	// changes Free.
	Parameters() *param.Set
	// Draw fixes the minibatch and the random numbers of a step, which depend only on its number.
	// Draw does nothing in deterministic problems.
	Draw(step uint64)
	// Evaluate returns the objective at the parameters' values for the current draw. It overwrites
	// dFree [Size] with the gradient over the free entries; if dFree is nil, it computes the value
	// only.
	Evaluate(dFree []float64) (float64, error)
}

// Preparer is a Problem that can draw the random numbers of a step at the end of the step before.
type Preparer interface {
	// Prepare announces that the current step needs only one more evaluation, and that the step with the
	// given number probably follows. The results of Draw and of that evaluation do not depend on it.
	Prepare(step uint64)
}

// evaluateLast evaluates p for the last time in a step.
func evaluateLast(p Problem, dFree []float64, step uint64) (float64, error) {
	if early, ok := p.(Preparer); ok {
		early.Prepare(step + 1)
	}
	return Evaluate(p, dFree)
}

// Method is an optimiser.
type Method interface {
	// Step takes the step with the given number on p. If it fails or is cancelled, the parameters
	// are those before the step. The returned Move is valid until the next step.
	Step(ctx context.Context, p Problem, step uint64) (Move, error)
	// Gauges returns the readings of a Move, in order.
	Gauges() []Reading
	// State returns the state to save in a checkpoint in addition to the free entries. If both are
	// restored, a resumed run equals an uninterrupted one bit for bit. The slices alias the method.
	State() []param.Array
}

// Scheduled is a Method whose learning rate follows a Schedule.
type Scheduled interface {
	// RateSchedule returns the schedule of the method, which may be changed between steps.
	RateSchedule() *Schedule
}

// Move is the result of one step of a Method.
type Move struct {
	// Objective is the objective before the step for methods that evaluate once per step, and after
	// the step for methods that search along a line.
	Objective float64
	// Gauges are readings, in the order of Method.Gauges.
	Gauges []float64
	// Converged is set if further steps would not move the parameters.
	Converged bool
}

// Reading describes a number that training reports.
type Reading struct {
	// Key is its name in files, for example "gradient_norm".
	Key string `json:"key"`
	// Name is its label on screen, for example "gradient".
	Name string `json:"name"`
}

// Readings shared by several methods.
var (
	LearningRate = Reading{"learning_rate", "rate"}
	GradientNorm = Reading{"gradient_norm", "gradient"}
	StepLength   = Reading{"step_length", "step length"}
	Evaluations  = Reading{"evaluations", "evaluations"}
)
