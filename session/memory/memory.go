// Package memory says whether work fits the memory that is free, before any of it
// is allocated: a process that takes more than there is gets killed, with all runs
// that it trains.
package memory

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"
)

// Error is work that is refused because it would not fit. Both are bytes; Free may
// be less than what the system says when other work has been admitted.
type Error struct{ Need, Free float64 }

func (e *Error) Error() string {
	return fmt.Sprintf("needs about %.1f GB of memory; %.1f GB are available", e.Need/1e9, max(0, e.Free)/1e9)
}

// Ledger admits work as long as it fits together.
type Ledger struct {
	mu sync.Mutex
	// admitted is what the work that goes on at present needs altogether, whether it
	// has been allocated already or not.
	admitted float64
	// capacity returns the bytes that this process may have, those it has included.
	capacity func() float64
	// limit, if it is not nil, is told the capacity when work is admitted.
	limit func(bytes float64)
}

// Process is the ledger of this process.
var Process = newProcess()

func newProcess() *Ledger {
	l := NewLedger(func() float64 { return free() + resident() })
	l.limit = limitHeap
	return l
}

// limitHeap has the garbage collector work harder when the heap comes near to so many
// bytes: it lets the heap grow to twice what is in use otherwise, which the estimates of
// work leave out. A limit of GOMEMLIMIT stays.
func limitHeap(bytes float64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(heapShare * bytes))
	}
}

// heapShare is the share of the memory of a process that the heap may have.
const heapShare = 0.9

// NewLedger returns one for a process that may have as many bytes as capacity
// returns when it is asked.
func NewLedger(capacity func() float64) *Ledger { return &Ledger{capacity: capacity} }

// Free returns the bytes that are left for other work.
func (l *Ledger) Free() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.capacity() - l.admitted
}

// Check returns an [*Error] if work of that many bytes does not fit at present.
func (l *Ledger) Check(need float64) error {
	if have := l.Free(); need > have {
		return &Error{need, have}
	}
	return nil
}

// Admit is Check, and counts the work as going on until done is called. Forced work
// is counted, but never refused.
func (l *Ledger) Admit(need float64, forced bool) (done func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	capacity := l.capacity()
	if have := capacity - l.admitted; need > have && !forced {
		return nil, &Error{need, have}
	}
	if l.limit != nil {
		l.limit(capacity)
	}
	l.admitted += need
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.admitted -= need
	}, nil
}
