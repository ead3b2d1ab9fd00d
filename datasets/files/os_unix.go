//go:build !windows

package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// SafeFlags are the flags for opening a file without following links and without blocking.
const SafeFlags = syscall.O_NOFOLLOW | nonBlocking

// nonBlocking is the flag for opening a file without blocking.
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

// Links returns the number of names (hard links) of a file.
func Links(info fs.FileInfo) int {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 1
	}
	return int(stat.Nlink)
}
