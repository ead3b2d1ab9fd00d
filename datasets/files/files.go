// Package files reads and writes files safely: only regular files, never through a link, within
// size limits, and with atomic replacement. Files planted by others cannot block the program,
// exhaust its memory or redirect its writes.
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

// Disk is a file system. It is OS except in tests of disk failures.
type Disk interface {
	// OpenFile is like os.OpenFile, but returns an *IrregularError for anything except a regular
	// file, including links.
	OpenFile(path string, flag int, perm fs.FileMode) (File, error)
	// OpenDir opens a folder. It follows links.
	OpenDir(path string) (Dir, error)
}

// OS is the file system of the operating system. Tests replace it to inject failures.
var OS Disk = system{}

type system struct{}

// OpenFile implements Disk. It neither waits for the other end of a pipe nor follows a link.
func (system) OpenFile(path string, flag int, perm fs.FileMode) (File, error) {
	file, err := os.OpenFile(path, flag|SafeFlags, perm)
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

// IrregularError reports a path that is not a regular file.
type IrregularError struct {
	Path string
	Mode fs.FileMode
}

// Error returns the path and its type.
func (e *IrregularError) Error() string { return e.Path + ": " + e.description() }

// description describes the type of the path.
func (e *IrregularError) description() string {
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

// Open opens a file for reading. The error wraps fs.ErrNotExist if the file does not exist.
func Open(d Disk, path string) (File, error) { return d.OpenFile(path, os.O_RDONLY, 0) }

// Read returns the content of a file. It returns an error if the file has more than most bytes.
func Read(d Disk, path string, most int64) ([]byte, error) {
	file, err := Open(d, path)
	if err != nil {
		return nil, err
	}
	return readAll(file, path, most)
}

// WithoutPath removes the path from an error, because the random names of temporary files are not
// informative.
func WithoutPath(err error) error {
	var irregular *IrregularError
	if errors.As(err, &irregular) {
		return errors.New(irregular.description())
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
