package fastblas

import "sync/atomic"

// Loop runs independent parts of a computation on all processors, in any order. Products within a
// part run only on the goroutine of the part, because all processors are busy.
//
// A Loop is created once and run many times; Run does not allocate.
type Loop struct {
	// Body runs one part. If it panics, Run runs the other parts and then panics. The panic value
	// is a *Panic if parts ran in parallel.
	Body func(part int)
}

// loops is the number of running loops.
var loops atomic.Int64

// Run runs parts 0 to parts-1 and returns when all are done.
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
