// Package files reads and writes the files of the program: regular ones alone, never
// through a link, within limits, and replaced as a whole. Whoever may put something into
// a folder can neither make the program wait, nor fill its memory, nor lead what it
// writes elsewhere.
package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// File is an open file.
type File interface {
	io.ReadWriteCloser
	io.ReaderAt
	io.WriterAt
	Name() string
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

// Disk is where files are. It is OS but in tests of what disks do wrong.
type Disk interface {
	// OpenFile is like os.OpenFile for a regular file that is no link; anything else is an
	// *IrregularError.
	OpenFile(path string, flag int, perm fs.FileMode) (File, error)
	// OpenDir opens a folder. Links on the way to it are followed.
	OpenDir(path string) (Dir, error)
}

// OS is the disk of the operating system. Tests replace it by one that fails.
var OS Disk = system{}

type system struct{}

// OpenFile implements Disk. Opening neither waits for the other end of a pipe nor
// follows a link.
func (system) OpenFile(path string, flag int, perm fs.FileMode) (File, error) {
	file, err := os.OpenFile(path, flag|Safely, perm)
	if err != nil {
		if info, failed := os.Lstat(path); failed == nil && !info.Mode().IsRegular() {
			return nil, &IrregularError{path, info.Mode()}
		}
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// IrregularError says that something that should be a file is another thing.
type IrregularError struct {
	Path string
	Mode fs.FileMode
}

// Error names the path and what is there.
func (e *IrregularError) Error() string { return e.Path + ": " + e.what() }

// what says what is there.
func (e *IrregularError) what() string {
	what := "not a regular file"
	switch {
	case e.Mode&fs.ModeSymlink != 0:
		what = "a link, which is not followed"
	case e.Mode.IsDir():
		what = "a folder, not a file"
	case e.Mode&fs.ModeNamedPipe != 0:
		what = "a pipe, not a file"
	case e.Mode&(fs.ModeDevice|fs.ModeCharDevice) != 0:
		what = "a device, not a file"
	}
	return what
}

// Open opens a file for reading. The error wraps fs.ErrNotExist where there is none.
func Open(d Disk, path string) (File, error) { return d.OpenFile(path, os.O_RDONLY, 0) }

// Read returns the content of a file of at most so many bytes.
func Read(d Disk, path string, most int64) ([]byte, error) {
	file, err := Open(d, path)
	if err != nil {
		return nil, err
	}
	return readAll(file, path, most)
}

// Plain returns an error without the path that it is about: names of temporary files
// are random, and of no use to anybody.
func Plain(err error) error {
	var irregular *IrregularError
	if errors.As(err, &irregular) {
		return errors.New(irregular.what())
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
