package rundir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"dgplab/datasets/files"
)

// ErrRunning is wrapped by errors about a run that already has a writer.
var ErrRunning = errors.New("in use by a running process; stop it first")

// Lock is an exclusive lock of a folder, held until Close or the end of the process. It consists of an
// operating-system lock, if the file system supports it, and of the owner's record in the lock file, with a
// heartbeat.
type Lock struct {
	dir   files.Dir
	held  []*flock.Flock
	file  fs.FileInfo // the last locked file
	owner *Owner      // the record of this process; nil after Close
	stop  func()      // stops the heartbeat
}

// LockDir takes the exclusive lock of a run directory or a similar folder. The error wraps ErrRunning if
// there is already a writer. LockDir retries for a short time, because Locked briefly holds a shared lock.
// The caller must keep dir open until Close.
//
// A lock whose owner died on this machine is taken immediately. If the owner is on another machine, LockDir
// returns a *HeldError until this process has seen no heartbeat for beatPatience. It does not wait; the
// caller must try again.
func LockDir(dir files.Dir) (*Lock, error) { return lockWithin(dir, readerPatience) }

// The times for which a lock is tried again that another process holds.
const (
	// readerPatience suffices for Locked on most machines.
	readerPatience = 200 * time.Millisecond
	// newPatience is the time for the lock of a new folder, which only readers can hold. On a busy machine
	// the system can suspend a reader for seconds.
	newPatience = time.Minute
)

// lockWithin is LockDir with the time for which it retries.
func lockWithin(dir files.Dir, patience time.Duration) (*Lock, error) {
	l := &Lock{dir: dir, stop: func() {}}
	err := l.take(patience)
	if err != nil {
		l.Close()
	}
	return l, err
}

// take locks the current lock file of the folder.
func (l *Lock) take(patience time.Duration) error {
	path := filepath.Join(l.dir.Path(), lockName)
	lock, err := takeLock(path, patience)
	flocked := err == nil
	if ownersRecorded && errors.Is(err, errNoLocks) {
		err = nil // The owner's record must suffice.
	}
	if err != nil {
		return err
	}
	locked, err := lock.Stat()
	if err == nil {
		l.file, err = l.dir.Lstat(lockName)
	}
	if err == nil && !os.SameFile(locked, l.file) {
		err = fmt.Errorf("lock %s: the lock file was replaced", l.dir.Path())
	}
	if err == nil && ownersRecorded {
		err = l.own(flocked)
	}
	if err != nil {
		lock.Close()
		return err
	}
	l.held = append(l.held, lock)
	if files.Links(l.file) > 1 { // own has replaced it by a copy, which nobody has locked.
		l.file, err = l.dir.Lstat(lockName)
		if err == nil {
			lock, err = takeLock(path, 200*time.Millisecond)
		}
		if err != nil && !errors.Is(err, errNoLocks) {
			return err
		}
		l.held = append(l.held, lock)
	}
	if ownersRecorded {
		l.stop()
		stop := make(chan struct{})
		l.stop = sync.OnceFunc(func() { close(stop) })
		go l.beat(l.owner, beatPeriod, stop)
	}
	return nil
}

// Keep checks that the lock file in the folder is still the locked one. If it was removed or replaced, Keep
// locks the new file and again is true. The error wraps ErrRunning if another process locked the file first
// or has become the owner. The caller must then stop writing.
func (l *Lock) Keep() (again bool, err error) {
	now, err := l.dir.Lstat(lockName)
	if err == nil && os.SameFile(now, l.file) {
		if !ownersRecorded || l.owner == nil {
			return false, nil
		}
		if o, _, err := readOwner(l.dir); err == nil && o != nil && o.Token != l.owner.Token {
			return false, overtakenError{o}
		}
		return false, nil
	}
	if !inPlace(l.dir) {
		return false, errors.New("the lock file was removed")
	}
	err = l.take(readerPatience)
	switch {
	case errors.Is(err, ErrRunning):
		return false, takenError{}
	case err != nil:
		return false, fmt.Errorf("the lock file was removed or replaced: %w", err)
	}
	return true, nil
}

// takenError is the error if another process has locked the folder.
type takenError struct{}

func (takenError) Error() string {
	return "another process has locked it after the lock file was removed or replaced"
}

// Unwrap returns ErrRunning.
func (takenError) Unwrap() error { return ErrRunning }

// overtakenError is the error if another process has become the owner of the folder because it saw no
// heartbeat.
type overtakenError struct{ owner *Owner }

func (e overtakenError) Error() string {
	return "it was taken over by " + e.owner.String() + ", which has seen no heartbeat from this process"
}

// Unwrap returns ErrRunning.
func (overtakenError) Unwrap() error { return ErrRunning }

// Close releases the lock.
func (l *Lock) Close() error {
	l.stop()
	l.release()
	var failed []error
	for _, lock := range l.held {
		failed = append(failed, lock.Close())
	}
	return errors.Join(failed...)
}

// inPlace reports whether a folder is still at the path at which it was opened.
func inPlace(dir files.Dir) bool {
	own, err := dir.Lstat(".")
	if err != nil {
		return false
	}
	there, err := os.Lstat(dir.Path())
	return err == nil && os.SameFile(own, there)
}

// takeLock creates a file if it is missing and locks it exclusively. After retrying for the given
// time it returns an error that wraps ErrRunning.
func takeLock(path string, patience time.Duration) (*flock.Flock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	file := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|files.SafeFlags),
		flock.SetPermissions(files.Mode))
	_, err := file.TryLockContext(ctx, 10*time.Millisecond)
	if errors.Is(err, fs.ErrPermission) { // Another user has created the file. Locking does not change it.
		file = flock.New(path, flock.SetFlag(os.O_RDONLY|files.SafeFlags))
		_, err = file.TryLockContext(ctx, 10*time.Millisecond)
	}
	dir := filepath.Dir(path)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: %w", filepath.Base(dir), ErrRunning)
	case unsupported(err):
		return file, &noLocksError{dir, err}
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	return file, nil
}

// unsupported reports whether an error means that the file system does not support locks.
func unsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) ||
		errors.Is(err, syscall.EINVAL)
}

// errNoLocks is wrapped by noLocksError.
var errNoLocks = errors.New("the file system does not support locks")

// noLocksError is the error from locking a file on a file system without locks.
type noLocksError struct {
	dir string
	err error
}

func (e *noLocksError) Error() string {
	return fmt.Sprintf("lock %s: %v; if the file system does not support locks, "+
		"set DGPLAB_RUNS to a folder on another one", e.dir, e.err)
}

// Unwrap returns errNoLocks.
func (*noLocksError) Unwrap() error { return errNoLocks }

// Locked reports whether dir has a writer in this or another process, on this or another machine. A writer on
// another machine counts while its last heartbeat is recent.
func Locked(dir string) bool {
	// Open without O_CREATE: checking must not create a lock file.
	file := flock.New(filepath.Join(dir, lockName), flock.SetFlag(os.O_RDONLY|files.SafeFlags))
	defer file.Close()
	free, err := file.TryRLock()
	switch {
	case err == nil && !free:
		return true
	case err == nil:
		return ownedElsewhere(file)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return false
	}
	var unopened *fs.PathError
	if !errors.As(err, &unopened) { // The file system does not support locks.
		return ownedElsewhere(file)
	}
	info, err := os.Lstat(unopened.Path)
	return err != nil || info.Mode().IsRegular() // Only regular files are locked.
}
