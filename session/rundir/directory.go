package rundir

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dgplab/datasets/files"
)

// The names of the files of a run directory; see session/FORMAT.md.
const (
	configName      = "config.json"
	metricsName     = "metrics.jsonl"
	checkpointName  = "checkpoint"
	stableName      = "checkpoint.stable"
	summaryName     = "summary.json"
	pointsName      = "test_points.csv"
	leftOutName     = "loo_points.csv"
	diagnosticsName = "diagnostics.json"
	lockName        = "lock"
	notesName       = "notes.json"

	// CrashFile is the file that Writer.SaveCrash writes.
	CrashFile = "crash.txt"
	// DamagedFile is the copy of metrics.jsonl that Writer.Salvage makes before repairing it.
	DamagedFile = "metrics.damaged.jsonl"
)

// The names of the folders and files next to the run directories.
const (
	trashName      = ".trash"
	folderLockName = ".lock"
)

// ownNames holds the files that only the trainer writes.
var ownNames = map[string]bool{
	configName: true, metricsName: true, checkpointName: true, stableName: true,
	summaryName: true, pointsName: true, leftOutName: true, diagnosticsName: true, CrashFile: true,
	lockName: true, DamagedFile: true,
}

var errNoStep = errors.New("a report line has no step")

// Root returns the folder of all run directories: DGPLAB_RUNS if set, or else dgplab/runs in XDG_DATA_HOME or
// in ~/.local/share. The folder may not exist.
func Root() (string, error) {
	if dir := os.Getenv("DGPLAB_RUNS"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := files.UserPath("XDG_DATA_HOME", filepath.Join(".local", "share"), "runs")
	if err != nil {
		return "", fmt.Errorf("no folder for runs: %w; set DGPLAB_RUNS", err)
	}
	return dir, nil
}

// openRoot opens the folder of all run directories and creates it if it is missing.
func openRoot() (files.Dir, error) {
	path, err := Root()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(path, files.DirMode); err != nil {
		return nil, fmt.Errorf("create the runs folder: %w", err)
	}
	return files.OS.OpenDir(path)
}

// OpenFolder opens a folder at the given path below the folder of all runs. It creates missing folders and
// does not follow links.
func OpenFolder(names ...string) (files.Dir, error) {
	dir, err := openRoot()
	for _, name := range names {
		if err != nil {
			return nil, err
		}
		parent := dir
		err = parent.Mkdir(name)
		if err == nil || errors.Is(err, fs.ErrExist) {
			dir, err = parent.OpenDir(name)
		}
		parent.Close()
	}
	return dir, err
}

// makeDir creates a new, empty run directory and returns it with its ID. The ID consists of the time, the
// data set, the family and random letters.
func makeDir(c Config, now time.Time) (id string, dir files.Dir, err error) {
	parent, err := openRoot()
	if err != nil {
		return "", nil, err
	}
	defer parent.Close()
	for range 100 {
		id = newID(c, now)
		err = parent.Mkdir(id)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err == nil {
		dir, err = parent.OpenDir(id)
	}
	if err != nil {
		return "", nil, fmt.Errorf("create the run directory: %w", err)
	}
	return id, dir, parent.Sync()
}

// removeDir removes a run directory after a failed start. Errors are ignored.
func removeDir(id string) {
	parent, err := openRoot()
	if err == nil {
		_ = parent.RemoveAll(id)
		parent.Close()
	}
}

// idTime is the format of the time at the beginning of an ID.
const idTime = "20060102-150405"

func newID(c Config, now time.Time) string {
	var random [3]byte
	rand.Read(random[:]) // Read never fails; see crypto/rand.
	return strings.Join([]string{
		now.Format(idTime), slug(datasetTitle(c.Dataset)), slug(c.Family),
		hex.EncodeToString(random[:]),
	}, "-")
}

// datasetTitle returns a catalogue name unchanged, and the base name of a path without its extensions.
func datasetTitle(dataset string) string {
	name := filepath.Base(dataset)
	if dot := strings.IndexByte(name, '.'); dot > 0 {
		name = name[:dot]
	}
	return name
}

// slug returns at most 24 bytes of text in lower case. Each sequence of characters other than
// letters, digits and underscores becomes one hyphen.
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case b.Len() >= 24:
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "data"
}
