package rundir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrNoRun is wrapped by errors about an ID that means no run, or more than one.
var ErrNoRun = errors.New("no such run")

// noRun returns an error that wraps ErrNoRun and reads as the format says.
func noRun(format string, args ...any) error {
	return &noRunError{fmt.Sprintf(format, args...)}
}

type noRunError struct{ text string }

func (e *noRunError) Error() string { return e.text }
func (e *noRunError) Unwrap() error { return ErrNoRun }

// findRun returns the directory of the run whose ID is id, or whose path it is, or else
// that has this name, or else whose ID is the only one that starts with id.
func findRun(id string) (string, error) {
	parent, err := Root()
	if err != nil {
		return "", err
	}
	if path, err := filepath.Abs(id); err == nil &&
		strings.ContainsRune(id, filepath.Separator) && !isRun(parent, id) {
		switch within, name := filepath.Split(path); {
		case filepath.Clean(within) == filepath.Clean(parent) && isRun(parent, name):
			return path, nil
		case isRun(within, name) && isConfigured(path):
			return "", noRun("%s is not in %s; DGPLAB_RUNS=%s has it", id, parent, filepath.Clean(within))
		}
	}
	return findIn(parent, id)
}

// FindToRead is Find for whoever changes nothing: a path may also lead to the directory of a
// run in another folder.
func FindToRead(id string) (Info, error) {
	info, err := Find(id)
	if err == nil || !strings.ContainsRune(id, filepath.Separator) {
		return info, err
	}
	if path, failed := filepath.Abs(id); failed == nil &&
		isRun(filepath.Dir(path), filepath.Base(path)) && isConfigured(path) {
		return new(Lister).look(path), nil
	}
	return info, err
}

// isConfigured says whether a directory looks like that of a run.
func isConfigured(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, configName))
	return err == nil && info.Mode().IsRegular()
}

// findIn is findRun without paths, among the run directories of a folder.
func findIn(parent, id string) (string, error) {
	if strings.TrimSpace(id) == "" {
		return "", noRun("%q is no run ID", id)
	}
	if isRun(parent, id) {
		return filepath.Join(parent, id), nil
	}
	all, err := runsIn(parent)
	if err != nil {
		return "", err
	}
	var begun, named []string
	for _, name := range all {
		if strings.HasPrefix(name, id) {
			begun = append(begun, name)
		}
		if notes, err := readNotes(filepath.Join(parent, name)); err == nil &&
			notes.Name == strings.TrimSpace(id) {
			named = append(named, name)
		}
	}
	switch {
	case len(named) == 1:
		return filepath.Join(parent, named[0]), nil
	case len(named) > 1:
		return "", noRun("%d runs are named %q, for example %s and %s; give an ID",
			len(named), id, named[0], named[1])
	case len(begun) == 1:
		return filepath.Join(parent, begun[0]), nil
	case len(begun) > 1:
		return "", noRun("%d runs start with %q, for example %s and %s", len(begun), id, begun[0], begun[1])
	}
	return "", noRun("no run %q in %s", id, parent)
}

// isRun says whether a folder has a run directory of this very ID. The folder is not
// read, which takes long when it has thousands.
func isRun(parent, id string) bool {
	if id != filepath.Base(id) || strings.HasPrefix(id, ".") {
		return false
	}
	info, err := os.Lstat(filepath.Join(parent, id))
	return err == nil && info.IsDir()
}

// runsIn returns the names of the run directories of a folder, in order. A missing
// folder has none.
func runsIn(parent string) ([]string, error) {
	entries, err := readDir(parent)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// readDir is replaced by tests.
var readDir = os.ReadDir

// findAndLock is findIn for a folder of Root, "" for Root itself, and makes the caller
// the only one to change notes or to move runs to and from the trash, until the lock
// that it returns is closed.
func findAndLock(folder, id string) (dir string, lock io.Closer, err error) {
	runs, err := Root()
	if err != nil {
		return "", nil, err
	}
	dir, err = findIn(filepath.Join(runs, folder), id)
	if err != nil {
		return "", nil, err
	}
	lock, err = takeLock(filepath.Join(runs, folderLockName), 2*time.Second)
	if errors.Is(err, ErrRunning) {
		err = errors.New("another process keeps changing the notes of runs; try again")
	}
	return dir, lock, err
}
