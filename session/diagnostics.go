package session

import (
	"math"
	"strings"
	"time"

	"dgplab/models/family"
	"dgplab/session/rundir"
)

const (
	// diagnosePause is the least training time between diagnostics, in seconds,
	// and costFactor that time in units of what the last ones cost: they take less
	// than 1/100 of the time of training.
	diagnosePause = 2.0
	costFactor    = 100
)

// inside is what was seen when the trainer looked into the model, and when it does
// so again: the cost stays small. Times are seconds of training.
type inside struct {
	latest *rundir.Diagnostics // nil until first made
	next   float64
	spent  float64              // by all diagnostics
	clock  func() time.Duration // of the steps that are timed by part, see timeStep
}

func (i *inside) due(now float64) bool { return now >= i.next }

// take keeps diagnostics that were made at a time.
func (i *inside) take(d *rundir.Diagnostics, now float64) {
	i.latest = d
	cost := float64(d.Seconds)
	i.spent += cost
	i.next = now + math.Max(diagnosePause, costFactor*cost)
}

// diagnose looks into the model, if it lets itself be looked into. What fails is
// a warning; training goes on.
func (t *trainer) diagnose() {
	begin := t.env.now()
	d := &rundir.Diagnostics{Step: t.progress.Step}
	if m, ok := t.model.(family.Viewer); ok {
		// The seed is always the same: curves then move with the model only.
		views, err := m.Views(derive(t.Seed, purposeLayers, 0))
		if err != nil {
			t.warn("%s", strings.ReplaceAll(err.Error(), "\n", "; "))
		}
		d.Views = views
	}
	plane, err := t.plane()
	if err != nil {
		t.warn("%v", err)
	}
	d.Views.Plane = plane
	d.Seconds = rundir.Number(t.env.now().Sub(begin).Seconds())
	t.inside.take(d, t.progress.Seconds)
	t.history.watcher.look(d)
}
