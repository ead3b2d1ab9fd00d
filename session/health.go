package session

import (
	"time"

	"dgplab/models/family"
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
	m, ok := t.model.(family.Timed)
	if !ok {
		return
	}
	if t.inside.clock == nil {
		begin := t.env.now()
		t.inside.clock = func() time.Duration { return t.env.now().Sub(begin) }
	}
	m.TimeNextStep(t.inside.clock)
}
