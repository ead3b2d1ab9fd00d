package files

import (
	"errors"
	"io/fs"
	"os"
)

// SafeFlags and nonBlocking are 0 because Windows has no such flags.
const (
	SafeFlags   = 0
	nonBlocking = 0
)

// regular returns an error unless the opened file is a regular file that was not opened through a
// link.
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

// syncDir does nothing because Windows cannot sync a folder.
func syncDir(*os.File) error { return nil }

// Links returns 1, because a FileInfo of Windows does not hold the number of hard links.
func Links(fs.FileInfo) int { return 1 }
