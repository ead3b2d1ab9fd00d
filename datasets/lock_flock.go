//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package datasets

import (
	"errors"
	"os"
	"syscall"

	"dgplab/datasets/files"
)

// tryLock takes the lock file at path. It returns errHeld if another process holds it. The system
// releases the lock when the process ends for any reason.
func tryLock(path string) (release func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|files.SafeFlags, files.Mode)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		switch {
		case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, syscall.EINTR):
			return nil, errHeld
		default: // the file system does not support locks
			return nil, errNoLocks
		}
	}
	return func() { _ = file.Close() }, nil
}
