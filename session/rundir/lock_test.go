package rundir

import (
	"errors"
	"sync"
	"testing"
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
