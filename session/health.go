package session

import (
	"slices"
	"time"

	"dgplab/models"
)

// timedEvery is the number of steps of which one is timed by part. It is one of
// the first, so that a slow run has something to show soon, but not the first,
// which makes its buffers.
const (
	timedEvery = 100
	timedFirst = 2
)

// timeStep has the next step timed by part, if it is its turn.
func (t *trainer) timeStep() {
	if (t.progress.Step+1)%timedEvery != timedFirst {
		return
	}
	m, ok := t.model.(models.Health)
	if !ok {
		return
	}
	if t.inside.clock == nil {
		begin := t.env.now()
		t.inside.clock = func() time.Duration { return t.env.now().Sub(begin) }
	}
	m.TimeNextStep(t.inside.clock)
}

// cloneHealth makes sure that a snapshot never aliases a model's buffers.
func cloneHealth(h models.HealthReport) models.HealthReport {
	h.Matrices, h.Shares = slices.Clone(h.Matrices), slices.Clone(h.Shares)
	h.KLByLayer, h.Effective = slices.Clone(h.KLByLayer), slices.Clone(h.Effective)
	h.ShareByLayer = slices.Clone(h.ShareByLayer)
	return h
}
