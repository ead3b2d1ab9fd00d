// Package freelist keeps workspaces for reuse.
package freelist

// List keeps objects for reuse by any number of goroutines. Unlike a sync.Pool it is emptied
// neither by the garbage collector nor at random under the race detector, so the steady state does
// not allocate.
type List[T any] chan *T

// New returns a list that keeps at most n objects; surplus objects are left to the garbage
// collector.
func New[T any](n int) List[T] { return make(List[T], n) }

// Get returns an object from the list, unchanged since it was put back, or a new one.
func (l List[T]) Get() *T {
	select {
	case x := <-l:
		return x
	default:
		return new(T)
	}
}

// Put returns an object to the list. The caller must not use it afterwards.
func (l List[T]) Put(x *T) {
	select {
	case l <- x:
	default:
	}
}
