package rundir

import (
	"math"
	"strconv"

	"dgplab/models"
	"dgplab/models/family"
)

// The settings that say how long a run is. One that sets steps alone means them,
// whatever its family has for epochs.
const (
	StepsSetting  = "steps"
	EpochsSetting = "epochs"
	BatchSetting  = "batch" // a hyperparameter of the families that draw batches
)

// LengthSettings are the names of all that the number of steps depends on.
func LengthSettings() []string {
	return []string{StepsSetting, EpochsSetting, BatchSetting, family.BurnIn, family.Kept, family.Thinning}
}

// Epochs returns the length of a run in passes over its training part, 0 where that is
// given in steps.
func Epochs(v models.Values) int { return setting(v, EpochsSetting) }

// BatchOf returns the number of training points of a step, of n: what the
// hyperparameter of that name says, at most all. It is 0 when either is unknown.
func BatchOf(v models.Values, n int) int { return min(setting(v, BatchSetting), n) }

// StepLimit returns the most steps of a run with n training points: what steps says,
// or those that epochs come to, the last one begun counting as a whole, or where steps
// says 0 those of burn-in and of the samples that are kept. It is 0 when that is unknown:
// before the data were loaded n is 0.
func StepLimit(v models.Values, n int) int {
	epochs := Epochs(v)
	if epochs == 0 {
		if steps := setting(v, StepsSetting); steps > 0 {
			return steps
		}
		return setting(v, family.BurnIn) + setting(v, family.Kept)*setting(v, family.Thinning)
	}
	batch := BatchOf(v, n)
	if batch == 0 {
		return 0
	}
	if epochs > (math.MaxInt-batch)/n {
		return math.MaxInt
	}
	return (epochs*n + batch - 1) / batch
}

// setting returns the value of a whole number, 0 where there is none.
func setting(v models.Values, name string) int {
	x, err := strconv.Atoi(v[name])
	if err != nil {
		return 0
	}
	return x
}
