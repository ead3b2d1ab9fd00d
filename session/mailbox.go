package session

import "sync"

// wishes is what was asked of a trainer since it last looked.
type wishes struct {
	paused     bool // holds until it is revoked
	stop       bool // holds for ever
	checkpoint bool // once
	diagnose   bool // once
	evaluate   bool // once
}

// mailbox takes requests from any goroutine and hands them to the trainer
// between two steps. Neither side ever waits for the other.
type mailbox struct {
	mu     sync.Mutex
	wishes wishes
	// wake holds at most one token: something changed.
	wake chan struct{}
}

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{}, 1)} }

// ask changes the wishes and wakes the trainer if it is paused.
func (b *mailbox) ask(change func(*wishes)) {
	b.mu.Lock()
	change(&b.wishes)
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default: // a token is waiting already
	}
}

// take returns the wishes and forgets those that are for once.
func (b *mailbox) take() wishes {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.wishes
	b.wishes.checkpoint, b.wishes.diagnose, b.wishes.evaluate = false, false, false
	return w
}
