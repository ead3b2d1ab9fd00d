package rundir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"dgplab/datasets/files"
)

// ErrRunning is wrapped by errors about a run that has a writer already.
var ErrRunning = errors.New("the run is being written; it has to end first")

// Lock is the right to write a folder. It holds as long as the process lives, until Close.
type Lock struct {
	dir  files.Dir
	held []*flock.Flock
	file fs.FileInfo // that of the last one
}

// LockDir makes the caller the only writer of a run directory, or of another folder
// that is kept as run directories are. The error wraps ErrRunning when there is a writer
// already. Whoever merely looks whether a run is alive holds a shared lock for an instant, so
// a lock that is taken is tried again for a while. The folder stays open until Close.
func LockDir(dir files.Dir) (*Lock, error) {
	l := &Lock{dir: dir}
	return l, l.take()
}

// take locks the lock file that is in the folder now.
func (l *Lock) take() error {
	lock, err := takeLock(filepath.Join(l.dir.Path(), lockName), 200*time.Millisecond)
	if err != nil {
		return err
	}
	locked, err := lock.Stat()
	if err == nil {
		l.file, err = l.dir.Lstat(lockName)
	}
	if err == nil && !os.SameFile(locked, l.file) {
		err = fmt.Errorf("lock %s: it was replaced meanwhile", l.dir.Path())
	}
	if err != nil {
		lock.Close()
		return err
	}
	l.held = append(l.held, lock)
	return nil
}

// Keep makes sure that the lock file in the folder is still the one that is locked. One that was
// removed or exchanged is locked anew, and again is true. The error wraps ErrRunning where another
// process was faster: the caller must write no more.
func (l *Lock) Keep() (again bool, err error) {
	now, err := l.dir.Lstat(lockName)
	if err == nil && os.SameFile(now, l.file) {
		return false, nil
	}
	if !inPlace(l.dir) {
		return false, errors.New("its lock file was removed")
	}
	err = l.take()
	switch {
	case errors.Is(err, ErrRunning):
		return false, takenError{}
	case err != nil:
		return false, fmt.Errorf("its lock file was removed or replaced: %w", err)
	}
	return true, nil
}

// takenError is about a folder that another process has locked meanwhile.
type takenError struct{}

func (takenError) Error() string {
	return "another process writes it, after its lock file was removed or replaced"
}

// Unwrap returns ErrRunning.
func (takenError) Unwrap() error { return ErrRunning }

// Close gives the lock back.
func (l *Lock) Close() error {
	var failed []error
	for _, lock := range l.held {
		failed = append(failed, lock.Close())
	}
	return errors.Join(failed...)
}

// inPlace reports whether a folder still has the path at which it was opened.
func inPlace(dir files.Dir) bool {
	own, err := dir.Lstat(".")
	if err != nil {
		return false
	}
	there, err := os.Lstat(dir.Path())
	return err == nil && os.SameFile(own, there)
}

// takeLock locks a file, which is made if there is none, for the caller alone. After
// trying for the given time the error wraps ErrRunning.
func takeLock(path string, patience time.Duration) (*flock.Flock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	file := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|files.Safely),
		flock.SetPermissions(files.Mode))
	_, err := file.TryLockContext(ctx, 10*time.Millisecond)
	dir := filepath.Dir(path)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: %w", filepath.Base(dir), ErrRunning)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	case err != nil:
		return nil,
			fmt.Errorf("lock %s: %w; where its file system has no locks, set DGPLAB_RUNS to a folder of "+
				"another one", dir, err)
	}
	return file, nil
}

// Locked reports whether the folder dir has a writer, in this process or in another
// one.
func Locked(dir string) bool {
	// which makes no file
	file := flock.New(filepath.Join(dir, lockName), flock.SetFlag(os.O_RDONLY|files.Safely))
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
