package rundir

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"dgplab/datasets/files"
)

// ErrRunning is wrapped by errors about a run that has a writer already.
var ErrRunning = errors.New("the run is being written; it has to end first")

// Lock makes the caller the only writer of the run in dir, or of another folder
// that is kept as run directories are, until what it returns is closed, or the
// process dies. The error wraps ErrRunning when there is a writer already. Whoever
// merely looks whether a run is alive holds a shared lock for an instant, so a lock
// that is taken is tried again for a while.
func Lock(dir string) (io.Closer, error) {
	return takeLock(filepath.Join(dir, lockName), 200*time.Millisecond)
}

// takeLock locks a file, which is made if there is none, for the caller alone. After
// trying for the given time the error wraps ErrRunning.
func takeLock(path string, patience time.Duration) (io.Closer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	file := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|files.Safely), flock.SetPermissions(files.Mode))
	_, err := file.TryLockContext(ctx, 10*time.Millisecond)
	dir := filepath.Dir(path)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: %w", filepath.Base(dir), ErrRunning)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w; where its file system has no locks, set DGPLAB_RUNS to a folder of another one", dir, err)
	}
	return file, nil
}

// Locked reports whether the folder dir has a writer, in this process or in another
// one.
func Locked(dir string) bool {
	file := flock.New(filepath.Join(dir, lockName), flock.SetFlag(os.O_RDONLY|files.Safely)) // which makes no file
	defer file.Close()
	free, err := file.TryRLock()
	switch {
	case err == nil:
		return !free
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return false
	}
	var unopened *fs.PathError
	if !errors.As(err, &unopened) {
		return false // Its file system has no locks.
	}
	info, err := os.Lstat(unopened.Path)
	return err != nil || info.Mode().IsRegular() // Nobody locks another thing.
}
