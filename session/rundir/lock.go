package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// ErrRunning is wrapped by errors about a run that has a writer already.
var ErrRunning = errors.New("the run is being written by another process or window")

// Lock makes the caller the only writer of the run in dir, or of another folder
// that is kept as run directories are, until the file that it returns is closed.
// The error wraps ErrRunning when there is a writer already. Whoever merely looks
// whether a run is alive holds a shared lock for an instant, so a lock that is taken
// is tried again for a while.
func Lock(dir string) (*os.File, error) {
	return takeLock(filepath.Join(dir, lockName), 20)
}

// takeLock locks a file, which is made if there is none, for the caller alone, until
// it is closed. A lock that is taken is tried again, a hundred times a second; after
// that the error wraps ErrRunning.
func takeLock(path string, tries int) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	for range tries {
		var ok bool
		if ok, err = tryLock(file, false); ok {
			return file, nil
		}
		if err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	file.Close()
	dir := filepath.Dir(path)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	return nil, fmt.Errorf("%s: %w", filepath.Base(dir), ErrRunning)
}

// Locked reports whether the folder dir has a writer, in this process or in
// another one.
func Locked(dir string) bool {
	file, err := os.Open(filepath.Join(dir, lockName))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission)
	}
	defer file.Close()
	ok, err := tryLock(file, true)
	return !ok && err == nil
}
