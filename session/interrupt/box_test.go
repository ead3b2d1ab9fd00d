package interrupt

import (
	"sync"
	"testing"
)

type requests struct {
	paused bool
	times  int
}

func persistent(w requests) requests { return requests{paused: w.paused} }

func woken(b *Box[requests]) bool {
	select {
	case <-b.Wake():
		return true
	default:
		return false
	}
}

func TestPersistentAndOneTimeRequests(t *testing.T) {
	b := NewBox(persistent)
	if w := b.Take(); w != (requests{}) || woken(b) {
		t.Fatalf("%+v in an empty box", w)
	}
	b.Ask(func(w *requests) { w.paused = true })
	b.Ask(func(w *requests) { w.times++ })
	if !woken(b) || woken(b) {
		t.Error("two requests do not cause a single wake-up")
	}
	if w := b.Take(); w != (requests{true, 1}) {
		t.Errorf("took %+v", w)
	}
	if w := b.Take(); w != (requests{true, 0}) {
		t.Errorf("took %+v the second time", w)
	}
	b.Ask(func(w *requests) { w.paused = false })
	if w := b.Take(); w != (requests{}) {
		t.Errorf("took %+v after it was revoked", w)
	}
}

// Concurrent requests are neither lost nor taken twice.
func TestConcurrentAsk(t *testing.T) {
	b := NewBox(persistent)
	const callers, perCaller = 8, 500
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			for range perCaller {
				b.Ask(func(w *requests) { w.times++ })
			}
		})
	}
	all := make(chan struct{})
	go func() { group.Wait(); close(all) }()
	total := 0
	for done := false; !done; {
		select {
		case <-b.Wake():
		case <-all:
			done = true
		}
		total += b.Take().times
	}
	if total != callers*perCaller {
		t.Errorf("%d requests arrived, %d were made", total, callers*perCaller)
	}
}
