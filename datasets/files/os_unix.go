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

// syncDir makes a rename within dir durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	// Some file systems cannot sync a folder; the rename is done all the same.
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}
