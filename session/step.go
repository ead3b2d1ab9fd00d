package session

import (
	"context"
	"time"

	"dgplab/session/rundir"
)

// step takes one step and measures what is due. Only this counts as training time.
// It reports whether the model has converged.
func (t *trainer) step(ctx context.Context) (converged bool, err error) {
	t.timeStep()
	begin := t.env.now()
	said, err := t.model.Step(ctx)
	if err != nil {
		return false, err
	}
	t.progress.Step++
	t.progress.Rescues += said.Rescues
	t.last.set(said)
	t.measure(ctx, begin, t.last.line(t.progress), said.Converged)
	return said.Converged, nil
}

// measure validates, if that is due, and completes the report line of the step that
// was taken; both count as training time since begin. When ctx ends meanwhile the
// line is pending: a resumed run begins with it, and so does what an uninterrupted
// one would have done. The step at which the model converged has a line in any case.
func (t *trainer) measure(ctx context.Context, begin time.Time, line rundir.Point, converged bool) {
	p := &t.progress
	var err error
	if t.validates(p.Step) && rowsOf(t.prepared.Validation.X) > 0 {
		line.ValLogLik, err = t.validate(ctx, p.Step)
	}
	p.Seconds += t.env.now().Sub(begin).Seconds()
	t.rate.add(*p)
	if p.Pending = nil; err != nil {
		p.Pending = &line
		return
	}
	if t.reports(p.Step) || p.Step == t.settings.steps || converged {
		line.Seconds = p.Seconds
		t.report(line)
	}
}

// report adds a line to the report of the run.
func (t *trainer) report(line rundir.Point) {
	t.history.add(line)
	if err := t.store.Append(line); err != nil {
		t.warn("report lines could not be written: %v", err)
	}
}
