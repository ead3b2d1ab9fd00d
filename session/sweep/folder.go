package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dgplab/datasets/files"
	"dgplab/session/rundir"
)

const (
	// folderName is the folder of all sweeps, next to the runs.
	folderName = ".sweeps"
	// fileName is the only file of a sweep apart from the lock; see session/FORMAT.md.
	fileName = "sweep.json"
	// fileVersion is the format version of the file.
	fileVersion = 1
)

// file is the content of sweep.json.
type file struct {
	Format  int       `json:"format"`
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
	Grid    Grid      `json:"grid"`
	// Decisions holds the decisions of successive halving, oldest first.
	Decisions []Decision `json:"decisions,omitempty"`
	// Data identifies the data files.
	Data contents `json:"data,omitzero"`
}

// writeFile writes the file of a sweep.
func writeFile(dir files.Dir, s *State, decisions []Decision) error {
	f := &file{Format: fileVersion, Name: s.Name, Created: s.Created, Grid: s.Grid, Decisions: decisions,
		Data: s.data}
	if err := rundir.WriteJSON(dir, fileName, f); err != nil {
		return fmt.Errorf("save the sweep: %w", err)
	}
	return nil
}

// folderOf returns the directory of a sweep.
func folderOf(name string) (string, error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	runs, err := rundir.Root()
	return filepath.Join(runs, folderName, name), err
}

// lockedFolder is the open, locked folder of a sweep.
type lockedFolder struct {
	*rundir.Lock
	dir files.Dir
}

// lockFolder opens and locks the folder of a sweep and creates it if necessary.
func lockFolder(name string) (*lockedFolder, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	dir, err := rundir.OpenFolder(folderName, name)
	if err != nil {
		return nil, fmt.Errorf("open the folder of the sweep: %w", err)
	}
	lock, err := rundir.LockDir(dir)
	if errors.Is(err, rundir.ErrRunning) {
		err = fmt.Errorf("%s: %w", name, errRunning)
	}
	if err != nil {
		dir.Close()
		return nil, err
	}
	return &lockedFolder{lock, dir}, nil
}

// Close unlocks and closes the folder.
func (h *lockedFolder) Close() error { return errors.Join(h.Lock.Close(), h.dir.Close()) }

// CheckName returns an error if name is not a valid sweep name.
func CheckName(name string) error {
	if name == "" || len(name) > 64 || name[0] == '.' || name[0] == '-' ||
		strings.IndexFunc(name, func(r rune) bool { return !nameRune(r) }) >= 0 {
		return fmt.Errorf("invalid sweep name %q; want 1 to 64 letters, digits, _, - or dots, not starting "+
			"with a dot or -", name)
	}
	return nil
}

func nameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
		strings.ContainsRune("_-.", r)
}

// ErrNone is wrapped by errors about a sweep that does not exist.
var ErrNone = errors.New("no such sweep")

// readFile reads the file of a sweep.
func readFile(name string) (dir string, f *file, err error) {
	dir, err = folderOf(name)
	if err != nil {
		return "", nil, err
	}
	path := filepath.Join(dir, fileName)
	f = new(file)
	err = rundir.ReadJSON(path, f)
	if errors.Is(err, fs.ErrNotExist) {
		return dir, nil, fmt.Errorf("%w: %s", ErrNone, name)
	}
	if err != nil {
		return dir, nil, err
	}
	if f.Format != fileVersion {
		return dir, nil, fmt.Errorf("%s: unsupported format %d; this program reads format %d",
			path, f.Format, fileVersion)
	}
	return dir, f, nil
}

// stored returns the folder of a sweep, its file and the cells of its grid.
func stored(name string) (dir string, f *file, cells []Cell, err error) {
	dir, f, err = readFile(name)
	if err == nil {
		cells, err = f.Grid.Cells()
	}
	return dir, f, cells, err
}

// Names returns the names of all sweeps, sorted.
func Names() ([]string, error) {
	runs, err := rundir.Root()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Join(runs, folderName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		if e.IsDir() && CheckName(e.Name()) == nil {
			list = append(list, e.Name())
		}
	}
	slices.Sort(list)
	return list, nil
}
