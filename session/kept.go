package session

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"dgplab/models"
	"dgplab/session/rundir"
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
	if k := t.progress.Kept; k != nil && k.Step > 0 && !k.Passed {
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
	return t.exchange()
}

// exchange exchanges the state of the model with the kept state.
func (t *trainer) exchange() error {
	for i, a := range t.probe.Model.State() {
		kept := t.kept.state[i].Data
		for j, v := range a.Data {
			a.Data[j] = kept[j]
			kept[j] = v
		}
	}
	t.kept.adopted = !t.kept.adopted
	if err := t.probe.Model.Restored(); err != nil {
		return fmt.Errorf("restore the parameters of step %d: %w", t.modelStep(), err)
	}
	return nil
}

// clearlyBetter is the number of standard errors by which the validation of the kept state must exceed that
// of the last step.
const clearlyBetter = 2

// judgeKept reports whether the state of the last step is the result of the run instead of the kept state.
// The best of hundreds of noisy validations is often due to chance, and the last step has had the decay of
// the learning rate. The kept state is therefore the result only if it is clearly better on the same
// validation points with the same draws. If the run overfits, it is the result in any case, because it is
// the more regular one.
func (t *trainer) judgeKept(ctx context.Context) (passed bool, err error) {
	if !t.progress.KeptApart() || t.reasonToStop() == rundir.StopEarly {
		return false, nil
	}
	if drift := t.history.watcher.Drift.Report(); drift != nil && drift.Fall != nil {
		return false, nil
	}
	densities := func() ([]float64, error) {
		return t.probe.ValidationDensities(ctx, t.progress.Step, t.ValidationPoints, t.ValidationSamples)
	}
	last, failed := densities()
	if err := t.exchange(); err != nil {
		return false, err
	}
	kept, failedToo := densities()
	if err := t.exchange(); err != nil {
		return false, err
	}
	failed = cmp.Or(failed, failedToo)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case failed != nil:
		t.warnError("could not compare the kept parameters with the last ones", failed)
		return false, nil
	}
	for i := range kept {
		kept[i] -= last[i]
	}
	mean, sd := stat.MeanStdDev(kept, nil)
	return !(mean > clearlyBetter*sd/math.Sqrt(float64(len(kept)))), nil
}

// states returns the arrays of the last step, and the arrays of the kept step if it is a different one.
func (t *trainer) states() (last, kept []models.Array) {
	last = t.modelState()
	if !t.progress.KeptApart() {
		return last, nil
	}
	if t.kept.adopted {
		return t.kept.state, last
	}
	return last, t.kept.state
}
