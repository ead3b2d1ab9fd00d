package fastblas

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestLoopRunsEveryPartOnce(t *testing.T) {
	for _, parts := range []int{1, 2, 7, 100} {
		counts := make([]atomic.Int64, parts)
		l := &Loop{Body: func(part int) { counts[part].Add(1) }}
		for range 50 {
			l.Run(parts)
		}
		for part := range counts {
			if n := counts[part].Load(); n != 50 {
				t.Errorf("of %d parts, part %d ran %d times in 50 runs", parts, part, n)
			}
		}
	}
}

func TestNestedLoops(t *testing.T) {
	var total atomic.Int64
	outer := &Loop{Body: func(int) {
		inner := &Loop{Body: func(int) { total.Add(1) }}
		inner.Run(5)
	}}
	outer.Run(6)
	if n := total.Load(); n != 30 {
		t.Errorf("30 inner parts ran %d times", n)
	}
}

// Loops within an outer loop run in parallel if there are enough processors, and alone again afterwards.
func TestRunOuter(t *testing.T) {
	for _, processors := range []int{1, 2, 4, 9} {
		old := runtime.GOMAXPROCS(processors)
		var total, most atomic.Int64
		within := make([]Loop, 2)
		for i := range within {
			within[i].Body = func(int) { total.Add(1) }
		}
		outer := &Loop{Body: func(part int) {
			most.Store(inner.Load())
			for range 20 {
				within[part].Run(7)
			}
		}}
		outer.RunOuter(2)
		if n := total.Load(); n != 2*20*7 {
			t.Errorf("%d processors: 280 inner parts ran %d times", processors, n)
		}
		if n := most.Load(); n != int64(ceil(processors, 2)) {
			t.Errorf("%d processors: %d for an inner loop", processors, n)
		}
		if inner.Load() != 0 || loops.Load() != 0 {
			t.Errorf("%d processors for inner loops and %d running loops remain", inner.Load(), loops.Load())
		}
		runtime.GOMAXPROCS(old)
	}
	failing := &Loop{Body: func(int) { panic("a part") }}
	func() {
		defer func() { recover() }()
		failing.RunOuter(2)
		t.Error("RunOuter does not panic")
	}()
	if inner.Load() != 0 || loops.Load() != 0 {
		t.Error("a panic leaves a loop running")
	}
	var total atomic.Int64
	counting := &Loop{Body: func(int) { total.Add(1) }}
	(&Loop{Body: func(int) { counting.RunOuter(2) }}).Run(3)
	if n := total.Load(); n != 6 {
		t.Errorf("6 parts of an outer loop within a loop ran %d times", n)
	}
}

func TestPanicInWorkerReachesCaller(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	var both sync.WaitGroup
	both.Add(2)
	emptyQueue()
	l := &Loop{Body: func(int) { panicTogether(&both) }}
	var got any
	func() {
		defer func() { got = recover() }()
		l.Run(2)
	}()
	p, ok := got.(*Panic)
	if !ok || !errors.Is(p, io.ErrUnexpectedEOF) {
		t.Fatalf("Run panics with %v, want the error of a part", got)
	}
	if text := p.Error(); !strings.HasPrefix(text, io.ErrUnexpectedEOF.Error()+"\n") ||
		!strings.Contains(text, "panicTogether") {
		t.Errorf("the text lacks the error or the stack of the part: %s", text)
	}
	if n := loops.Load(); n != 0 {
		t.Errorf("%d loops seem to be running", n)
	}
	TestLoopRunsEveryPartOnce(t)
}

// With more processors than parts, a loop within a part runs on one that has none.
func TestRunOuterUsesEveryProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	emptyQueue()
	var three sync.WaitGroup
	three.Add(3)
	within := &Loop{Body: func(int) { three.Done(); three.Wait() }}
	outer := &Loop{Body: func(part int) {
		if part == 0 {
			within.Run(2)
			return
		}
		three.Done()
		three.Wait()
	}}
	outer.RunOuter(2) // It does not return unless three goroutines run at the same time.
}

// emptyQueue waits for the invitations of earlier tests. A full queue leaves all parts to the caller.
func emptyQueue() {
	for len(workers.invitations) > 0 {
		runtime.Gosched()
	}
}

// panicTogether waits until all goroutines have called it, then panics.
func panicTogether(all *sync.WaitGroup) {
	all.Done()
	all.Wait()
	panic(io.ErrUnexpectedEOF)
}

func TestOtherPartsRunAfterPanic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	var total atomic.Int64
	l := &Loop{Body: func(part int) {
		total.Add(1)
		if part%3 == 0 {
			panic("a part")
		}
	}}
	for range 20 {
		func() {
			defer func() { recover() }()
			l.Run(30)
			t.Error("Run does not panic")
		}()
	}
	if n := total.Load(); n != 600 {
		t.Errorf("%d parts of 600 ran", n)
	}
}

func TestPanicInInnerLoopEndsLoop(t *testing.T) {
	inner := &Loop{Body: func(int) { panic("inner") }}
	outer := &Loop{Body: func(int) { inner.Run(3) }}
	func() {
		defer func() { recover() }()
		outer.Run(3)
	}()
	if n := loops.Load(); n != 0 {
		t.Errorf("%d loops seem to be running", n)
	}
}

func TestLoopDoesNotAllocate(t *testing.T) {
	l := &Loop{Body: func(int) {}}
	l.Run(4)
	if n := testing.AllocsPerRun(100, func() { l.Run(4) }); n > 0 {
		t.Errorf("%v allocations a run", n)
	}
}

// The function runs once, beside loops, also if no worker is free.
func TestBackground(t *testing.T) {
	for _, processors := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("%d processors", processors), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			var ran atomic.Int64
			b := &Background{Body: func() { ran.Add(1) }}
			b.Wait()
			l := &Loop{Body: func(int) {}}
			for i := range 200 {
				b.Start()
				for range i % 3 {
					l.Run(4)
				}
				b.Wait()
				b.Wait()
				if n := ran.Load(); n != int64(i+1) {
					t.Fatalf("it ran %d times after %d starts", n, i+1)
				}
			}
			l.Body = func(int) {
				b := &Background{Body: func() { ran.Add(1) }}
				b.Start()
				b.Wait()
			}
			ran.Store(0)
			l.Run(8)
			if n := ran.Load(); n != 8 {
				t.Errorf("it ran %d times within a loop of 8 parts", n)
			}
			if n := testing.AllocsPerRun(100, func() { b.Start(); b.Wait() }); n > 0 {
				t.Errorf("%v allocations a run", n)
			}
		})
	}
}

func TestPanicInBackground(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	b := &Background{Body: func() { panic("lost") }}
	defer func() {
		if p, ok := recover().(*Panic); !ok || p.Value != "lost" {
			t.Errorf("got panic %v", p)
		}
	}()
	b.Start()
	b.Wait()
}

// With a limit of one processor, parts run in their order on the calling goroutine.
func TestLimitProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	LimitProcessors(1)
	defer LimitProcessors(0)
	var order []int
	l := &Loop{Body: func(part int) { order = append(order, part) }}
	l.Run(50)
	for i, part := range order {
		if i != part {
			t.Fatalf("part %d is run as number %d", part, i)
		}
	}
	LimitProcessors(0)
	if n := processors(); n != 4 {
		t.Errorf("%d processors without a limit", n)
	}
	LimitProcessors(8)
	if n := processors(); n != 4 {
		t.Errorf("%d processors with a limit above their number", n)
	}
}
