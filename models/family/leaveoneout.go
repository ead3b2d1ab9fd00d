package family

import (
	"context"

	"dgplab/models/predictive"
)

// LeftOut holds predictions of training targets, each from all other training points, in standardised
// units.
type LeftOut struct {
	// Parts holds the predictions of consecutive points of those requested.
	Parts []predictive.Predictive
	// Draws is the number of posterior draws, or 0 if the predictions are in closed form.
	Draws int
	// K estimates the shape of the tail of the importance weights of each point, [n], or is nil in
	// closed form. Predictions with a shape above ReliableK are unreliable.
	K         []float64
	ReliableK float64
}

// LeaveOneOuter is implemented by models with leave-one-out predictions that need no second training.
type LeaveOneOuter interface {
	// LeaveOneOut returns the predictions of the given training points. Hyperparameters that are not
	// sampled keep the values learned from all points. It returns nil if the model has none for the
	// task. Random draws depend only on seed; training is not affected. If ctx ends, its error is
	// returned.
	LeaveOneOut(ctx context.Context, rows []int, seed uint64) (*LeftOut, error)
}
