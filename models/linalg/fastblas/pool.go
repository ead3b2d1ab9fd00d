package fastblas

import (
	"dgplab/models/linalg/vec"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"
)

// task is work that consists of independent parts. do runs one part with its own scratch memory;
// parts run in any order and on any goroutine.
type task interface {
	do(part int, s *scratch)
}

// scratch is the memory into which one part of a task packs matrices.
type scratch struct {
	a, b aligned
	// inB is the part of a matrix whose slivers are in b, if any.
	inB slivers
	// tile receives register tiles that cannot be stored in C directly.
	tile aligned
	// weights receives the weights of the columns of an incomplete strip.
	weights aligned
}

// slivers identifies the packed columns of the right matrix of a product: the columns of a tile from
// column j, in the terms of the sums from k on. The zero value means none.
type slivers struct {
	product int64
	j, k    int
}

// right returns n values of the buffer b with undefined contents.
func (s *scratch) right(n int) []float64 {
	s.inB = slivers{}
	return s.b.resize(n)
}

// aligned is a buffer that begins at a cache line and only grows.
type aligned []float64

// line is the number of values per cache line.
const line = 8

// resize returns n values with undefined contents.
func (buf *aligned) resize(n int) []float64 {
	buf.grow(n, n/4)
	return (*buf)[:n]
}

// grow ensures that there are at least n values. If not, it provides some in reserve; the contents are then
// zeros.
func (buf *aligned) grow(n, reserve int) {
	if len(*buf) >= n {
		return
	}
	raw := make([]float64, n+reserve+line)
	off := 0
	if r := uintptr(unsafe.Pointer(&raw[0])) % (8 * line); r != 0 {
		off = int(8*line-r) / 8
	}
	*buf = raw[off:]
}

var (
	scratches = vec.NewFreeList[scratch](4 * runtime.NumCPU())
	rounds    = vec.NewFreeList[round](64)
)

// round is the execution of one task by its caller and by workers. It returns to the free list when
// its last user leaves.
type round struct {
	task task
	// shares divide the parts among the caller and the workers. Each takes the parts of its own share
	// first, so that parts of successive tasks that use the same memory find it in the cache of their
	// processor. A share is a section of the parts, because processors that write to adjacent memory
	// disturb each other: they read ahead into the cache lines of the other.
	shares []share
	left   atomic.Int64 // parts not yet done
	users  atomic.Int64
	open   sync.WaitGroup // counts the same parts, for sleeping
	// panicked is the panic of the first part that panicked, or nil.
	panicked atomic.Pointer[Panic]
}

// share is a share of the parts. Its size keeps shares in different cache lines.
type share struct {
	next atomic.Int64 // part
	end  int64
	_    [112]byte
}

// work runs parts until none are left, beginning with a share.
func (r *round) work(first int, s *scratch) {
	for !r.run(first, s) {
	}
}

// run runs parts until none are left and returns true. If a part panics, it stores the panic for
// the caller of the task and returns false.
func (r *round) run(first int, s *scratch) (finished bool) {
	done := 0
	defer func() {
		if value := recover(); value != nil {
			r.panicked.CompareAndSwap(nil, &Panic{value, debug.Stack()})
			done++
		}
		if done > 0 { // Counting part by part would move the counters from processor to processor.
			r.left.Add(-int64(done))
			r.open.Add(-done)
		}
	}()
	n := len(r.shares)
	for i := range n {
		q := &r.shares[(first+i)%n]
		for {
			part := q.next.Add(1) - 1
			if part >= q.end {
				break
			}
			r.task.do(int(part), s)
			done++
		}
	}
	return true
}

// wait waits until all parts are done and returns the panic of a part, or nil.
func (r *round) wait() *Panic {
	var idle poller
	for r.left.Load() > 0 && idle.wait() {
	}
	r.open.Wait()
	return r.panicked.Swap(nil)
}

// leave returns the round to the free list when its last user leaves.
func (r *round) leave() {
	if r.users.Add(-1) == 0 {
		r.task = nil
		rounds.Put(r)
	}
}

