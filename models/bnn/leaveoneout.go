package bnn

import (
	"context"

	"dgplab/models/family"
	"dgplab/models/predictive"
	"dgplab/models/sampling"
)

// leftOutDraws is the maximum number of kept networks for leave-one-out predictions.
const leftOutDraws = 1000

// LeaveOneOut implements family.LeaveOneOuter by importance sampling from the kept networks. It
// returns nil if no network has been kept yet.
func (m *Chains) LeaveOneOut(ctx context.Context, rows []int, seed uint64) (*family.LeftOut, error) {
	if len(m.AllDraws()) == 0 {
		return nil, nil
	}
	x, y := m.joint.data.Rows(rows)
	p, err := m.Predict(x, leftOutDraws, seed)
	if err != nil {
		return nil, err
	}
	draws := len(m.PredictionSamples(leftOutDraws))
	densities := make([]float64, draws*len(rows))
	p.(predictive.Mixture).ComponentLogDensity(densities, y)
	return sampling.LeaveOneOut(ctx, p, draws, densities)
}
