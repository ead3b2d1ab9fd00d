package session

import (
	"time"

	"dgplab/models/family"
)

// Steps from timedFirst to timedLast are timed by part, so that a slow run soon has something
// to show, but not the first, which makes its buffers; and later one in timedEvery.
const (
	timedFirst, timedLast = 2, 9
	timedEvery            = 25
)

// timeStep has the next step timed by part, if it is its turn.
func (t *trainer) timeStep() {
	next := t.progress.Step + 1
	if early := next >= timedFirst && next <= timedLast; !early && next%timedEvery != 0 {
		return
	}
	m, ok := t.model.(family.StepTimer)
	if !ok {
		return
	}
	if t.inside.clock == nil {
		begin := t.env.now()
		t.inside.clock = func() time.Duration { return t.env.now().Sub(begin) }
	}
	m.TimeNextStep(t.inside.clock)
}
