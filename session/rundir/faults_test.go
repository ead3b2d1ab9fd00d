//go:build unix

package rundir

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Without a folder for runs, and with a file in its place, every function returns an error.
func TestNoFolderForRuns(t *testing.T) {
	calls := func() map[string]error {
		_, list := List()
		_, find := Find("run")
		_, latest := Find(Latest)
		_, earlier := Find(Latest + "~2")
		_, path := Find("./run")
		_, readOnly := FindReadOnly("./run")
		_, readOnlyByID := FindReadOnly("run")
		_, trashed := Trashed()
		_, opened := OpenFolder("a")
		_, _, made := makeDir(Config{}, time.Now())
		_, _, newest := new(Lister).Newest(3)
		_, reopened := Reopen("run")
		_, created := Create(&ConfigFile{}, time.Now())
		return map[string]error{
			"List": list, "Find": find, "latest": latest, "latest~2": earlier, "path": path,
			"FindReadOnly": readOnly, "FindReadOnly by ID": readOnlyByID,
			"Trashed": trashed, "OpenFolder": opened,
			"makeDir": made, "Newest": newest, "Reopen": reopened, "Create": created,
			"Trash": Trash("run"), "Untrash": Untrash("run"),
			"Annotate": Annotate("run", func(*Notes) {}),
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DGPLAB_RUNS", file)
	for call, err := range calls() {
		if !errors.Is(err, syscall.ENOTDIR) {
			t.Errorf("a file in the way: %s: %v", call, err)
		}
	}
	for _, name := range []string{"DGPLAB_RUNS", "XDG_DATA_HOME", "HOME"} {
		t.Setenv(name, "")
	}
	for call, err := range calls() {
		if err == nil || !strings.Contains(err.Error(), "set DGPLAB_RUNS") {
			t.Errorf("no folder: %s: %v", call, err)
		}
	}
}
