package mailbox

import (
	"sync"
	"testing"
)

type wishes struct {
	paused bool
	times  int
}

func kept(w wishes) wishes { return wishes{paused: w.paused} }

func woken(b *Box[wishes]) bool {
	select {
	case <-b.Wake():
		return true
	default:
		return false
	}
}

func TestWishesHoldOrAreForOnce(t *testing.T) {
	b := New(kept)
	if w := b.Take(); w != (wishes{}) || woken(b) {
		t.Fatalf("%+v in an empty box", w)
	}
	b.Ask(func(w *wishes) { w.paused = true })
	b.Ask(func(w *wishes) { w.times++ })
	if !woken(b) || woken(b) {
		t.Error("two requests do not wake once")
	}
	if w := b.Take(); w != (wishes{true, 1}) {
		t.Errorf("took %+v", w)
	}
	if w := b.Take(); w != (wishes{true, 0}) {
		t.Errorf("took %+v the second time", w)
	}
	b.Ask(func(w *wishes) { w.paused = false })
	if w := b.Take(); w != (wishes{}) {
		t.Errorf("took %+v after it was revoked", w)
	}
}

// Concurrent requests are neither lost nor taken twice.
func TestManyAsk(t *testing.T) {
	b := New(kept)
	const people, requests = 8, 500
	var group sync.WaitGroup
	for range people {
		group.Go(func() {
			for range requests {
				b.Ask(func(w *wishes) { w.times++ })
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
	if total != people*requests {
		t.Errorf("%d requests came, %d were made", total, people*requests)
	}
}
