package session

import (
	"context"
	"errors"
	"math"
	"strings"
	"time"

	"dgplab/session/rundir"
)

const (
	// diagnosePause is the minimum training time between diagnostics in seconds. costFactor is the minimum
	// training time between diagnostics relative to the duration of the last ones: it limits their cost to
	// 1/25 of the training time. Predictions over the plane and along the inputs cost more than all other
	// diagnostics and have pauses of their own, which limit them to 1/100: together at most 5 %.
	diagnosePause     = 2.0
	costFactor        = 25
	predictionsFactor = 100
	// earlyDiagnostics is the number of diagnostics, and of predictions, after shortened pauses. Each of
	// these pauses is half as long as the next one, because a posterior changes fastest at the start, when
	// users want to see progress. This adds earlyDiagnostics diagnostics to each run.
	earlyDiagnostics = 4
)

// diagnosis holds the last diagnostics and schedules the next ones so that their cost stays small. Times are
// in seconds of training.
type diagnosis struct {
	latest *rundir.Diagnostics // nil before the first diagnostics
	looks  int                 // number of diagnostics so far
	next   float64
	// nextPredictions is the time of the next predictions. Until then, diagnostics contain the last ones.
	// predicted is the number of predictions so far.
	nextPredictions float64
	predicted       int
	spent           float64              // total duration of all diagnostics
	clock           func() time.Duration // clock for steps timed by part, see timeStep
}

func (s *diagnosis) due(now float64) bool { return now >= s.next }

// take stores diagnostics made at time now and schedules the next ones. predictions is the part of
// their duration spent on predictions.
func (s *diagnosis) take(d *rundir.Diagnostics, now, predictions float64) {
	s.latest = d
	cost := float64(d.Seconds)
	s.spent += cost
	s.looks++
	s.next = now + early(math.Max(diagnosePause, costFactor*(cost-predictions)), s.looks)
	if predictions > 0 {
		s.predicted++
		s.nextPredictions = now + early(predictionsFactor*predictions, s.predicted)
	}
}

// early shortens a pause if it follows one of the first diagnostics; looks is their number so far.
func early(pause float64, looks int) float64 {
	return math.Ldexp(pause, min(looks-1-earlyDiagnostics, 0))
}

// settled reports whether the last step ended the initial phases, such as the choice of a starting point.
// Diagnostics of these phases are not useful.
func (t *trainer) settled() bool {
	p := t.progress
	return p.Step > 1 && t.phaseStep == p.Step && t.last.point.Phase == "" && t.diagnosis.latest != nil &&
		t.diagnosis.latest.Step < p.Step
}

// diagnose computes diagnostics if the model supports them. If all is false, predictions are only
// updated when they are due. Errors become warnings. If ctx ends, the predictions stay unchanged.
// An abandoned query yields no diagnostics.
func (t *trainer) diagnose(ctx context.Context, all bool) {
	begin := t.env.now()
	d := &rundir.Diagnostics{Step: t.modelStep()}
	views, err := t.probe.Views()
	if t.probe.Abandoned() {
		return
	}
	if err != nil {
		t.warnError("could not compute diagnostics", errors.New(strings.ReplaceAll(err.Error(), "\n", "; ")))
	}
	d.Views = views
	if last := t.diagnosis.latest; last != nil {
		d.Plane, d.Fit = last.Plane, last.Fit
	}
	predictions := 0.0 // duration of predictions; 0 if none were made
	if all || t.diagnosis.latest == nil || t.progress.Seconds >= t.diagnosis.nextPredictions {
		predictionsBegin := t.env.now()
		t.predictViews(ctx, d)
		predictions = t.env.now().Sub(predictionsBegin).Seconds()
	}
	d.Seconds = rundir.Number(t.env.now().Sub(begin).Seconds())
	t.diagnosis.take(d, t.progress.Seconds, predictions)
	t.history.watcher.AddDiagnostics(d)
}

// predictViews computes the views that are based on predictions.
func (t *trainer) predictViews(ctx context.Context, d *rundir.Diagnostics) {
	plane, err := t.probe.Plane(ctx, d.Step)
	if ctx.Err() != nil {
		return
	}
	d.Plane = plane
	if err != nil {
		t.warnError("could not compute predictions over the plane", err)
	}
	fit, err := t.probe.Fit(ctx, d.Step)
	if ctx.Err() != nil {
		return
	}
	d.Fit = fit
	if err != nil {
		t.warnError("could not compute the fit", err)
	}
}
