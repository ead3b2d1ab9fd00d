package watch

import (
	"math"
	"slices"

	"dgplab/session/rundir"
)

// keptWindow is the number of steps over which validation log-likelihoods are averaged before comparison,
// because the best single value is often due to chance.
const keptWindow = EarlyStrip

// Keeper finds the step with the best validation: the highest mean of the validation log-likelihoods
// of the last 50 steps. Its fields are stored in checkpoints.
type Keeper rundir.Kept

// Add adds the validation log-likelihood at a step and reports whether its mean is the highest so far.
// Steps must ascend. Non-finite values are ignored.
func (k *Keeper) Add(step int, value float64) (best bool) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return false
	}
	k.Steps = append(k.Steps, step)
	k.Values = append(k.Values, value)
	old := 0
	for k.Steps[old] <= step-keptWindow {
		old++
	}
	k.Steps = slices.Delete(k.Steps, 0, old)
	k.Values = slices.Delete(k.Values, 0, old)
	mean := k.Mean()
	if k.Step > 0 && mean <= k.ValLogLik {
		return false
	}
	k.Step = step
	k.ValLogLik = mean
	return true
}

// Mean returns the mean of the validation log-likelihoods of the last 50 steps, or 0 if there are none.
func (k *Keeper) Mean() float64 {
	mean := 0.0
	for _, v := range k.Values {
		mean += v / float64(len(k.Values))
	}
	return mean
}
