package session

import (
	"context"
	"time"

	"dgplab/models"
	"dgplab/session/rundir"
)

// step takes one step and measures what is due. Only this counts as training time.
func (t *trainer) step(ctx context.Context) error {
	t.timeStep()
	begin := t.env.now()
	report, err := t.model.Step()
	if err != nil {
		return err
	}
	t.progress.Step++
	t.progress.Rescues += report.Rescues
	t.last = report
	t.measure(ctx, begin, lineOf(t.progress, report))
	return nil
}

// measure validates, if that is due, and completes the report line of the step that
// was taken; both count as training time since begin. When ctx ends meanwhile the
// line is pending: a resumed run begins with it, and so does what an uninterrupted
// one would have done.
func (t *trainer) measure(ctx context.Context, begin time.Time, line rundir.Point) {
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
	if t.reports(p.Step) || p.Step == t.settings.steps {
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

// lineOf returns the report line of a step, without what is measured after it.
func lineOf(p rundir.Progress, r models.Report) rundir.Point {
	return rundir.Point{
		Step: p.Step, Seconds: p.Seconds, Objective: r.Objective, ExpectedLogLik: r.ExpectedLogLik, KL: r.KL,
		ValLogLik: nan, GradientNorm: r.GradientNorm, Rescues: p.Rescues,
	}
}

// reportOf returns what a report line says of a step.
func reportOf(line rundir.Point) models.Report {
	return models.Report{Objective: line.Objective, ExpectedLogLik: line.ExpectedLogLik, KL: line.KL, GradientNorm: line.GradientNorm}
}
