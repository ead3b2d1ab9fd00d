package rundir

import (
	"math"
	"strconv"

	"dgplab/models"
	"dgplab/models/family"
)

// The settings for the length of a run. If the user sets only steps, it overrides the family's default of
// epochs.
const (
	StepsSetting  = "steps"
	EpochsSetting = "epochs"
	BatchSetting  = "batch" // a hyperparameter of families that use minibatches
)

// BudgetSetting is the setting that limits the training time of a run.
const BudgetSetting = "budget"

// QuickBudget is the time budget of a quick run, a first look at a data set.
const QuickBudget = "1m"

// LengthSettings returns the names of all settings that determine the number of steps.
func LengthSettings() []string {
	return []string{StepsSetting, EpochsSetting, BatchSetting, family.BurnIn, family.Kept, family.Thinning}
}

// Epochs returns the length of a run as a number of passes over the training data, or 0 if the length is
// given in steps.
func Epochs(v models.Values) int { return setting(v, EpochsSetting) }

// BatchOf returns the batch size for n training points, at most n. It is 0 if the batch size or n
// is unknown.
func BatchOf(v models.Values, n int) int { return min(setting(v, BatchSetting), n) }

// StepLimit returns the maximum number of steps of a run with n training points, where n is 0 before the data
// have been loaded. The limit is the number of steps in all epochs, rounded up, if the length is given in
// epochs, and otherwise the value of steps. If steps is 0, it is the number of steps of burn-in and kept
// samples. StepLimit returns 0 while the limit is unknown.
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

// RungSteps returns the length of a rung: 1/part of the steps of a run, rounded up.
func RungSteps(steps, part int) int { return steps/part + min(steps%part, 1) }

// setting returns the value of an integer setting, or 0 if it is missing.
func setting(v models.Values, name string) int {
	x, err := strconv.Atoi(v[name])
	if err != nil {
		return 0
	}
	return x
}
