package files

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// maxPipeBytes is the maximum number of bytes read from a pipe.
const maxPipeBytes = 4 << 30

// StoredPipe holds the text read from a pipe. Like a file, it can be read repeatedly.
type StoredPipe struct {
	path string   // absolute path of the pipe
	file *os.File // open but already deleted, on systems that allow it
	size int64
}

// StorePipe reads the pipe with a path to its end into a temporary file, which exists until Close.
func StorePipe(path string, r io.Reader) (*StoredPipe, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp("", "dgplab-pipe-*")
	if err != nil {
		return nil, fmt.Errorf("store the data from the pipe: %w", err)
	}
	_ = os.Remove(file.Name()) // Windows refuses, so Close removes the file
	p := &StoredPipe{path: path, file: file}
	p.size, err = io.Copy(file, io.LimitReader(r, maxPipeBytes+1))
	if err == nil && p.size > maxPipeBytes {
		err = fmt.Errorf("the pipe delivers more than %d GB; save its data to a file", maxPipeBytes>>30)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Is reports whether the pipe has this path. A nil pipe has none.
func (p *StoredPipe) Is(name string) bool {
	if p == nil {
		return false
	}
	path, err := filepath.Abs(name)
	return err == nil && path == p.path
}

// Open returns a seekable reader from the beginning.
func (p *StoredPipe) Open() io.ReadCloser {
	return pipeText{io.NewSectionReader(p.file, 0, p.size)}
}

type pipeText struct{ *io.SectionReader }

// Close does nothing.
func (pipeText) Close() error { return nil }

// Close removes the text.
func (p *StoredPipe) Close() error {
	err := p.file.Close()
	_ = os.Remove(p.file.Name())
	return err
}
