package session

import (
	"context"
	"math"
	"time"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/probe"
	"dgplab/session/rundir"
)

const (
	// longStep is the minimum duration in seconds of a step that counts as long. The step after a
	// long step can be abandoned.
	longStep = 0.1
	// maxCopied bounds the number of values of a state that is copied before a step: 512 MB. Only
	// chains with room for many samples have larger states.
	maxCopied = 1 << 26
)

// The steps from timedFirst to timedLast are timed by part, to show timings of slow runs early. The
// first step is not timed because it allocates buffers. Later, every timedEvery-th step is timed.
const (
	timedFirst, timedLast = 2, 9
	timedEvery            = 25
)

// step takes one step and makes the measurements that are due. Both count as training time. It
// reports whether the model has converged.
func (t *trainer) step(ctx context.Context) (converged bool, err error) {
	cores := t.cores.next(shares.share())
	shares.use(t, cores)
	begin := t.env.now()
	result, err := t.takeStep(ctx)
	if cores > 0 {
		shares.use(t, 0) // Other work than steps uses the whole share.
	}
	if err != nil {
		return false, err
	}
	t.lastStep = t.env.now().Sub(begin).Seconds()
	t.cores.add(t.lastStep)
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

// takeStep takes a training step. If the previous step was long or there was none, takeStep first copies the
// state of the model, which allows the step to be abandoned. It does not copy states larger than maxCopied.
func (t *trainer) takeStep(ctx context.Context) (models.Report, error) {
	if t.probe.Abandoned() {
		return models.Report{}, t.abortCtx.Err()
	}
	t.timeStep()
	state := t.probe.Model.State()
	if t.lastStep > 0 && t.lastStep < longStep || totalLen(state) > maxCopied {
		t.room = nil
		return t.probe.Model.Step(ctx)
	}
	t.room = copyState(t.room, state)
	t.before = t.room
	result, err := probe.Ask(t.probe, func() (models.Report, error) { return t.probe.Model.Step(ctx) })
	if !t.probe.Abandoned() {
		t.before = nil
	}
	return result, err
}

// modelState returns the state of the model. If a step was abandoned, it returns the copy from
// before that step.
func (t *trainer) modelState() []models.Array {
	if t.before != nil {
		return t.before
	}
	return t.probe.Model.State()
}

// totalLen returns the total length of arrays.
func totalLen(arrays []models.Array) int {
	sum := 0
	for _, a := range arrays {
		sum += len(a.Data)
	}
	return sum
}

// copyState returns a copy of the state of a model. It reuses room, which is nil or an earlier copy.
func copyState(room, state []models.Array) []models.Array {
	if room == nil {
		room = make([]models.Array, len(state))
	}
	for i, a := range state {
		room[i].Name = a.Name
		room[i].Data = append(room[i].Data[:0], a.Data...)
	}
	return room
}

// timeStep requests timing by part for the next step if it is due.
func (t *trainer) timeStep() {
	next := t.progress.Step + 1
	if early := next >= timedFirst && next <= timedLast; !early && next%timedEvery != 0 {
		return
	}
	m, ok := t.probe.Model.(family.StepTimer)
	if !ok {
		return
	}
	if t.diagnosis.clock == nil {
		begin := t.env.now()
		t.diagnosis.clock = func() time.Duration { return t.env.now().Sub(begin) }
	}
	m.TimeNextStep(t.diagnosis.clock)
}

// measure validates if a validation is due and completes the report line of the step. The time since begin
// counts as training time. If ctx ends during validation, the line becomes pending: a resumed run completes
// it first and so has the results of an uninterrupted run.
func (t *trainer) measure(ctx context.Context, begin time.Time, line rundir.Point) {
	p := &t.progress
	if t.reports(p.Step) && p.Pending == nil {
		line = withNoise(line, t.probe.Model)
	}
	var err error
	if t.Validates(p.Step) && t.probe.Data.Validation.Len() > 0 {
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

// closeReport validates the last step if it has no validation, and writes its report line. It is called after
// the last checkpoint, because a run that continues from the checkpoint must not contain the additional
// validation.
func (t *trainer) closeReport(ctx context.Context) {
	p := t.progress
	if p.Step == 0 || !t.callable() {
		return
	}
	line := withNoise(t.last.line(p), t.probe.Model)
	if validated := t.Validates(p.Step) &&
		p.Pending == nil; !validated && t.probe.Data.Validation.Len() > 0 {
		line.ValLogLik, _ = t.validate(ctx, p.Step) // NaN if ctx has ended
	}
	if t.reports(p.Step) && math.IsNaN(line.ValLogLik) {
		return // The step already has the same line.
	}
	t.report(line)
}

// unwrittenLines is the kind of the warning about report lines that wait for disk space.
const unwrittenLines = "could not write report lines"

// report adds a line to the report of the run.
func (t *trainer) report(line rundir.Point) {
	t.history.add(line)
	if err := t.store.Append(line); err != nil {
		t.warnError(unwrittenLines, err)
	}
}
