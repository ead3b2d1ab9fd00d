// Package memory checks that work fits into the free memory before any of it is allocated. The operating
// system would kill a process that exceeds the memory, and thereby end all of its runs.
package memory

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"
)

// Error reports that work was refused because it does not fit into memory. Need and Free are in
// bytes; Free excludes the memory reserved for other admitted work.
type Error struct{ Need, Free float64 }

func (e *Error) Error() string {
	return fmt.Sprintf("needs about %.1f GB of memory; %.1f GB are available", e.Need/1e9, max(0, e.Free)/1e9)
}

// Ledger admits work that fits into memory together with all work in progress.
type Ledger struct {
	mu sync.Mutex
	// admitted is the total need of the work in progress in bytes, whether already allocated or not.
	admitted float64
	// capacity returns the memory available to this process in bytes, including what it uses now.
	capacity func() float64
	// limit is called with the capacity when work is admitted. It can be nil.
	limit func(bytes float64)
}

// Process is the ledger of this process.
var Process = newProcess(free, resident)

// newProcess returns a ledger for a process with the given free and resident memory in bytes.
func newProcess(free, resident func() float64) *Ledger {
	l := NewLedger(func() float64 { return free() + resident() })
	l.limit = limitHeap
	return l
}

// limitHeap sets the memory limit of the garbage collector to a share of the given bytes, unless GOMEMLIMIT
// is set. Without a limit the heap may grow to twice the live memory, and the estimates do not include that
// growth.
func limitHeap(bytes float64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(heapShare * bytes))
	}
}

// heapShare is the heap's share of the process memory.
const heapShare = 0.9

// NewLedger returns a ledger for a process with the given capacity in bytes. The ledger calls capacity for
// each decision.
func NewLedger(capacity func() float64) *Ledger { return &Ledger{capacity: capacity} }

// Free returns the bytes available for more work.
func (l *Ledger) Free() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.capacity() - l.admitted
}

// Check returns an [*Error] if work of need bytes does not fit now.
func (l *Ledger) Check(need float64) error {
	if have := l.Free(); need > have {
		return &Error{need, have}
	}
	return nil
}

// Admit reserves need bytes until done is called. It returns an [*Error] if they do not fit. Forced work is
// always admitted, and its memory counts as used.
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
