package rundir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
	elsewhere := filepath.Join(t.TempDir(), "20250101-b")
	if err := os.Mkdir(elsewhere, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(elsewhere, configName), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(elsewhere); err == nil ||
		!strings.Contains(err.Error(), "DGPLAB_RUNS="+filepath.Dir(elsewhere)) {
		t.Errorf("a run of another folder: %v", err)
	}
	if got, err := FindReadOnly(elsewhere); err != nil || got.Dir != elsewhere {
		t.Errorf("a run of another folder, to read: %q, %v", got.Dir, err)
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
