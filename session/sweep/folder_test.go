//go:build !windows

package sweep

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// Nothing is written through a link in place of the folder of all sweeps or of a sweep.
func TestSweepsAreNotWrittenThroughLinks(t *testing.T) {
	for _, linked := range []string{folderName, filepath.Join(folderName, "a")} {
		isolate(t)
		root, err := rundir.Root()
		if err != nil {
			t.Fatal(err)
		}
		outside := t.TempDir()
		path := filepath.Join(root, linked)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink(outside, path)); err != nil {
			t.Skip(err)
		}
		_, err = start(context.Background(), smallGrid(), Options{Name: "a"}, newFakeWorld().dependencies())
		if err == nil || !strings.HasSuffix(err.Error(), ": a link, which is not followed") {
			t.Errorf("%s is a link: error %v", linked, err)
		}
		if names, _ := filepath.Glob(filepath.Join(outside, "*")); names != nil {
			t.Errorf("%s is a link: %q was written", linked, names)
		}
	}
}

// No further runs start after another process has taken the lock.
func TestASweepWhoseLockIsTaken(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	s := begin(t, w, Options{Name: "a", Jobs: 1})
	first := w.next(t)
	if err := os.Remove(filepath.Join(s.Latest().Dir, "lock")); err != nil {
		t.Fatal(err)
	}
	other, err := lockFolder("a")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	first.end(rundir.StopSteps)
	last := s.Wait()
	if last.Count(Done) != 1 || last.Count(Stopped) != len(last.Cells)-1 ||
		!errors.Is(last.Cells[1].Err, rundir.ErrRunning) {
		t.Errorf("%s, %v", counts(last), last.Cells[1].Err)
	}
}

// An export of several runs of one sweep goes into the folder of the sweep. The folder for runs of
// several sweeps has a name that does not depend on the order of the runs.
func TestPlacesOfExports(t *testing.T) {
	isolate(t)
	if _, err := rundir.OpenFolder(folderName, "a"); err != nil {
		t.Fatal(err)
	}
	run := func(id, sweep string) rundir.Info {
		return rundir.Info{ConfigFile: rundir.ConfigFile{ID: id, Sweep: sweep}}
	}
	place := func(runs ...rundir.Info) string {
		place, err := placeOf(runs)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(place, "/")
	}
	if got := place(run("x", "a"), run("y", "a")); got != folderName+"/a" {
		t.Errorf("runs of a sweep: %s", got)
	}
	mixed := place(run("x", "a"), run("y", "b"), run("z", ""))
	if mixed != place(run("z", ""), run("y", "b"), run("x", "a")) ||
		!strings.HasPrefix(mixed, comparisonsName+"/x-and-2-more-") {
		t.Errorf("runs of several sweeps: %s", mixed)
	}
	got := place(run("x", "gone"), run("y", "gone"))
	if !strings.HasPrefix(got, comparisonsName+"/x-and-1-") {
		t.Errorf("runs of a sweep without a folder: %s", got)
	}
}
