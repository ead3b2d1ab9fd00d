package files

import (
	"context"
	"io"
	"os"
)

// OpenPipe reads the pipe at a path, waiting in the background for somebody to open its other
// end. Reading ends with the error of ctx as soon as that has ended.
func OpenPipe(ctx context.Context, path string) io.ReadCloser {
	return readSoon(ctx, func() (io.ReadCloser, error) { return os.Open(path) })
}

// Until reads r until it ends or ctx has ended, whose error is that of reading then. Where r
// waits for ever, so does a goroutine.
func Until(ctx context.Context, r io.Reader) io.ReadCloser {
	return readSoon(ctx, func() (io.ReadCloser, error) { return io.NopCloser(r), nil })
}

// readSoon reads what open returns, which is called in the background.
func readSoon(ctx context.Context, open func() (io.ReadCloser, error)) io.ReadCloser {
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
