package rundir

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ErrNoRun is wrapped by errors for IDs that match no run or several runs, and for folders without a run.
var ErrNoRun = errors.New("no such run")

// noRunErrorf returns a formatted error that wraps ErrNoRun.
func noRunErrorf(format string, args ...any) error {
	return &noRunError{fmt.Sprintf(format, args...)}
}

type noRunError struct{ text string }

func (e *noRunError) Error() string { return e.text }
func (e *noRunError) Unwrap() error { return ErrNoRun }

// Latest names the newest run. Latest~1 is the run before it, and so on.
const Latest = "latest"

// latestOffset parses Latest or Latest~N and returns N, which is 0 for Latest.
func latestOffset(id string) (back int, ok bool) {
	rest, ok := strings.CutPrefix(id, Latest)
	if !ok || rest == "" {
		return 0, ok
	}
	number, ok := strings.CutPrefix(rest, "~")
	n, err := strconv.ParseUint(number, 10, 31)
	return int(n), ok && err == nil
}

// newest returns the run in a folder that has back newer runs, in the order of List.
func newest(parent string, back int) (string, error) {
	names, err := runsIn(parent)
	if err != nil {
		return "", err
	}
	if back >= len(names) {
		return "", noRunErrorf("there are %d runs in %s, too few for %s~%d", len(names), parent, Latest, back)
	}
	// An ID begins with the time of creation to the second. To order runs of the same second, they are read.
	first := len(names) - 1 - back
	for first > 0 && len(names[first]) >= len(idTime) &&
		strings.HasPrefix(names[first-1], names[first][:len(idTime)]) {
		first--
	}
	runs, _, err := new(Lister).list(parent, len(names)-first)
	if err != nil || back >= len(runs) { // Runs may have been deleted in the meantime.
		return "", cmp.Or(err, noRunErrorf("no run %s~%d in %s", Latest, back, parent))
	}
	return runs[back].Dir, nil
}

// findRun returns the directory of the run that id selects. id is, in this order of precedence, an ID or a
// path, Latest or a name, or the beginning of a single ID.
func findRun(id string) (string, error) {
	parent, err := Root()
	if err != nil {
		return "", err
	}
	if path, err := filepath.Abs(id); err == nil &&
		strings.ContainsRune(id, filepath.Separator) && !isRun(parent, id) {
		within, name := filepath.Split(path)
		switch {
		case filepath.Clean(within) == filepath.Clean(parent) && isRun(parent, name):
			return path, nil
		case isRun(within, name) && isConfigured(path):
			return "", noRunErrorf("%s is not in %s; set DGPLAB_RUNS=%s",
				id, parent, filepath.Clean(within))
		}
	}
	return findIn(parent, id)
}

// FindReadOnly is like Find but also accepts the path of a run directory outside the folder of runs.
// The caller must not change the run.
func FindReadOnly(id string) (Info, error) {
	info, err := Find(id)
	if err == nil || !strings.ContainsRune(id, filepath.Separator) {
		return info, err
	}
	if path, failed := filepath.Abs(id); failed == nil &&
		isRun(filepath.Dir(path), filepath.Base(path)) && isConfigured(path) {
		return new(Lister).readCached(path), nil
	}
	return info, err
}

// isConfigured reports whether a directory contains a config.json.
func isConfigured(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, configName))
	return err == nil && info.Mode().IsRegular()
}

// findIn is like findRun, but for the runs in a folder. It does not accept paths.
func findIn(parent, id string) (string, error) {
	if strings.TrimSpace(id) == "" {
		return "", noRunErrorf("%q is not a run ID", id)
	}
	if isRun(parent, id) {
		return filepath.Join(parent, id), nil
	}
	if back, ok := latestOffset(id); ok {
		return newest(parent, back)
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
		return "", noRunErrorf("%d runs are named %q, for example %s and %s; give an ID",
			len(named), id, named[0], named[1])
	case len(begun) == 1:
		return filepath.Join(parent, begun[0]), nil
	case len(begun) > 1:
		return "", noRunErrorf("%d runs start with %q, for example %s and %s",
			len(begun), id, begun[0], begun[1])
	}
	return "", noRunErrorf("no run %q in %s", id, parent)
}

// isRun reports whether a folder contains a run directory with this exact ID. It does not list the folder,
// which would be slow with thousands of runs.
func isRun(parent, id string) bool {
	if id != filepath.Base(id) || strings.HasPrefix(id, ".") {
		return false
	}
	info, err := os.Lstat(filepath.Join(parent, id))
	return err == nil && mayBeRun(parent, fs.FileInfoToDirEntry(info))
}

// mayBeRun reports whether an entry of a folder is a run directory, or a link to one: runs that have moved to
// another disk can be read through a link. A link that leads nowhere counts, because a run was there.
func mayBeRun(parent string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	target, err := os.Stat(filepath.Join(parent, e.Name()))
	return err != nil || target.IsDir()
}

// runsIn returns the names of the run directories in a folder, and of links to them, in ascending order. A
// missing folder has none.
func runsIn(parent string) ([]string, error) {
	entries, err := readDir(parent)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && mayBeRun(parent, e) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// readDir is a variable that tests replace.
var readDir = os.ReadDir

// findAndLock is findIn for a folder in Root ("" for Root itself). It also takes the lock for changing notes
// and for moving runs to and from the trash. The caller must close the lock.
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
		err = errors.New("another process is changing the notes of runs; try again")
	}
	return dir, lock, err
}
