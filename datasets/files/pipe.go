package files

import (
	"context"
	"io"
	"os"
)

// OpenPipe reads the pipe at a path, waiting in the background for a writer. If ctx is cancelled,
// reading ends with the error of ctx.
func OpenPipe(ctx context.Context, path string) io.ReadCloser {
	return readAsync(ctx, func() (io.ReadCloser, error) { return os.Open(path) })
}

// ReadUntil reads r until it ends or ctx is cancelled; then reading returns the error of ctx. If r
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
