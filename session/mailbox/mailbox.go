// Package mailbox lets anyone ask something of a goroutine that looks only now and
// then, between two steps. Neither side ever waits for the other.
package mailbox

import "sync"

// Box holds what was asked since the owner last looked: W is a struct of wishes, its
// zero value that of a box in which nothing was asked.
type Box[W any] struct {
	mu     sync.Mutex
	wishes W
	kept   func(W) W
	wake   chan struct{}
}

// New returns an empty box. Of the wishes that were taken, those that kept returns
// stay: they hold until they are revoked. The others were asked for once.
func New[W any](kept func(W) W) *Box[W] {
	return &Box[W]{kept: kept, wake: make(chan struct{}, 1)}
}

// Ask changes the wishes, and wakes the owner if it waits. Any goroutine may call it;
// change must not call the box.
func (b *Box[W]) Ask(change func(*W)) {
	b.mu.Lock()
	change(&b.wishes)
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default: // A token is waiting already.
	}
}

// Take returns the wishes and forgets those that were for once.
func (b *Box[W]) Take() W {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := b.wishes
	b.wishes = b.kept(taken)
	return taken
}

// Wake holds a token when something was asked since one was received.
func (b *Box[W]) Wake() <-chan struct{} { return b.wake }
