package interrupt

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"testing"
)

// A write to a pipe that nobody reads waits until the context ends, and then fails, as do all later ones.
func TestUnreadPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := Limit(ctx, w)
	if file, ok := out.(File); !ok || file.Fd() != w.Fd() {
		t.Errorf("a limited file has the type %T, want a File with the same descriptor", out)
	}
	written := make(chan error)
	go func() {
		_, err := out.Write(make([]byte, 1<<20)) // more than the pipe holds
		written <- err
	}()
	if _, err := io.ReadFull(r, make([]byte, 1)); err != nil { // The write has begun.
		t.Fatal(err)
	}
	select {
	case err := <-written:
		t.Fatalf("the write ends before the context, with %v", err)
	default:
	}
	cancel()
	if err := <-written; !errors.Is(err, ErrUnread) || errors.Is(err, context.Canceled) {
		t.Errorf("the write ends with the error %v, want %v", err, ErrUnread)
	}
	if _, err := out.Write([]byte("more")); !errors.Is(err, ErrUnread) {
		t.Errorf("a later write ends with the error %v, want %v", err, ErrUnread)
	}
}

// Writes that are read arrive in order, before and after the end of the context.
func TestReadWrites(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var got bytes.Buffer
	out := Limit(ctx, &got)
	if _, err := io.WriteString(out, "first "); err != nil {
		t.Error(err)
	}
	cancel()
	n, err := io.WriteString(out, "second")
	if n != len("second") || err != nil || got.String() != "first second" {
		t.Errorf("wrote %q, the last write returns %d, %v", got.String(), n, err)
	}
	if _, ok := out.(File); ok {
		t.Error("a limited buffer is a File")
	}
}
