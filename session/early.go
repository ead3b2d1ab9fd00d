package session

import (
	"math"
	"slices"

	"dgplab/session/rundir"
)

// Constants of the early-stopping rule: Lindinger et al. 2020 stop when the
// validation performance "decreased in five successive strips" (Appendix G,
// after Prechelt, "Early Stopping - But When?", 1998); the widths are those of
// the authors' experiments (methods.md, section 2).
const (
	earlyWindow = 50   // evaluations in the moving mean
	earlyStrip  = 50   // steps in a strip
	earlyStrips = 5    // strips that must decrease one after the other
	earlyAfter  = 5000 // no verdict at or before this step
)

// Constants of the rule that stops a run which overfits.
const (
	overfitAfter = 500 // the first step at which it may stop
	overfitSteps = 250 // the least number of steps since the best validation,
	overfitShare = 5   // and the least share of all steps: a fifth
)

// overfits reports whether the run should stop because its validation has been
// significantly below its best for long while the objective rose. It depends on the report
// lines alone, so a run that is resumed right after its verdict stops again.
func (t *trainer) overfits() bool {
	step := t.progress.Step
	if !t.stopOverfitting || step < overfitAfter || !t.validates(step) {
		return false
	}
	r := t.history.drift.Report()
	if !r.Overfitting() {
		return false
	}
	since := step - r.Fall.Step
	return since >= max(overfitSteps, step/overfitShare)
}

// earlyStopper watches the validation log-likelihood. The curve is smoothed by
// the mean of the last 50 evaluations (fewer at the start). The verdict falls at
// an evaluation after step 5,000 when the smoothed curve there lies below that of
// 50 steps before, that below the one 100 steps before, and so on for five
// strips. Between evaluations the smoothed curve keeps its last value. A strip is
// never shorter than the distance of two evaluations, else it could not decrease.
//
// Its fields are its whole state; a checkpoint holds them.
type earlyStopper rundir.EarlyStopping

// add takes the validation log-likelihood at a step; steps ascend. A value that
// is not finite says nothing about the trend and is left out.
func (e *earlyStopper) add(step int, value float64) {
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

// forget drops what lies before the value in effect at step oldest.
func (e *earlyStopper) forget(oldest int) {
	n, found := slices.BinarySearch(e.Steps, oldest)
	if !found {
		n--
	}
	if n > 0 {
		e.Steps = slices.Delete(e.Steps, 0, n)
		e.Means = slices.Delete(e.Means, 0, n)
	}
}

func (e *earlyStopper) strip() int { return max(earlyStrip, e.Every) }

// decided reports whether the run should stop. It depends on the state alone, so
// a run that is resumed right after its verdict stops again.
func (e *earlyStopper) decided() bool {
	if len(e.Steps) == 0 {
		return false
	}
	last := e.Steps[len(e.Steps)-1]
	if last <= earlyAfter {
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

// at returns the smoothed value in effect at step, and whether there is one.
func (e *earlyStopper) at(step int) (float64, bool) {
	n, found := slices.BinarySearch(e.Steps, step)
	if !found {
		n--
	}
	if n < 0 {
		return 0, false
	}
	return e.Means[n], true
}

// stopper is the early-stopping rule with the state that the checkpoint holds.
func (t *trainer) stopper() *earlyStopper { return (*earlyStopper)(t.progress.Early) }
