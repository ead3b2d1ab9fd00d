package fastblas

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// Span is a part of a computation on one processor, with the tasks within it.
type Span struct {
	// Seconds is the duration, with the tasks.
	Seconds float64
	Tasks   []Task
}

// Task is a product or a Loop, whose parts are independent.
type Task struct {
	// Name is the function of a loop, such as "dgp.(*moments).evaluate", or the kind of a product.
	Name string
	// Loop is set for a Loop. Outer is also set for Loop.RunOuter: the processors are divided among the
	// parts, and loops within them run on several. All other tasks within parts run on one processor.
	Loop, Outer bool
	// Beside is set for a Background, which runs beside what follows.
	Beside bool
	Parts  []Span
}

// tracer records the tasks of a computation on one processor.
type tracer struct{ current *Span }

// tracing is the tracer, or nil.
var tracing atomic.Pointer[tracer]

// Trace runs a computation on one processor and records its tasks. No other computation may run.
func Trace(compute func()) Span {
	before := limit.Swap(1)
	defer limit.Store(before)
	whole := new(Span)
	tracing.Store(&tracer{whole})
	defer tracing.Store(nil)
	whole.time(compute)
	return *whole
}

// time adds the duration of a function.
func (s *Span) time(f func()) {
	start := time.Now()
	f()
	s.Seconds += time.Since(start).Seconds()
}

// run runs the parts of a task and records it.
func (t *tracer) run(work task, parts int, s *scratch) {
	task := Task{Name: nameOf(work), Parts: make([]Span, parts)}
	switch work.(type) {
	case *Loop:
		task.Loop = true
	case outer:
		task.Loop, task.Outer = true, true
	case *Background:
		task.Beside = true
	}
	outside := t.current
	for part := range parts {
		t.current = &task.Parts[part]
		t.current.time(func() { work.do(part, s) })
	}
	t.current = outside
	outside.Tasks = append(outside.Tasks, task)
}

// nameOf returns the name of a task.
func nameOf(t task) string {
	var body any
	switch t := t.(type) {
	case *Loop:
		body = t.Body
	case outer:
		body = t.Body
	case *Background:
		body = t.Body
	default:
		return strings.TrimPrefix(fmt.Sprintf("%T", t), "*")
	}
	name := runtime.FuncForPC(reflect.ValueOf(body).Pointer()).Name()
	return strings.TrimSuffix(name[strings.LastIndex(name, "/")+1:], "-fm")
}
