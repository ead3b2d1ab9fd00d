package interrupt

import (
	"context"
	"errors"
	"testing"
)

func TestAbandonedWork(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	free := make(chan struct{})
	defer close(free)
	_, err := Call(ctx, func() (int, error) { <-free; return 1, nil })
	if !errors.Is(err, ErrAbandoned) || !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	// Work that ends in time is not abandoned.
	if got, err := Call(ctx, func() (int, error) { return 7, nil }); got != 7 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}
