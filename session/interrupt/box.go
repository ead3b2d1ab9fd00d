package interrupt

import "sync"

// Box holds the requests made since the owner last took them. Neither side waits for the other. W is a
// struct of requests; its zero value means no requests.
type Box[W any] struct {
	mu         sync.Mutex
	requests   W
	persistent func(W) W
	wake       chan struct{}
}

// NewBox returns an empty box. persistent returns the requests that stay in effect until they are revoked;
// all others are taken only once.
func NewBox[W any](persistent func(W) W) *Box[W] {
	return &Box[W]{persistent: persistent, wake: make(chan struct{}, 1)}
}

// Ask changes the requests and wakes the owner if it waits. Any goroutine may call it. change must
// not call methods of the box.
func (b *Box[W]) Ask(change func(*W)) {
	b.mu.Lock()
	change(&b.requests)
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	// A token is already waiting for the owner.
	default:
	}
}

// Take returns the requests and keeps only the persistent ones.
func (b *Box[W]) Take() W {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := b.requests
	b.requests = b.persistent(taken)
	return taken
}

// Wake returns a channel that holds a token if there were requests since the last receive.
func (b *Box[W]) Wake() <-chan struct{} { return b.wake }
