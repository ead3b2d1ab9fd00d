package fastblas

import "sync/atomic"

// Loop is work of the caller's that falls into independent parts, which run on
// all processors in any order. Products that a part computes run on the part's
// own goroutine, since all processors are taken.
//
// A Loop is made once and run often: running it does not allocate.
type Loop struct {
	// Body does one part. If it panics the other parts are still done, then Run
	// panics, with a *Panic if the part ran beside others.
	Body func(part int)
}

// loops counts the loops that are running.
var loops atomic.Int64

// Run runs parts 0 to parts-1 and returns when they are done.
func (l *Loop) Run(parts int) {
	if parts == 1 {
		l.Body(0)
		return
	}
	defer loops.Add(-1)
	if loops.Add(1) == 1 {
		spread(l, parts)
	} else {
		serial(l, parts)
	}
}

func (l *Loop) do(part int, _ *scratch) { l.Body(part) }
