package familytest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"dgplab/models/linalg"
)

// ErrFault is the error of a numerical operation that fails.
var ErrFault = errors.New("numerical fault")

// faults lets operation number at, counted from 1, fail. Numerical operations and checks of the context
// count. The context is cancelled when its check fails.
type faults struct {
	context.Context
	at      int
	lasting bool // later operations fail, too

	mu     sync.Mutex
	count  int
	failed string // the operation that failed, or ""
}

// cancellation is the name of a check of the context.
const cancellation = "context"

// next counts an operation. It returns ErrFault if the operation fails, and context.Canceled if the
// context is cancelled.
func (f *faults) next(operation string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	if f.count == f.at {
		f.failed = operation
	}
	switch {
	case operation == cancellation && f.failed == cancellation:
		return context.Canceled
	case operation != cancellation && (f.count == f.at || f.lasting && f.count > f.at):
		return ErrFault
	}
	return nil
}

func (f *faults) Err() error { return f.next(cancellation) }

// Faults describes the operations that fail.
type Faults struct {
	// Lasting lets all operations after the first fault fail, too.
	Lasting bool
	// Infallible is an operation that never fails, or "".
	Infallible string
}

// Every calls do with a first operation that fails, then with a second operation that fails, and so on
// until do has fewer operations. It leaves out some late operations. check receives the operation that
// failed, or "", and the error of do. It is Returned if check is nil.
func (o Faults) Every(
	t *testing.T, what string, do func(ctx context.Context) error, check func(failed string, err error),
) {
	t.Helper()
	for at, reached := 1, true; reached; at += 1 + at/16 {
		f := &faults{Context: context.Background(), at: at, lasting: o.Lasting}
		linalg.Fault = func(operation string) error {
			if operation == o.Infallible {
				return nil
			}
			return f.next(operation)
		}
		err := do(f)
		linalg.Fault = nil
		reached = f.failed != ""
		if check != nil {
			check(f.failed, err)
		} else {
			Returned(t, what, f.failed, err)
		}
	}
}

// Returned checks that a method returned the error of the operation that failed, or none.
func Returned(t *testing.T, what, failed string, err error) {
	t.Helper()
	expected := errors.Is(err, ErrFault) || errors.Is(err, context.Canceled)
	if failed == "" && err != nil || failed != "" && !expected {
		t.Errorf("%s: %q failed, but the error is %v", what, failed, err)
	}
}
