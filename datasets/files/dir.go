package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Dir is an open folder. It stays the same one when it is moved, and when another one or a link
// takes its place: what is written into it goes nowhere else. Names are those of what lies in it.
type Dir interface {
	// Path returns where the folder was when it was opened, and Where where it is now, "" if
	// that is unknown or it was removed.
	Path() string
	Where() string
	// OpenFile is like os.OpenFile for a regular file that is no link; anything else is an
	// *IrregularError.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	// Lstat is like os.Lstat; "." is the folder itself.
	Lstat(name string) (fs.FileInfo, error)
	// Names returns the names in the folder, in no order.
	Names() ([]string, error)
	// Mkdir makes a folder.
	Mkdir(name string) error
	// OpenDir opens a folder that is no link.
	OpenDir(name string) (Dir, error)
	// Rename is like os.Rename. What lies in a folder of this one has a name with a slash.
	Rename(from, to string) error
	Remove(name string) error
	RemoveAll(name string) error
	// Sync makes the names in the folder durable.
	Sync() error
	Close() error
}

// OpenDir opens a folder that is no link itself. Links on the way to it are followed.
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
	if !info.IsDir() { // Opening a pipe would wait.
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNoFolder}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &rootDir{root, path}, nil
}

var errNoFolder = errors.New("it is not a folder")

// rootDir is a folder of the operating system.
type rootDir struct {
	*os.Root
	path string
}

func (d *rootDir) Path() string { return d.path }

// Where asks /proc, which not all systems have.
func (d *rootDir) Where() string {
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

// OpenFile implements Dir. Root follows links within the folder, so it is asked before and after.
func (d *rootDir) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	before, err := d.Lstat(name)
	if err == nil && !before.Mode().IsRegular() {
		return nil, &IrregularError{filepath.Join(d.path, name), before.Mode()}
	}
	file, err := d.Root.OpenFile(name, flag|Safely, perm)
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
				Err:  errors.New("it was replaced meanwhile"),
			}
		}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// named returns the error of an operation with the path of what it is about.
func (d *rootDir) named(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: filepath.Join(d.path, name), Err: Plain(err)}
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
		err = d.named("open", name, errors.New("it was replaced meanwhile"))
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
