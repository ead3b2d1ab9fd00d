package family

import (
	"context"

	"dgplab/models/predictive"
)

// LeftOut holds predictions of training targets in standardised units. Each target is predicted
// from all other training points.
type LeftOut struct {
	// Parts holds the predictions, each for a run of consecutive requested points.
	Parts []predictive.Predictive
	// Draws is the number of posterior draws, or 0 if predictions have a closed form.
	Draws int
	// K holds estimates of the shape of the tail of the importance weights of each point, [n]. It
	// is nil if predictions have a closed form. Predictions with a shape above ReliableK are
	// unreliable.
	K         []float64
	ReliableK float64
}

// LeaveOneOuter is implemented by models that compute leave-one-out predictions without retraining.
type LeaveOneOuter interface {
	// LeaveOneOut returns the predictions of the given training points. Hyperparameters that are
	// not sampled keep the values learned from all points. It returns nil if the model supports no
	// such predictions for the task. Random draws depend only on seed; training is not affected. If
	// ctx is cancelled, it returns the error of ctx.
	LeaveOneOut(ctx context.Context, rows []int, seed uint64) (*LeftOut, error)
}
