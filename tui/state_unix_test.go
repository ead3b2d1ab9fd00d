//go:build unix

package tui

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A state file that is not a small regular file is an empty state.
func TestHostileState(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"zeros":  func(path string) error { return os.Symlink("/dev/zero", path) },
		"folder": func(path string) error { return os.Mkdir(path, 0o755) },
		"sparse": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 8<<30))
		},
	} {
		t.Setenv("XDG_STATE_HOME", t.TempDir())
		path := filepath.Join(os.Getenv("XDG_STATE_HOME"), "dgplab", "workbench.json")
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o755), put(path)); err != nil {
			t.Fatal(err)
		}
		if state := loadState(); state == nil || len(state) > 0 {
			t.Errorf("%s: state %.300q", name, state)
		}
	}
}
