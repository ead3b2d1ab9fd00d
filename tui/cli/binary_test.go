//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// binary builds the program once and returns its path. TestMain removes it.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "dgplab-test-*")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "dgplab")
	if text, err := exec.Command("go", "build", "-o", path, "dgplab").CombinedOutput(); err != nil {
		return "", errors.New(string(text))
	}
	return path, nil
})

// built is the folder of the binary, or "" before the build.
var built string

func TestMain(m *testing.M) {
	status := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(status)
}
