package session

import (
	"time"

	"dgplab/models/family"
)

// The steps from timedFirst to timedLast are timed by part, to show timings of slow runs early. The
// first step is not timed because it allocates buffers. Later, every timedEvery-th step is timed.
const (
	timedFirst, timedLast = 2, 9
	timedEvery            = 25
)

// timeStep requests timing by part for the next step if it is due.
func (t *trainer) timeStep() {
	next := t.progress.Step + 1
	if early := next >= timedFirst && next <= timedLast; !early && next%timedEvery != 0 {
		return
	}
	m, ok := t.model.(family.StepTimer)
	if !ok {
		return
	}
	if t.diagnosis.clock == nil {
		begin := t.env.now()
		t.diagnosis.clock = func() time.Duration { return t.env.now().Sub(begin) }
	}
	m.TimeNextStep(t.diagnosis.clock)
}
