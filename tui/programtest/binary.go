// Package programtest builds the program for tests that run the real binary.
package programtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Binary builds the program once per process and returns its path. A test package that uses it must
// call Main in its TestMain.
var Binary = sync.OnceValues(func() (string, error) {
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

// built is the folder of the binary, or "" before it is built.
var built string

// Main runs the tests, removes the binary and exits.
func Main(m *testing.M) {
	status := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(status)
}
