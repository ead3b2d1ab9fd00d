package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Dir is an open folder. It refers to the same folder even if its path is moved or replaced, so
// writes cannot be redirected. Names are relative to the folder.
type Dir interface {
	// Path returns the path of the folder when it was opened. CurrentPath returns its current path,
	// or "" if the path is unknown or the folder was removed.
	Path() string
	CurrentPath() string
	// OpenFile is like os.OpenFile, but returns an *IrregularError for anything except a regular
	// file, including links.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	// Lstat is like os.Lstat; "." is the folder itself.
	Lstat(name string) (fs.FileInfo, error)
	// Names returns the names in the folder in no particular order.
	Names() ([]string, error)
	// Mkdir creates a folder.
	Mkdir(name string) error
	// OpenDir opens a folder that is not a link.
	OpenDir(name string) (Dir, error)
	// Rename is like os.Rename. Names may contain a slash to refer to subfolders.
	Rename(from, to string) error
	Remove(name string) error
	RemoveAll(name string) error
	// Sync makes the directory entries of the folder durable.
	Sync() error
	Close() error
}

// OpenDir opens a folder that is not itself a link. It follows links in the rest of the path.
func OpenDir(d Disk, path string) (Dir, error) {
	parent, err := d.OpenDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	return parent.OpenDir(filepath.Base(path))
}

// OpenDir implements Disk.
func (system) OpenDir(path string) (Dir, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() { // opening a pipe would block
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNoFolder}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &rootDir{root, path}, nil
}

var errNoFolder = errors.New("not a folder")

// rootDir is a folder of the operating system.
type rootDir struct {
	*os.Root
	path string
}

func (d *rootDir) Path() string { return d.path }

// CurrentPath implements Dir. It uses /proc, which does not exist on all systems.
func (d *rootDir) CurrentPath() string {
	self, err := d.Root.Open(".")
	if err != nil {
		return ""
	}
	defer self.Close()
	path, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", self.Fd()))
	if err != nil || strings.HasSuffix(path, " (deleted)") {
		return ""
	}
	return path
}

// OpenFile implements Dir. Root follows links within the folder, so OpenFile checks the file before
// and after opening it.
func (d *rootDir) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	before, err := d.Lstat(name)
	if err == nil && !before.Mode().IsRegular() {
		return nil, &IrregularError{filepath.Join(d.path, name), before.Mode()}
	}
	file, err := d.Root.OpenFile(name, flag|SafeFlags, perm)
	if err != nil {
		return nil, d.named("open", name, err)
	}
	opened, err := file.Stat()
	if err == nil {
		var now fs.FileInfo
		now, err = d.Lstat(name)
		if err == nil && !(now.Mode().IsRegular() && os.SameFile(now, opened)) {
			err = &fs.PathError{
				Op:   "open",
				Path: filepath.Join(d.path, name),
				Err:  errors.New("the file was replaced while it was opened"),
			}
		}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// named returns err with the operation and the full path.
func (d *rootDir) named(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: filepath.Join(d.path, name), Err: WithoutPath(err)}
}

func (d *rootDir) Names() ([]string, error) {
	self, err := d.Root.Open(".")
	if err != nil {
		return nil, err
	}
	defer self.Close()
	return self.Readdirnames(-1)
}

func (d *rootDir) Mkdir(name string) error {
	err := d.Root.Mkdir(name, DirMode)
	if err != nil {
		return d.named("mkdir", name, err)
	}
	return nil
}

func (d *rootDir) OpenDir(name string) (Dir, error) {
	path := filepath.Join(d.path, name)
	info, err := d.Lstat(name)
	switch {
	case err != nil:
		return nil, d.named("open", name, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, &IrregularError{path, info.Mode()}
	case !info.IsDir():
		return nil, d.named("open", name, errNoFolder)
	}
	root, err := d.OpenRoot(name)
	if err != nil {
		return nil, d.named("open", name, err)
	}
	opened, err := root.Lstat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = d.named("open", name, errors.New("the file was replaced while it was opened"))
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return &rootDir{root, path}, nil
}

func (d *rootDir) Sync() error {
	self, err := d.Root.Open(".")
	if err != nil {
		return err
	}
	defer self.Close()
	return syncDir(self)
}
