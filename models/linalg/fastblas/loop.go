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

// inner is the number of processors of a Loop within a loop. At most 1 means one.
var inner atomic.Int64

// Run runs parts 0 to parts-1 and returns when all are done.
func (l *Loop) Run(parts int) {
	if parts == 1 {
		l.Body(0)
		return
	}
	defer loops.Add(-1)
	if loops.Add(1) == 1 {
		spread(l, parts, processors())
	} else {
		spread(l, parts, int(inner.Load()))
	}
}

// RunOuter is Run for a few parts that take long. The processors are divided among the parts, rounded up, and
// loops within them run on all of their processors.
func (l *Loop) RunOuter(parts int) {
	defer loops.Add(-1)
	if loops.Add(1) > 1 {
		serial(l, parts)
		return
	}
	all := processors()
	startWorkers(all - 1)
	inner.Store(int64(ceil(all, parts)))
	defer inner.Store(0)
	spread(outer{l}, parts, all)
}

// outer is a Loop that RunOuter runs.
type outer struct{ *Loop }

func (l *Loop) do(part int, _ *scratch) { l.Body(part) }

// Background runs a function on another processor beside the products and loops of its caller, which
// does not wait for it before Wait. It is used by one goroutine.
type Background struct {
	Body  func()
	round *round // nil unless the function may be running
}

// Start starts the function. On a single processor or within a Loop, Start runs it.
func (b *Background) Start() {
	if processors() < 2 || loops.Load() > 0 {
		serial(b, 1)
		return
	}
	startWorkers(1)
	b.round = newRound(b, 1, 1)
	b.round.invite()
}

// Wait returns when the function is done. It runs the function if no worker has begun it. It does
// nothing if the function was not started. If the function panicked, Wait panics.
func (b *Background) Wait() {
	r := b.round
	if r == nil {
		return
	}
	b.round = nil
	r.finish()
}

func (b *Background) do(int, *scratch) { b.Body() }
