package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dgplab/datasets/files"
)

const (
	// exportsName is the file that lists the exported files in a folder; see session/FORMAT.md.
	exportsName = ".dgplab-exports.json"
	// exportsVersion is the format version of the list.
	exportsVersion = 1
	// exportsLockName is the file that an export locks while it replaces the list and a file.
	exportsLockName = ".dgplab-exports.lock"
	// exportsPatience is the time for which an export waits for others in the same folder.
	exportsPatience = time.Minute
)

// exportList is the content of exportsName: the SHA-256 checksums of the exported files by name. There are
// two for a file that is being replaced.
type exportList struct {
	Format int                 `json:"format"`
	Files  map[string][]string `json:"files"`
}

// Exports is an open folder that receives exported files. It belongs to one goroutine; other exports may
// write into the same folder at the same time.
type Exports struct{ dir files.Dir }

// OpenExports opens a folder for exports. The caller must close it.
func OpenExports(path string) (*Exports, error) {
	dir, err := files.OpenDir(files.OS, path)
	if err != nil {
		return nil, err
	}
	return NewExports(dir), nil
}

// CreateExports opens a folder for exports like OpenExports, and creates it if necessary.
func CreateExports(path string) (*Exports, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	return OpenExports(path)
}

// NewExports returns the exports of an open folder. Close closes the folder.
func NewExports(dir files.Dir) *Exports { return &Exports{dir} }

// readList returns the list of the exported files.
func (e *Exports) readList() (*exportList, error) {
	list := &exportList{exportsVersion, map[string][]string{}}
	err := readIn(e.dir, exportsName, func(r io.Reader) error {
		return json.NewDecoder(io.LimitReader(r, maxJSON)).Decode(list)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil
	}
	if err == nil && (list.Format != exportsVersion || list.Files == nil) {
		err = fmt.Errorf("unsupported format %d", list.Format)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(e.Path(), exportsName), jsonError(err))
	}
	return list, nil
}

// readIn opens a file in a folder and calls read with it.
func readIn(dir files.Dir, name string, read func(io.Reader) error) error {
	file, err := dir.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	return read(file)
}

// checksumOf returns the checksum of a file in a folder.
func checksumOf(dir files.Dir, name string) (string, error) {
	sum := sha256.New()
	err := readIn(dir, name, func(r io.Reader) error {
		_, err := io.Copy(sum, r)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// Path returns the path of the folder.
func (e *Exports) Path() string { return e.dir.Path() }

// Close closes the folder.
func (e *Exports) Close() error { return e.dir.Close() }

// WriteFile atomically writes a file and returns its path. It replaces a file only if an export wrote it and
// nobody has changed it since. The name must be a plain file name and not the name of a file of a run.
// Nothing is written if write returns an error.
func (e *Exports) WriteFile(name string, write func(io.Writer) error) (string, error) {
	if name == "" || name != filepath.Base(name) || name[0] == '.' || name == notesName || ownNames[name] {
		return "", fmt.Errorf("cannot write %q into a run directory", name)
	}
	path := filepath.Join(e.Path(), name)
	var content bytes.Buffer
	if err := write(&content); err != nil {
		return path, err
	}
	// Another export may replace the list and the file.
	lock, err := takeLock(filepath.Join(e.Path(), exportsLockName), exportsPatience)
	switch {
	case errors.Is(err, ErrRunning):
		return path, fmt.Errorf("write %s: other exports write into the folder for too long; try again", path)
	case err != nil && !errors.Is(err, errNoLocks):
		return path, err
	}
	defer lock.Close()
	list, err := e.readList()
	if err != nil {
		return path, err
	}
	digest := sha256.Sum256(content.Bytes())
	sum := hex.EncodeToString(digest[:])
	old, err := checksumOf(e.dir, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		list.Files[name] = []string{sum}
	case err != nil:
		return path, err
	case old == sum:
		list.Files[name] = []string{sum}
	case !slices.Contains(list.Files[name], old):
		return path, fmt.Errorf(
			"%s was not written by an export or was changed since; it is not replaced", path)
	default:
		list.Files[name] = []string{old, sum}
	}
	// The list is written first, because files that are not on it are never replaced.
	err = e.replace(exportsName, func(w io.Writer) error { return json.NewEncoder(w).Encode(list) })
	if err != nil {
		return path, err
	}
	return path, e.replace(name, func(w io.Writer) error {
		_, err := w.Write(content.Bytes())
		return err
	})
}

// replace replaces a file. It tries twice, because a run that is being resumed deletes temporary
// files.
func (e *Exports) replace(name string, write func(io.Writer) error) error {
	err := files.Replace(e.dir, name, write)
	if errors.Is(err, fs.ErrNotExist) {
		err = files.Replace(e.dir, name, write)
	}
	return err
}

// WriteFile opens the exports of a folder for a single call of Exports.WriteFile.
func WriteFile(dir, name string, write func(io.Writer) error) (string, error) {
	e, err := OpenExports(dir)
	if err != nil {
		return "", err
	}
	defer e.Close()
	return e.WriteFile(name, write)
}
