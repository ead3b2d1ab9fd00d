//go:build !windows

package rundir

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// linkedOutside gives a file of a run a second name outside the run, as a backup by "cp -al" does.
func linkedOutside(t *testing.T, dir, name string) (outside string) {
	t.Helper()
	outside = filepath.Join(t.TempDir(), name)
	err := os.Link(filepath.Join(dir, name), outside)
	if err != nil {
		t.Skip(err) // The file system has no hard links.
	}
	return outside
}

// wantText fails the test unless a file has a text.
func wantText(t *testing.T, when, path, want string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || string(text) != want {
		t.Errorf("%s: %s holds %q (%v), want %q", when, path, text, err, want)
	}
}

// A lock file that is a hard link to a file outside never changes that file: not when the folder is locked,
// not by a heartbeat, and not when the lock is released. The lock works all the same.
func TestLockFileWithHardLinks(t *testing.T) {
	const text = "a file of somebody else\n"
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(outside, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, lockName)
	if err := os.Link(outside, path); err != nil {
		t.Skip(err)
	}
	lock, err := LockDir(folder(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "after locking", outside, text)
	if !Locked(dir) {
		t.Error("the folder is not locked")
	}
	if again, err := lock.Keep(); again || err != nil {
		t.Errorf("the new lock file is not the locked one: again %v, %v", again, err)
	}
	// The same happens while the folder is locked.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(outside, path); err != nil {
		t.Fatal(err)
	}
	if mine, err := touch(lock.dir, lock.owner); !mine || err != nil {
		t.Errorf("heartbeat: the folder is owned %v, %v", mine, err)
	}
	wantText(t, "after a heartbeat", outside, text)
	if again, err := lock.Keep(); !again || err != nil {
		t.Errorf("the lock file was replaced: again %v, %v; want true", again, err)
	}
	if _, err := LockDir(folder(t, dir)); err == nil {
		t.Error("a second process locks the folder, too")
	}
	backup := linkedOutside(t, dir, lockName)
	record, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	if mine, err := touch(lock.dir, lock.owner); !mine || err != nil {
		t.Errorf("heartbeat after a backup: the folder is owned %v, %v", mine, err)
	}
	if again, err := lock.Keep(); again || err != nil {
		t.Errorf("a backup makes the run lock its folder again: %v, %v", again, err)
	}
	if err := lock.Close(); err != nil {
		t.Error(err)
	}
	wantText(t, "after the release", backup, string(record))
	wantText(t, "after the release", outside, text)
	wantText(t, "after the release", path, "")
	if Locked(dir) {
		t.Error("the folder is locked after the release")
	}
}

// Deleting a run does not empty a file outside to which its lock is a hard link.
func TestTrashWithHardLinkedLock(t *testing.T) {
	w := writing(t)
	dir, id := w.Dir(), filepath.Base(w.Dir())
	if err := w.CloseLog(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const text = "a file of somebody else\n"
	path := filepath.Join(dir, lockName)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	outside := linkedOutside(t, dir, lockName)
	if err := Trash(id); err != nil {
		t.Fatal(err)
	}
	wantText(t, "after deleting the run", outside, text)
}

// A backup of a report by a hard link keeps its lines while the run appends, replaces, cuts and continues.
func TestReportWithHardLinks(t *testing.T) {
	w := writing(t)
	dir, id := w.Dir(), filepath.Base(w.Dir())
	if err := w.Sync(); err != nil {
		t.Fatal(err)
	}
	offset := w.log.offset
	first := linkedOutside(t, dir, metricsName)
	three, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	lines(t, w, 4)
	wantText(t, "after a line was appended", first, string(three))
	second := linkedOutside(t, dir, metricsName)
	four, err := os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	lines(t, w, 4, 5)
	if err := w.CloseLog(); err != nil {
		t.Fatal(err)
	}
	if notices := w.TakeNotices(); len(notices) > 0 {
		t.Errorf("a backup is reported as a change: %q", notices)
	}
	if got := stepsIn(t, dir); !slices.Equal(got, []int{1, 2, 3, 4, 5}) {
		t.Errorf("the report has the steps %v, want 1 to 5", got)
	}
	third := linkedOutside(t, dir, metricsName)
	five, err := os.ReadFile(third)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w, err = Reopen(id)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Continue(offset); err != nil { // A checkpoint with three lines.
		t.Fatal(err)
	}
	if err := w.Forget(nil); err != nil {
		t.Fatal(err)
	}
	if got := stepsIn(t, dir); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("the continued report has the steps %v, want 1 to 3", got)
	}
	wantText(t, "in the end", first, string(three))
	wantText(t, "in the end", second, string(four))
	wantText(t, "in the end", third, string(five))
}
