package fastblas

import (
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

func TestLoopsMayNest(t *testing.T) {
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

func TestRunningALoopDoesNotAllocate(t *testing.T) {
	l := &Loop{Body: func(int) {}}
	l.Run(4)
	if n := testing.AllocsPerRun(100, func() { l.Run(4) }); n > 0 {
		t.Errorf("%v allocations a run", n)
	}
}
