// Package filestest simulates disk failures in tests.
package filestest

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"dgplab/datasets/files"
)

// EveryFault calls do with a disk whose first operation fails, then with a disk whose second
// operation fails, and so on until do performs fewer operations. It calls prepare with a working
// disk before each call of do. do must return the error of the disk, except for the given
// operations, whose failure does not matter; they are named as in Disk.Failed.
func EveryFault(t *testing.T, prepare func(t *testing.T), do func(t *testing.T) error, harmless ...string) {
	t.Helper()
	whole := files.OS
	t.Cleanup(func() { files.OS = whole })
	for at, reached := 1, true; reached; at++ {
		t.Run("", func(t *testing.T) {
			d := &Disk{Disk: whole, At: at}
			prepare(t)
			files.OS = d
			err := do(t)
			files.OS = whole
			reached = d.Failed != ""
			if reached && !errors.Is(err, syscall.EIO) && !slices.Contains(harmless, d.Failed) {
				t.Errorf("operation %d, %s, failed, but the error is %v", at, d.Failed, err)
			}
			if !reached && err != nil {
				t.Errorf("the disk works, but the error is %v", err)
			}
		})
	}
}

// Disk is a disk whose operation number At, counted from 1, fails with syscall.EIO.
type Disk struct {
	files.Disk
	At int
	// Failed is the operation that failed, such as "open config.json", or "".
	Failed string

	mu    sync.Mutex
	count int
}

// next counts an operation and returns its error.
func (d *Disk) next(operation, path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	if d.count != d.At {
		return nil
	}
	d.Failed = operation + " " + filepath.Base(path)
	return &fs.PathError{Op: operation, Path: path, Err: syscall.EIO}
}

// attempt performs an operation on the disk unless the operation must fail.
func attempt[T any](d *Disk, operation, path string, do func() (T, error)) (T, error) {
	if err := d.next(operation, path); err != nil {
		return *new(T), err
	}
	return do()
}

func (d *Disk) file(path string, open func() (files.File, error)) (files.File, error) {
	opened, err := attempt(d, "open", path, open)
	if err != nil {
		return nil, err
	}
	return file{opened, d}, nil
}

func (d *Disk) folder(path string, open func() (files.Dir, error)) (files.Dir, error) {
	opened, err := attempt(d, "open", path, open)
	if err != nil {
		return nil, err
	}
	return dir{opened, d}, nil
}

func (d *Disk) OpenFile(path string, flag int, perm fs.FileMode) (files.File, error) {
	return d.file(path, func() (files.File, error) { return d.Disk.OpenFile(path, flag, perm) })
}

func (d *Disk) OpenDir(path string) (files.Dir, error) {
	return d.folder(path, func() (files.Dir, error) { return d.Disk.OpenDir(path) })
}

// dir is a folder of a Disk.
type dir struct {
	files.Dir
	disk *Disk
}

func (d dir) OpenFile(name string, flag int, perm fs.FileMode) (files.File, error) {
	return d.disk.file(name, func() (files.File, error) { return d.Dir.OpenFile(name, flag, perm) })
}

func (d dir) OpenDir(name string) (files.Dir, error) {
	return d.disk.folder(name, func() (files.Dir, error) { return d.Dir.OpenDir(name) })
}

func (d dir) Lstat(name string) (fs.FileInfo, error) {
	return attempt(d.disk, "stat", name, func() (fs.FileInfo, error) { return d.Dir.Lstat(name) })
}

func (d dir) Names() ([]string, error) { return attempt(d.disk, "list", d.Path(), d.Dir.Names) }

func (d dir) Mkdir(name string) error {
	if err := d.disk.next("mkdir", name); err != nil {
		return err
	}
	return d.Dir.Mkdir(name)
}

func (d dir) Rename(from, to string) error {
	if err := d.disk.next("rename", to); err != nil {
		return err
	}
	return d.Dir.Rename(from, to)
}

func (d dir) Remove(name string) error {
	if err := d.disk.next("remove", name); err != nil {
		return err
	}
	return d.Dir.Remove(name)
}

// Sync only counts the operation, because a real sync is slow.
func (d dir) Sync() error { return d.disk.next("sync", d.Path()) }

// file is a file of a Disk.
type file struct {
	files.File
	disk *Disk
}

func (f file) Stat() (fs.FileInfo, error) { return attempt(f.disk, "stat", f.Name(), f.File.Stat) }

func (f file) Read(p []byte) (int, error) {
	return attempt(f.disk, "read", f.Name(), func() (int, error) { return f.File.Read(p) })
}

func (f file) ReadAt(p []byte, at int64) (int, error) {
	return attempt(f.disk, "read", f.Name(), func() (int, error) { return f.File.ReadAt(p, at) })
}

func (f file) Write(p []byte) (int, error) {
	return attempt(f.disk, "write", f.Name(), func() (int, error) { return f.File.Write(p) })
}

func (f file) WriteAt(p []byte, at int64) (int, error) {
	return attempt(f.disk, "write", f.Name(), func() (int, error) { return f.File.WriteAt(p, at) })
}

func (f file) Truncate(size int64) error {
	if err := f.disk.next("truncate", f.Name()); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// Sync only counts the operation.
func (f file) Sync() error { return f.disk.next("sync", f.Name()) }
