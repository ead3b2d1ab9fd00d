package rundir

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes the lock of file without waiting: for the writer alone, or shared
// with others that merely look. It returns false when that would have to wait.
// The lock ends when the file is closed, also by the death of the process.
func tryLock(file *os.File, shared bool) (bool, error) {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !shared {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// syncDir does nothing: Windows has no way to sync a folder.
func syncDir(string) error { return nil }
