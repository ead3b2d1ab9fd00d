package fastblas

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// A trace has the tasks of a computation with their parts, in order, and those within parts.
func TestTrace(t *testing.T) {
	const n = 512
	a := make([]float64, n*n)
	c := make([]float64, n*n)
	inner := &Loop{Body: func(int) {}}
	loop := &Loop{Body: func(int) { inner.Run(3) }}
	alone := &Loop{Body: func(int) { inner.Run(2) }}
	beside := &Background{Body: func() {}}
	span := Trace(func() {
		loop.Run(5)
		loop.RunOuter(2)
		alone.Run(1) // not a task of its own
		beside.Start()
		beside.Wait()
		Implementation{}.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, a, n, 0, c, n)
	})
	type task struct {
		name                string
		parts, within       int
		loop, outer, beside bool
	}
	want := []task{
		{"fastblas.TestTrace.func2", 5, 1, true, false, false},
		{"fastblas.TestTrace.func2", 2, 1, true, true, false},
		{"fastblas.TestTrace.func1", 2, 0, true, false, false},
		{"fastblas.TestTrace.func4", 1, 0, false, false, true},
	}
	tiles := newPlan(n, n, n)
	if active != nil {
		want = append(want, task{"fastblas.product", tiles.parts(), 0, false, false, false})
	}
	if len(span.Tasks) != len(want) {
		t.Fatalf("%d tasks, want %d: %+v", len(span.Tasks), len(want), span.Tasks)
	}
	sum := 0.0
	for i, w := range want {
		got := span.Tasks[i]
		if !strings.HasPrefix(got.Name, w.name) || len(got.Parts) != w.parts ||
			len(got.Parts[0].Tasks) != w.within || got.Loop != w.loop || got.Outer != w.outer ||
			got.Beside != w.beside {
			t.Errorf("task %d is %+v, want %+v", i, got, w)
		}
		for _, part := range got.Parts {
			sum += part.Seconds
		}
	}
	if !(sum > 0 && sum <= span.Seconds) {
		t.Errorf("the tasks took %v s of %v s", sum, span.Seconds)
	}
	if limit.Load() != 0 || tracing.Load() != nil {
		t.Error("the trace has not ended")
	}
}
