package files

import (
	"fmt"
	"io"
	"os"
)

// maxPipeBytes is the maximum number of bytes read from a pipe.
const maxPipeBytes = 4 << 30

// StoredPipe holds the text read from a pipe. Like a file, it can be read repeatedly.
type StoredPipe struct {
	file *os.File // open but already deleted, on systems that allow it
	size int64
}

// StorePipe reads a pipe to its end into a temporary file, which exists until Close.
func StorePipe(r io.Reader) (*StoredPipe, error) {
	file, err := os.CreateTemp("", "dgplab-pipe-*")
	if err != nil {
		return nil, fmt.Errorf("store the data from the pipe: %w", err)
	}
	_ = os.Remove(file.Name()) // Windows refuses, so Close removes the file
	p := &StoredPipe{file: file}
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
