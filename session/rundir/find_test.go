package rundir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Latest selects runs in the order of List, even for runs of the same second.
func TestFindLatest(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	c := Config{Dataset: "steps", Family: "svgp"}
	start := time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)
	for i := range 20 {
		w, err := Create(&ConfigFile{Config: c}, start.Add(time.Duration(i)*100*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		w.Close()
	}
	runs, err := List()
	if err != nil {
		t.Fatal(err)
	}
	for i, run := range runs {
		if got, err := Find(fmt.Sprintf("latest~%d", i)); err != nil || got.ID != run.ID {
			t.Errorf("latest~%d is %s, %v; want %s", i, got.ID, err, run.ID)
		}
	}
	if got, err := Find(Latest); err != nil || got.ID != runs[0].ID {
		t.Errorf("%s, %v; want %s", got.ID, err, runs[0].ID)
	}
	for _, id := range []string{"latest~20", "latest~", "latest~-1", "latest~x", "latest1"} {
		if got, err := Find(id); !errors.Is(err, ErrNoRun) {
			t.Errorf("%s is %s, %v", id, got.ID, err)
		}
	}
	if err := CheckName("latest~3"); err == nil {
		t.Error("a run can be named latest~3")
	}
}

// Finding a run by its full ID does not list the folder.
func TestFindByIDDoesNotReadTheFolder(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	want := runDir(t, "20250101-a", nil)
	runDir(t, "20250101-ab", nil)
	reads := 0
	readDir = func(dir string) ([]os.DirEntry, error) { reads++; return os.ReadDir(dir) }
	defer func() { readDir = os.ReadDir }()
	if got, err := Find("20250101-a"); err != nil || got.Dir != want || reads != 0 {
		t.Errorf("%q after reading the folder %d times, %v; want %q", got.Dir, reads, err, want)
	}
	if got, err := Find("20250101-ab"); err != nil || got.ID != "20250101-ab" {
		t.Errorf("%q, %v", got.ID, err)
	}
	if _, err := Find("20250101"); err == nil || reads != 1 {
		t.Errorf("the beginning of two IDs: %v, the folder was read %d times", err, reads)
	}
	for _, path := range []string{want, want + "/", filepath.Dir(want) + "/x/../20250101-a"} {
		if got, err := Find(path); err != nil || got.Dir != want {
			t.Errorf("%q means %q, %v; want %q", path, got.Dir, err, want)
		}
	}
	for _, later := range []struct {
		entries []os.DirEntry
		err     error
		want    string
	}{{nil, errDisk, errDisk.Error()}, {nil, nil, "no run latest~0 in "}} {
		reads = 0
		readDir = func(dir string) ([]os.DirEntry, error) {
			reads++
			if reads > 1 {
				return later.entries, later.err
			}
			return os.ReadDir(dir)
		}
		if _, err := Find(Latest); err == nil || !strings.HasPrefix(err.Error(), later.want) {
			t.Errorf("the runs were removed in the meantime: %v, want %s", err, later.want)
		}
	}
	readDir = os.ReadDir
	elsewhere := filepath.Join(t.TempDir(), "20250101-b")
	if err := os.Mkdir(elsewhere, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(elsewhere, configName), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(elsewhere); err == nil ||
		!strings.Contains(err.Error(), "DGPLAB_RUNS="+filepath.Dir(elsewhere)) {
		t.Errorf("a run in another folder: %v", err)
	}
	if got, err := FindReadOnly(elsewhere); err != nil || got.Dir != elsewhere {
		t.Errorf("a run in another folder, read-only: %q, %v", got.Dir, err)
	}
	if _, err := FindReadOnly(filepath.Dir(elsewhere)); err == nil {
		t.Error("a folder without a config.json is a run")
	}
	// Anything that is not a directory in this folder is not a run.
	if err := os.WriteFile(filepath.Join(filepath.Dir(want), "2024"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"2024", ".", "..", "20250101-a/.",
		"../" + filepath.Base(filepath.Dir(want)) + "/20250101-a"} {
		if got, err := Find(id); err == nil {
			t.Errorf("%q means %s", id, got.Dir)
		}
	}
}
