// Package infer is how parameters move, apart from what is maximised: Problem is
// the one, Method the other. There are Adam with a staircase of learning rates,
// natural gradients for Gaussian posteriors with Adam for the rest, and L-BFGS.
package infer

import (
	"context"

	"dgplab/models/param"
)

// Problem is what is maximised: an objective of parameters, perhaps seen through a
// minibatch and draws. It knows nothing of how the parameters move.
type Problem interface {
	// Parameters returns what a Method may move; after it changed Free it calls
	// Forward.
	Parameters() *param.Set
	// Draw fixes the minibatch and the random numbers of a step, which depend on
	// its number alone. A deterministic problem does nothing.
	Draw(step uint64)
	// Evaluate returns the objective at the parameters' values for the present
	// draw. It overwrites dFree [Size] with the gradient over the free entries; nil
	// asks for the value alone.
	Evaluate(dFree []float64) (float64, error)
}

// Method is a way to move parameters uphill.
type Method interface {
	// Step takes one step of the given number on p. When it fails or is cancelled
	// the parameters are those before the step. What it returns is valid until the
	// next step.
	Step(ctx context.Context, p Problem, step uint64) (Move, error)
	// Gauges names the readings of a Move, in order.
	Gauges() []Reading
	// State names all that a checkpoint must hold beside the parameters' free
	// entries, so that a resumed run equals an uninterrupted one to the bit. The
	// slices alias the method.
	State() []param.Array
}

// Move is what one step of a Method did.
type Move struct {
	// Objective is that before the step for a Method that evaluates once, and that
	// after it for one that searches.
	Objective float64
	// Gauges are readings, in the order of Method.Gauges.
	Gauges []float64
	// Converged says that no further step would move the parameters.
	Converged bool
}

// Reading names a number that training reports.
type Reading struct {
	// Key is its name in files, for example "gradient_norm".
	Key string `json:"key"`
	// Name is what people read beside the number, for example "gradient".
	Name string `json:"name"`
}

// Readings that several methods have.
var (
	LearningRate = Reading{"learning_rate", "rate"}
	GradientNorm = Reading{"gradient_norm", "gradient"}
	StepLength   = Reading{"step_length", "step length"}
	Evaluations  = Reading{"evaluations", "evaluations"}
)
