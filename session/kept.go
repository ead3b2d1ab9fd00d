package session

import (
	"fmt"

	"dgplab/models"
	"dgplab/session/watch"
)

// keeper holds the state of the model at the kept step unless that is the last step. Progress.Kept holds all
// other data about the kept step.
type keeper struct {
	// state is a copy of the model's arrays at the kept step. While adopted is true, the model has
	// the kept state and state holds the arrays of the last step.
	state   []models.Array
	adopted bool
}

// keepIfBest copies the state of the model if the mean of the validation log-likelihoods of the
// last 50 steps is the highest so far. value is the validation at this step.
//
// The validation that completes the report at the end of a run does not count, because a run that continues
// from the checkpoint does not contain it.
func (t *trainer) keepIfBest(step int, value float64) {
	if t.progress.Kept == nil || t.closing != nil || !(*watch.Keeper)(t.progress.Kept).Add(step, value) {
		return
	}
	t.kept.state = copyState(t.kept.state, t.probe.Model.State())
}

// keptStep returns the step of the parameters that are the current result of the run.
func (t *trainer) keptStep() int {
	if k := t.progress.Kept; k != nil && k.Step > 0 {
		return k.Step
	}
	return t.progress.Step
}

// modelStep returns the step of the model's current parameters: the last step until the kept state
// is adopted.
func (t *trainer) modelStep() int {
	if t.kept.adopted {
		return t.keptStep()
	}
	return t.progress.Step
}

// adoptKept sets the model to the kept state. No step may follow.
func (t *trainer) adoptKept() error {
	if t.kept.adopted || t.keptStep() == t.progress.Step {
		return nil
	}
	for i, a := range t.probe.Model.State() {
		kept := t.kept.state[i].Data
		for j, v := range a.Data {
			a.Data[j] = kept[j]
			kept[j] = v
		}
	}
	t.kept.adopted = true
	if err := t.probe.Model.Restored(); err != nil {
		return fmt.Errorf("restore the parameters of step %d: %w", t.keptStep(), err)
	}
	return nil
}

// states returns the arrays of the last step, and the arrays of the kept step if it is a different one.
func (t *trainer) states() (last, kept []models.Array) {
	last = t.modelState()
	if t.keptStep() == t.progress.Step {
		return last, nil
	}
	if t.kept.adopted {
		return t.kept.state, last
	}
	return last, t.kept.state
}
