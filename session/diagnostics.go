package session

import (
	"context"
	"errors"
	"math"
	"strings"
	"time"

	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session/rundir"
)

const (
	// diagnosePause is the least training time between diagnostics, in seconds,
	// and costFactor that time in units of what the last ones cost: they take less
	// than 1/100 of the time of training. Predictions over the plane and along the inputs
	// cost more than all else there is to see; they have their own pauses, and take as much
	// at most.
	diagnosePause = 2.0
	costFactor    = 100
	// earlyLooks is how many looks come sooner, and predictions, each after half the pause of
	// the next: a posterior leaves its start at once, and who watches a run wants to see
	// that. A whole run has so many looks more.
	earlyLooks = 4
)

// inside is what was seen when the trainer looked into the model, and when it does
// so again: the cost stays small. Times are seconds of training.
type inside struct {
	latest *rundir.Diagnostics // nil until first made
	looks  int                 // so far
	next   float64
	// nextPredictions is when predictions are made again, which they were predicted times;
	// until then those of the last time are shown.
	nextPredictions float64
	predicted       int
	spent           float64              // by all diagnostics
	clock           func() time.Duration // of the steps that are timed by part, see timeStep
}

func (i *inside) due(now float64) bool { return now >= i.next }

// take keeps diagnostics that were made at a time; so many seconds of their cost are of
// predictions.
func (i *inside) take(d *rundir.Diagnostics, now, predictions float64) {
	i.latest = d
	cost := float64(d.Seconds)
	i.spent += cost
	i.looks++
	i.next = now + early(math.Max(diagnosePause, costFactor*(cost-predictions)), i.looks)
	if predictions > 0 {
		i.predicted++
		i.nextPredictions = now + early(costFactor*predictions, i.predicted)
	}
}

// early returns the pause after so many looks.
func early(pause float64, looks int) float64 { return math.Ldexp(pause, min(looks-1-earlyLooks, 0)) }

// settled says that training has just left its first phases, such as a choice among
// starting points, of which there was nothing to see before.
func (t *trainer) settled() bool {
	p := t.progress
	return p.Step > 1 && t.turned == p.Step && t.last.point.Phase == "" && t.inside.latest != nil &&
		t.inside.latest.Step < p.Step
}

// diagnose looks into the model, if it lets itself be looked into, all of it: while
// training goes on of its own, predictions may be those of an earlier step.
// What fails is a warning. When ctx ends the predictions stay what they were; a look that
// was abandoned has no result.
func (t *trainer) diagnose(ctx context.Context, all bool) {
	begin := t.env.now()
	d := &rundir.Diagnostics{Step: t.modelStep()}
	if m, ok := t.model.(family.Viewer); ok {
		// The seed is always the same: curves then move with the model only.
		views, err := ask(t, func() (view.Views, error) { return m.Views(derive(t.Seed, purposeLayers, 0)) })
		if t.abandoned {
			return
		}
		if err != nil {
			t.trouble("no look into the model", errors.New(strings.ReplaceAll(err.Error(), "\n", "; ")))
		}
		t.name(views)
		d.Views = views
	}
	if last := t.inside.latest; last != nil {
		d.Plane, d.Fit = last.Plane, last.Fit
	}
	predictions := 0.0 // what they cost; 0 where they were not made, however short that took
	if all || t.inside.latest == nil || t.progress.Seconds >= t.inside.nextPredictions {
		predictionsBegin := t.env.now()
		t.predictViews(ctx, d)
		predictions = t.env.now().Sub(predictionsBegin).Seconds()
	}
	d.Seconds = rundir.Number(t.env.now().Sub(begin).Seconds())
	t.inside.take(d, t.progress.Seconds, predictions)
	t.history.watcher.look(d)
}

// predictViews makes the views that follow from predictions.
func (t *trainer) predictViews(ctx context.Context, d *rundir.Diagnostics) {
	plane, err := t.plane(ctx)
	if ctx.Err() != nil {
		return
	}
	d.Plane = plane
	if err != nil {
		t.trouble("no predictions over the plane", err)
	}
	fit, err := t.fit(ctx)
	if ctx.Err() != nil {
		return
	}
	d.Fit = fit
	if err != nil {
		t.trouble("no predictions beside the data", err)
	}
}
