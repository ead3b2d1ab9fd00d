package tui

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Workbenches that end at the same time save a whole state, and none loses the recent files of another.
func TestWorkbenchesSaveAtTheSameTime(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	var paths []string
	var group sync.WaitGroup
	for i := range kit.MaxRecentFiles {
		path := filepath.Join(dir, fmt.Sprintf("%d.csv", i))
		if err := os.WriteFile(path, []byte("a,b\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
		a := withOptions(Options{Config: rundir.Config{Dataset: path}, Given: true})
		group.Go(func() {
			for range 10 {
				if err := a.save(); err != nil {
					t.Errorf("save: %v", err)
				}
			}
		})
	}
	group.Wait()
	var state struct{ Files []string }
	if err := json.Unmarshal(loadState()["setup"], &state); err != nil {
		t.Fatalf("the state is not whole: %v", err)
	}
	slices.Sort(state.Files)
	if !slices.Equal(state.Files, paths) {
		t.Errorf("saved the recent files %q, want the files of all workbenches: %q", state.Files, paths)
	}
}

func TestSavedState(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_STATE_HOME", folder)
	if got := loadState(); got == nil || len(got) != 0 {
		t.Fatalf("state %v without a file", got)
	}
	want := SavedState{"dash": json.RawMessage(`{"zoomed":true}`)}
	if err := want.Save(); err != nil {
		t.Fatal(err)
	}
	var look struct{ Zoomed bool }
	if got := loadState(); json.Unmarshal(got["dash"], &look) != nil || !look.Zoomed {
		t.Fatalf("remembered %s", got["dash"])
	}
	files, _ := os.ReadDir(filepath.Join(folder, "dgplab"))
	if len(files) != 1 {
		t.Fatalf("files left: %v", files)
	}
	for _, damaged := range []string{"{", "null", "[1]"} {
		if err := os.WriteFile(filepath.Join(folder, "dgplab", "workbench.json"),
			[]byte(damaged), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := loadState(); got == nil || len(got) != 0 {
			t.Errorf("from %q the state is %v", damaged, got)
		}
	}
}

// Every failure to save the state is reported, and the old state is kept.
func TestStateNotSaved(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_STATE_HOME", folder)
	old := SavedState{"dash": json.RawMessage(`1`)}
	if err := old.Save(); err != nil {
		t.Fatal(err)
	}
	damaged := SavedState{"dash": json.RawMessage(`{`)}
	if err := damaged.Save(); err == nil || !strings.HasPrefix(err.Error(), "save the workbench state: ") {
		t.Errorf("a screen with invalid JSON: %v", err)
	}
	if got := loadState(); !reflect.DeepEqual(got, old) {
		t.Errorf("after the error: %v", got)
	}
	t.Setenv("XDG_STATE_HOME", filepath.Join(folder, "dgplab", "workbench.json")) // a file
	if err := old.Save(); err == nil || !strings.HasPrefix(err.Error(), "save the workbench state: ") {
		t.Errorf("no folder: %v", err)
	}
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", "")
	if err := old.Save(); err == nil {
		t.Error("no error without a home folder")
	}
	if got := loadState(); got == nil || len(got) > 0 {
		t.Errorf("state %v without a home folder", got)
	}
}
