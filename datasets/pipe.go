package datasets

import (
	"fmt"
	"io"
	"os"
)

// mostPiped bounds the bytes that are taken from a pipe.
const mostPiped = 4 << 30

// Pipe is the text that came through a pipe. It can be read again and again, as that of a
// file can.
type Pipe struct {
	file *os.File // without a name, where the system can do so
	size int64
}

// ReadPipe reads a pipe to its end into a temporary file, until Close.
func ReadPipe(r io.Reader) (*Pipe, error) {
	file, err := os.CreateTemp("", "dgplab-pipe-*")
	if err != nil {
		return nil, fmt.Errorf("keep what comes through the pipe: %w", err)
	}
	_ = os.Remove(file.Name()) // Windows refuses; Close does it.
	p := &Pipe{file: file}
	p.size, err = io.Copy(file, io.LimitReader(r, mostPiped+1))
	if err == nil && p.size > mostPiped {
		err = fmt.Errorf("more than %d GB came through the pipe; save it as a file", mostPiped>>30)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// open returns a reader from the beginning, which can be sought.
func (p *Pipe) open() io.ReadCloser {
	return pipeText{io.NewSectionReader(p.file, 0, p.size)}
}

type pipeText struct{ *io.SectionReader }

// Close does nothing.
func (pipeText) Close() error { return nil }

// Close forgets the text.
func (p *Pipe) Close() error {
	err := p.file.Close()
	_ = os.Remove(p.file.Name())
	return err
}
