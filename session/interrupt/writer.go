package interrupt

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// readerPatience is the time that a reader has for a write after the context of a limited writer has ended.
const readerPatience = time.Second

// ErrUnread is the error from a write that nobody reads, after the end of the context.
var ErrUnread = errors.New("the output is not read")

// File is a file such as a terminal or a pipe. *os.File implements it.
type File interface {
	io.ReadWriteCloser
	Fd() uintptr
	Name() string
}

// Limit returns a writer to w, which may be a stopped terminal or a pipe that nobody reads. Until ctx ends,
// a write waits for the reader as usual. Afterwards the reader has a second for each write; if it does not
// read, this write and all later ones fail with ErrUnread. An ending program can therefore write without
// being held up. If w is a File, the writer is one too. Several goroutines may write at the same time.
func Limit(ctx context.Context, w io.Writer) io.Writer {
	l := &limitedWriter{ctx: ctx, to: w}
	if file, ok := w.(File); ok {
		return &limitedFile{file, l}
	}
	return l
}

type limitedWriter struct {
	ctx    context.Context
	to     io.Writer
	mu     sync.Mutex // held during a write
	unread atomic.Bool
}

// Write implements io.Writer.
func (l *limitedWriter) Write(text []byte) (int, error) {
	if l.unread.Load() {
		return 0, ErrUnread
	}
	text = bytes.Clone(text) // An abandoned write still uses it.
	n, err := call(l.ctx, readerPatience, func() (int, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.to.Write(text)
	})
	if errors.Is(err, ErrAbandoned) {
		l.unread.Store(true)
		return 0, ErrUnread
	}
	return n, err
}

// limitedFile is a File with limited writes.
type limitedFile struct {
	File
	writer *limitedWriter
}

// Write implements io.Writer.
func (f *limitedFile) Write(text []byte) (int, error) { return f.writer.Write(text) }
