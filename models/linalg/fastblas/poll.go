package fastblas

import (
	"runtime"
	"time"
)

// pollsPerYield is the number of polls after which a poller yields its goroutine and its thread. It
// yields rarely, because goroutines that yield at the same time may exchange their processors, and
// then find nothing that they work on in the caches.
const pollsPerYield = 128

// poller waits for an event that is expected soon. Tasks follow each other closely, and waking a
// sleeper takes about as long as a small product.
type poller struct {
	polls int
	start time.Time // of the first yield
}

// wait waits for a moment, and returns false when it is time to sleep.
func (p *poller) wait() bool {
	p.polls++
	if p.polls%pollsPerYield != 0 {
		relax()
		return true
	}
	runtime.Gosched()
	yieldThread()
	now := time.Now()
	if p.polls == pollsPerYield {
		p.start = now
	}
	return now.Sub(p.start) < patience
}
