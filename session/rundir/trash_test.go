package rundir

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestTrash(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	if list, err := Trashed(); err != nil || len(list) != 0 {
		t.Fatalf("without a trash: %v, %v", list, err)
	}
	dir := runDir(t, "20250101-a", nil)
	runDir(t, "20250102-b", nil)
	if err := Annotate("20250101-a", func(n *Notes) { n.Name = "old" }); err != nil {
		t.Fatal(err)
	}
	count := func(when string, wantRuns, wantTrashed int) {
		t.Helper()
		runs, err := List()
		trashed, err2 := Trashed()
		if err != nil || err2 != nil || len(runs) != wantRuns || len(trashed) != wantTrashed {
			t.Errorf("%s: %d runs, %d in the trash, %v, %v; want %d and %d",
				when, len(runs), len(trashed), err, err2, wantRuns, wantTrashed)
		}
	}
	if err := Trash("old"); err != nil {
		t.Fatal(err)
	}
	count("in the trash", 1, 1)
	if _, err := Find("20250101-a"); err == nil {
		t.Error("Find returns a run in the trash")
	}
	// Another run with the same ID is not overwritten.
	runDir(t, "20250101-a", nil)
	if err := Untrash("old"); err == nil {
		t.Error("a run was overwritten")
	}
	if err := Trash("20250101-a"); err == nil {
		t.Error("a run in the trash was overwritten")
	}
	count("two runs with the same ID", 2, 1)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := Untrash("20250101"); err != nil {
		t.Fatal(err)
	}
	count("brought back", 2, 0)
	if info, err := Find("old"); err != nil || info.Dir != dir {
		t.Errorf("brought back to %s, %v", info.Dir, err)
	}
	if err := Untrash("20250101-a"); err == nil {
		t.Error("brought back twice")
	}
}

func TestTrashRefusesRunning(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	dir := runDir(t, "20250101-a", nil)
	lock, err := LockDir(folder(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if err := Trash("20250101-a"); !errors.Is(err, ErrRunning) {
		t.Errorf("a running run: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, configName)); err != nil {
		t.Error(err)
	}
	lock.Close()
	if err := Trash("20250101-a"); err != nil {
		t.Error(err)
	}
}
