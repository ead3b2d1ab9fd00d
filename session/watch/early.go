package watch

import (
	"math"
	"slices"

	"dgplab/session/rundir"
)

// The constants of the early-stopping rule. Lindinger et al. 2020 stop when the validation
// performance "decreased in five successive strips" (Appendix G, after Prechelt, "Early Stopping -
// But When?", 1998). The widths are taken from the authors' experiments (methods.md, section 2).
const (
	earlyWindow = 50   // evaluations in the moving average
	EarlyStrip  = 50   // steps per strip
	earlyStrips = 5    // number of strips that must decrease in succession
	EarlyAfter  = 5000 // the last step without a decision
)

// The constants of the rule that stops overfitting runs.
const (
	OverfitAfter = 500 // the first step at which a run may be stopped
	overfitSteps = 250 // the minimum number of steps since the best validation
	overfitShare = 5   // the reciprocal of the minimum share of all steps since then: a fifth
)

// Overfits reports whether a run should stop, at a step with a validation, because its validation
// log-likelihood has long been significantly below its best while the objective rose. The decision depends
// only on the report lines: a run that is resumed right after the decision stops again.
func Overfits(step int, w *Drift) bool {
	if step < OverfitAfter {
		return false
	}
	r := w.Report()
	if !r.Overfitting() {
		return false
	}
	since := step - r.Fall.Step
	return since >= max(overfitSteps, step/overfitShare)
}

// EarlyStopper is the early-stopping rule. It smooths the validation log-likelihood with the mean of the last
// 50 evaluations (fewer at the start). At an evaluation after step 5,000 it decides to stop if the smoothed
// curve has fallen in each of the last five strips of 50 steps. Between evaluations the smoothed curve is
// constant. If evaluations are more than 50 steps apart, a strip extends from one evaluation to the next,
// because a shorter one could not decrease.
//
// The fields are its entire state and are stored in checkpoints.
type EarlyStopper rundir.EarlyStopping

// Add adds the validation log-likelihood at a step. Steps must ascend. Non-finite values are
// ignored.
func (e *EarlyStopper) Add(step int, value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	e.Window = append(e.Window, value)
	if excess := len(e.Window) - earlyWindow; excess > 0 {
		e.Window = slices.Delete(e.Window, 0, excess)
	}
	sum := 0.0
	for _, v := range e.Window {
		sum += v
	}
	e.Steps = append(e.Steps, step)
	e.Means = append(e.Means, sum/float64(len(e.Window)))
	e.forget(step - earlyStrips*e.strip())
}

// forget removes the entries before the entry in effect at step oldest.
func (e *EarlyStopper) forget(oldest int) {
	n, found := slices.BinarySearch(e.Steps, oldest)
	if !found {
		n--
	}
	if n > 0 {
		e.Steps = slices.Delete(e.Steps, 0, n)
		e.Means = slices.Delete(e.Means, 0, n)
	}
}

func (e *EarlyStopper) strip() int { return max(EarlyStrip, e.Every) }

// Decided reports whether the run should stop. The decision depends only on the state: a run that is resumed
// right after the decision stops again.
func (e *EarlyStopper) Decided() bool {
	if len(e.Steps) == 0 {
		return false
	}
	last := e.Steps[len(e.Steps)-1]
	if last <= EarlyAfter {
		return false
	}
	later := e.Means[len(e.Means)-1]
	for k := 1; k <= earlyStrips; k++ {
		earlier, ok := e.at(last - k*e.strip())
		if !ok || !(later < earlier) {
			return false
		}
		later = earlier
	}
	return true
}

// at returns the smoothed value in effect at a step. It returns false if there is none.
func (e *EarlyStopper) at(step int) (float64, bool) {
	n, found := slices.BinarySearch(e.Steps, step)
	if !found {
		n--
	}
	if n < 0 {
		return 0, false
	}
	return e.Means[n], true
}
