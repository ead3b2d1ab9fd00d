package session

import (
	"context"
	"math"
	"time"

	"dgplab/session/rundir"
)

// step takes one step and makes the measurements that are due. Both count as training time. It
// reports whether the model has converged.
func (t *trainer) step(ctx context.Context) (converged bool, err error) {
	begin := t.env.now()
	result, err := t.takeStep(ctx)
	if err != nil {
		return false, err
	}
	t.lastStep = t.env.now().Sub(begin).Seconds()
	t.progress.Step++
	t.progress.Rescues += result.Rescues
	t.progress.Converged = result.Converged
	newPhase := result.Phase != t.last.point.Phase
	t.last.set(result)
	if newPhase {
		t.phaseStep = t.progress.Step
		t.takeNotes()
	}
	t.measure(ctx, begin, t.last.line(t.progress))
	return result.Converged, nil
}

// measure validates if that is due and completes the report line of the step. Its time since begin
// counts as training time. If ctx ends during validation, the line becomes pending: a resumed run
// completes it first, and thus has the results of an uninterrupted run.
func (t *trainer) measure(ctx context.Context, begin time.Time, line rundir.Point) {
	p := &t.progress
	if t.reports(p.Step) && p.Pending == nil {
		line = withNoise(line, t.model)
	}
	var err error
	if t.Validates(p.Step) && rowsOf(t.prepared.Validation.X) > 0 {
		line.ValLogLik, err = t.validate(ctx, p.Step)
	}
	p.Seconds += t.env.now().Sub(begin).Seconds()
	t.rate.add(*p)
	p.Pending = nil
	if err != nil {
		p.Pending = &line
		return
	}
	if t.reports(p.Step) {
		line.Seconds = p.Seconds
		t.report(line)
	}
}

// reports reports whether a step has a report line: one is due or a phase began.
func (t *trainer) reports(step int) bool { return t.Settings.Reports(step) || step == t.phaseStep }

// closeReport validates the last step if that was not done, and writes its report line. It is
// called after the last checkpoint, because a run that continues from the checkpoint must not
// contain the additional validation.
func (t *trainer) closeReport(ctx context.Context) {
	p := t.progress
	if p.Step == 0 || !t.callable() {
		return
	}
	line := withNoise(t.last.line(p), t.model)
	if validated := t.Validates(p.Step) &&
		p.Pending == nil; !validated && rowsOf(t.prepared.Validation.X) > 0 {
		line.ValLogLik, _ = t.validate(ctx, p.Step) // NaN if ctx has ended
	}
	if t.reports(p.Step) && math.IsNaN(line.ValLogLik) {
		return // The step already has the same line.
	}
	t.report(line)
}

// unwrittenLines is the kind of warnings about report lines that wait for space on the disk.
const unwrittenLines = "could not write report lines"

// report adds a line to the report of the run.
func (t *trainer) report(line rundir.Point) {
	t.history.add(line)
	if err := t.store.Append(line); err != nil {
		t.warnError(unwrittenLines, err)
	}
}
