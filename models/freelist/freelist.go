// Package freelist keeps what a computation works with for the next one.
package freelist

// List keeps objects for reuse, by any number of goroutines. In contrast to a sync.Pool
// it is not emptied by the garbage collector, nor at random under the race detector, so
// that the steady state does not allocate.
type List[T any] chan *T

// New returns a list that keeps at most n objects; more are left to the garbage
// collector.
func New[T any](n int) List[T] { return make(List[T], n) }

// Get takes an object from the list, as it was put back, or returns a new one.
func (l List[T]) Get() *T {
	select {
	case x := <-l:
		return x
	default:
		return new(T)
	}
}

// Put gives an object back, which the caller no longer uses.
func (l List[T]) Put(x *T) {
	select {
	case l <- x:
	default:
	}
}