// workers are goroutines that wait for invitations until the program ends. A worker never waits for
// another worker, so an accepted invitation always completes.
var workers struct {
	sync.Mutex
	started     atomic.Int64
	invitations chan *round
}

func init() { workers.invitations = make(chan *round, 256) }

// startWorkers starts workers until there are at least n.
func startWorkers(n int) {
	if int(workers.started.Load()) >= n {
		return
	}
	workers.Lock()
	defer workers.Unlock()
	for int(workers.started.Load()) < n {
		number := int(workers.started.Add(1))
		go func() {
			var memory scratch
			for {
				r := nextRound()
				r.work(number, &memory)
				r.leave()
			}
		}()
	}
}

// nextRound waits for an invitation.
func nextRound() *round {
	var idle poller
	for idle.wait() {
		select {
		case r := <-workers.invitations:
			return r
		default:
		}
	}
	return <-workers.invitations
}

// limit is the maximum number of processors of a task, or 0 for all.
var limit atomic.Int64

// LimitProcessors limits the number of processors of every later product and [Loop]; 0 removes the limit.
// Results do not depend on it. It may be called at any time, from any goroutine.
func LimitProcessors(n int) { limit.Store(int64(n)) }

// spare is the number of processors that tasks leave to others.
var spare atomic.Int64

// SpareProcessors makes every later product and [Loop] use n processors less than GOMAXPROCS, but at least
// one. Like LimitProcessors, it does not affect results.
func SpareProcessors(n int) { spare.Store(int64(n)) }

// Processors returns the number of processors that tasks may use without a limit.
func Processors() int { return max(1, runtime.GOMAXPROCS(0)-int(spare.Load())) }

// processors returns the number of processors of a task.
func processors() int {
	all := Processors()
	if n := int(limit.Load()); n > 0 {
		return min(n, all)
	}
	return all
}

// parallel runs all parts of a task and returns when they are done. Within a Loop it runs them
// serially, because the other processors run the other parts of the loop.
func parallel(t task, parts int) {
	if loops.Load() > 0 {
		serial(t, parts)
		return
	}
	spread(t, parts, processors())
}

// spread runs all parts of a task on at most the given number of processors and returns when they are
// done. The caller also runs parts and can finish without workers, so busy workers cannot block it. If a
// part panicked, spread panics with a *Panic after all parts have ended.
func spread(t task, parts, processors int) {
	helpers := min(processors, parts) - 1
	if helpers < 1 {
		serial(t, parts)
		return
	}
	startWorkers(helpers)
	r := newRound(t, parts, helpers+1)
	for range helpers {
		if !r.invite() {
			break
		}
	}
	r.finish()
}

// newRound returns a round of a task with one user, its caller.
func newRound(t task, parts, shares int) *round {
	r := rounds.Get()
	r.task = t
	if cap(r.shares) < shares {
		r.shares = make([]share, shares)
	}
	r.shares = r.shares[:shares]
	for i := range r.shares {
		r.shares[i].next.Store(int64(i * parts / shares))
		r.shares[i].end = int64((i + 1) * parts / shares)
	}
	r.left.Store(int64(parts))
	r.open.Add(parts)
	r.users.Store(1)
	return r
}

// invite invites a worker and returns true, or false if too many invitations are open.
func (r *round) invite() bool {
	r.users.Add(1)
	select {
	case workers.invitations <- r:
		return true
	default:
	}
	r.users.Add(-1)
	return false
}

// finish runs the remaining parts, waits for the others and leaves the round. If a part panicked, it panics.
func (r *round) finish() {
	s := scratches.Get()
	r.work(0, s)
	scratches.Put(s)
	panicked := r.wait()
	r.leave()
	if panicked != nil {
		panic(panicked)
	}
}

// serial runs all parts of a task on the calling goroutine.
func serial(t task, parts int) {
	s := scratches.Get()
	tracer := tracing.Load()
	if tracer != nil {
		tracer.run(t, parts, s)
	} else {
		for part := range parts {
			t.do(part, s)
		}
	}
	scratches.Put(s)
}
