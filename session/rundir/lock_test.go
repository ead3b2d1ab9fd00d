package rundir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

func TestLock(t *testing.T) {
	dir := t.TempDir()
	if Locked(dir) {
		t.Error("a folder without a lock file is locked")
	}
	lock, err := LockDir(folder(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if !Locked(dir) {
		t.Error("the lock is not detected")
	}
	if _, err := LockDir(folder(t, dir)); !errors.Is(err, ErrRunning) {
		t.Errorf("a second writer: %v", err)
	}
	lock.Close()
	// Concurrent checks affect neither one another nor a writer.
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 200 {
				if Locked(dir) {
					t.Error("an idle run looks locked")
					return
				}
			}
		})
	}
	group.Wait()
	again, err := LockDir(folder(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

// A process that reads the lock of a new run, and is suspended meanwhile, delays the run and does not refuse
// it.
func TestNewRunWaitsForReaders(t *testing.T) {
	dir := folder(t, t.TempDir())
	reader := flock.New(filepath.Join(dir.Path(), lockName), flock.SetFlag(os.O_CREATE|os.O_RDWR))
	free, err := reader.TryRLock()
	if !free || err != nil {
		t.Fatal(free, err)
	}
	created := make(chan error, 1)
	w := &Writer{id: "a", dir: dir, path: dir.Path()}
	go func() { created <- w.initialize(&ConfigFile{ID: "a"}) }()
	select {
	case err := <-created:
		t.Fatalf("the run was not created: %v; want it to wait for the reader", err)
	case <-time.After(3 * readerPatience):
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-created; err != nil {
		t.Fatalf("after the reader: %v", err)
	}
	w.log.close()
	w.Close()
}

// A lock whose file was removed is taken again. After Close, this process owns nothing in the folder.
func TestLockIsTakenAgain(t *testing.T) {
	tokens := func() (n int) {
		ownTokens.Range(func(any, any) bool {
			n++
			return true
		})
		return n
	}
	before := tokens()
	dir := t.TempDir()
	lock, err := LockDir(folder(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, lockName)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		again, err := lock.Keep()
		if err != nil || again != want {
			t.Errorf("locked again: %v, %v, want %v", again, err, want)
		}
	}
	if err := lock.Close(); err != nil || tokens() != before {
		t.Errorf("%v; %d owned folders, want %d", err, tokens(), before)
	}
}

// A lock file that cannot be locked again is an error, and so is the lock of a removed folder.
func TestLockErrors(t *testing.T) {
	dir := t.TempDir()
	open := folder(t, dir)
	lock, err := LockDir(open)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	path := filepath.Join(dir, lockName)
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o755)); err != nil {
		t.Fatal(err)
	}
	again, err := lock.Keep()
	if again || err == nil ||
		!strings.HasPrefix(err.Error(), "the lock file was removed or replaced: lock ") {
		t.Errorf("kept %v, %v", again, err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := lock.Keep(); err == nil || err.Error() != "the lock file was removed" {
		t.Errorf("kept in a removed folder: %v", err)
	}
	_, err = LockDir(open)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "lock "+dir) {
		t.Errorf("locked in a removed folder: %v", err)
	}
}

// If the file system has no locks, the error tells the user to choose another folder.
func TestNoLocksError(t *testing.T) {
	err := error(&noLocksError{"/runs", syscall.ENOLCK})
	if !errors.Is(err, errNoLocks) || !strings.HasPrefix(err.Error(), "lock /runs: no locks available; ") ||
		!strings.Contains(err.Error(), "set DGPLAB_RUNS") {
		t.Errorf("error %v", err)
	}
	for _, c := range []struct {
		err  error
		want bool
	}{
		{syscall.ENOLCK, true}, {syscall.EINVAL, true}, {syscall.ENOTSUP, true},
		{syscall.EACCES, false}, {syscall.ENOENT, false}, {syscall.EWOULDBLOCK, false},
	} {
		if got := unsupported(&fs.PathError{Op: "flock", Err: c.err}); got != c.want {
			t.Errorf("%v: unsupported is %v", c.err, got)
		}
	}
}
