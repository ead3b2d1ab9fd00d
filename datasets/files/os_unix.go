//go:build !windows

package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Safely are flags with which opening a file follows no link and waits for nobody.
const Safely = syscall.O_NOFOLLOW | withoutWaiting

// withoutWaiting is the flag with which opening a file waits for nobody.
const withoutWaiting = syscall.O_NONBLOCK

// regular refuses what was opened and is no regular file.
func regular(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return &IrregularError{path, info.Mode()}
	}
	return nil
}

// syncDir makes the names in an open folder durable. Some file systems cannot do that; a
// rename is done all the same.
func syncDir(dir *os.File) error {
	err := dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}
