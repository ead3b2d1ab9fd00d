// Package interrupt interrupts a working goroutine. A Box passes requests to it that it handles between two
// steps. Call abandons an operation that ignores its context. Limit does so for writes that nobody reads.
package interrupt

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// patience is the time for which an operation may continue after its context has ended. It is then abandoned,
// so that the process ends within two seconds unless its checkpoint is very large.
const patience = time.Second / 2

// ErrAbandoned is the error from an operation that did not end in time.
var ErrAbandoned = errors.New("work abandoned")

// Panic is a panic of an operation, with its own stack.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) String() string { return fmt.Sprint(p.Value) }

// Call calls work and returns its results. If ctx ends and work does not return within half a second, Call
// returns ErrAbandoned wrapped with the error of ctx. The work then continues in its goroutine until it
// returns or the process ends, and its data must not be used. Call repeats a panic of work in the goroutine
// of the caller, as a *Panic. A nil ctx never ends.
func Call[T any](ctx context.Context, work func() (T, error)) (T, error) {
	return call(ctx, patience, work)
}

// call is Call with a time limit after the end of ctx.
func call[T any](ctx context.Context, limit time.Duration, work func() (T, error)) (T, error) {
	if ctx == nil || ctx.Done() == nil {
		return work()
	}
	type outcome struct {
		value T
		err   error
		panic *Panic
	}
	ended := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if value := recover(); value != nil {
				o.panic = &Panic{value, debug.Stack()}
			}
			ended <- o
		}()
		o.value, o.err = work()
	}()
	done := ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case o := <-ended:
			if o.panic != nil {
				panic(o.panic)
			}
			return o.value, o.err
		case <-done:
			done, late = nil, time.After(limit)
		case <-late:
			var none T
			return none, fmt.Errorf("%w: %w", ErrAbandoned, ctx.Err())
		}
	}
}
