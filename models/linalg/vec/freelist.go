package vec

// FreeList keeps objects for reuse by any number of goroutines. Unlike a sync.Pool it is emptied
// neither by the garbage collector nor at random under the race detector, so the steady state does
// not allocate.
type FreeList[T any] chan *T

// NewFreeList returns a list that keeps at most n objects. Surplus objects are garbage collected.
func NewFreeList[T any](n int) FreeList[T] { return make(FreeList[T], n) }

// Get returns an object from the list, in the state in which it was put back, or a new one.
func (l FreeList[T]) Get() *T {
	select {
	case x := <-l:
		return x
	default:
		return new(T)
	}
}

// Put returns an object to the list. The caller must not use it afterwards.
func (l FreeList[T]) Put(x *T) {
	select {
	case l <- x:
	default:
	}
}
