package files

import (
	"context"
	"io"
	"os"
)

// OpenPipe returns a reader of the pipe at a path and waits in the background for a writer. Once
// ctx is cancelled, reads return the error of ctx.
func OpenPipe(ctx context.Context, path string) io.ReadCloser {
	return readAsync(ctx, func() (io.ReadCloser, error) { return os.Open(path) })
}

// ReadUntil returns a reader of r. Once ctx is cancelled, reads return the error of ctx. If r
// blocks forever, a goroutine leaks.
func ReadUntil(ctx context.Context, r io.Reader) io.ReadCloser {
	return readAsync(ctx, func() (io.ReadCloser, error) { return io.NopCloser(r), nil })
}

// readAsync reads from the reader returned by open, which is called in the background.
func readAsync(ctx context.Context, open func() (io.ReadCloser, error)) io.ReadCloser {
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { in.CloseWithError(ctx.Err()) })
	go func() {
		source, err := open()
		if err == nil {
			_, err = io.Copy(in, source)
			source.Close()
		}
		in.CloseWithError(err)
	}()
	return out
}
