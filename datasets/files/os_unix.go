//go:build !windows

package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// SafeFlags makes opening a file neither follow links nor block.
const SafeFlags = syscall.O_NOFOLLOW | nonBlocking

// nonBlocking makes opening a file not block.
const nonBlocking = syscall.O_NONBLOCK

// regular returns an error unless the opened file is a regular file.
func regular(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return &IrregularError{path, info.Mode()}
	}
	return nil
}

// syncDir makes the directory entries of an open folder durable. It ignores file systems that do
// not support this.
func syncDir(dir *os.File) error {
	err := dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}
