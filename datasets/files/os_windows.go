package files

import (
	"errors"
	"io/fs"
	"os"
)

// Safely and withoutWaiting are nothing: Windows has no such flags.
const (
	Safely         = 0
	withoutWaiting = 0
)

// regular refuses what was opened and is no regular file, or was opened through a link.
func regular(path string, info fs.FileInfo) error {
	link, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !link.Mode().IsRegular():
		return &IrregularError{path, link.Mode()}
	case !os.SameFile(link, info):
		return errors.New(path + ": the file was replaced while it was opened")
	}
	return nil
}

// syncDir does nothing: Windows has no way to sync a folder.
func syncDir(*os.File) error { return nil }
