package vec

import "sync"

// FreeList keeps objects for reuse by any number of goroutines. Unlike a sync.Pool it is emptied
// neither by the garbage collector nor at random under the race detector, so the steady state does
// not allocate.
type FreeList[T any] struct {
	mutex sync.Mutex
	// items is a stack, because the object that was put back last is the most likely to be in the cache.
	items []*T
}

// NewFreeList returns a list that keeps at most n objects. Surplus objects are garbage collected.
func NewFreeList[T any](n int) *FreeList[T] { return &FreeList[T]{items: make([]*T, 0, n)} }

// Get returns the object that was put back last, in the same state, or a new one.
func (l *FreeList[T]) Get() *T {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	last := len(l.items) - 1
	if last < 0 {
		return new(T)
	}
	x := l.items[last]
	l.items[last] = nil
	l.items = l.items[:last]
	return x
}

// Put returns an object to the list. The caller must not use it afterwards.
func (l *FreeList[T]) Put(x *T) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(l.items) < cap(l.items) {
		l.items = append(l.items, x)
	}
}
