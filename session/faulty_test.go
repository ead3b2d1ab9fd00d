package session

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"dgplab/datasets/files"
)

// fault is a kind of disk fault at one operation.
type fault string

const (
	once  fault = "once"  // the operation fails
	full  fault = "full"  // the operation and all later writes fail: the disk is full
	kill  fault = "kill"  // the process dies before the operation
	torn  fault = "torn"  // the process dies halfway through the operation
	power fault = "power" // the machine dies before the operation: unsynced data are lost
)

var errDead = errors.New("the process is dead")

// faultyDisk is a disk with one fault at one of its operations: opens, reads, writes, syncs,
// truncations, renames and removals. It tracks which data survive a loss of power: synced contents
// under synced names.
type faultyDisk struct {
	files.Disk
	t     *testing.T
	mu    sync.Mutex
	at    int // number of the operation from 1; 0 for none
	fault fault
	ops   int
	dead  bool
	full  bool
	// names holds the current names, and durable holds the names that survive a loss of power.
	names, durable map[string]*inode
}

// inode is the content of a file that survives a loss of power.
type inode struct{ synced []byte }

// breakDisk replaces the program's disk with a faulty one until the end of the test or the next call.
func breakDisk(t *testing.T, at int, f fault) *faultyDisk {
	t.Helper()
	whole := files.OS
	if old, ok := whole.(*faultyDisk); ok {
		whole = old.Disk
	}
	d := &faultyDisk{
		Disk:    whole,
		t:       t,
		at:      at,
		fault:   f,
		names:   map[string]*inode{},
		durable: map[string]*inode{},
	}
	root := os.Getenv("DGPLAB_RUNS")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		d.names[path] = &inode{text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(d.durable, d.names)
	files.OS = d
	t.Cleanup(func() { files.OS = whole })
	return d
}

// mend restores a working disk with the data that survived the fault.
func (d *faultyDisk) mend() {
	files.OS = d.Disk
	if d.fault != power || !d.dead {
		return
	}
	for path := range d.names {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			d.t.Fatal(err)
		}
	}
	for path, node := range d.durable {
		// The folder can be missing, because goroutines of the dead process still run.
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
			os.WriteFile(path, node.synced, 0o644)); err != nil {
			d.t.Fatal(err)
		}
	}
}

// op counts an operation and returns its error. half is true if the process dies halfway through it.
func (d *faultyDisk) op(writes bool) (half bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops++
	switch {
	case d.dead:
		return false, errDead
	case d.full && writes:
		return false, syscall.ENOSPC
	case d.ops != d.at:
		return false, nil
	case d.fault == once:
		return false, syscall.EIO
	case d.fault == full:
		d.full = true
		if writes {
			err = syscall.ENOSPC
		}
		return false, err
	}
	d.dead = true
	return d.fault == torn, errDead
}

func (d *faultyDisk) OpenFile(path string, flag int, perm fs.FileMode) (files.File, error) {
	return d.open(path, flag, func() (files.File, error) { return d.Disk.OpenFile(path, flag, perm) })
}

func (d *faultyDisk) OpenDir(path string) (files.Dir, error) {
	dir, err := d.Disk.OpenDir(path)
	if err != nil {
		return nil, err
	}
	return &faultyDir{dir, d}, nil
}

// open opens a file that is known by its path.
func (d *faultyDisk) open(path string, flag int, open func() (files.File, error)) (files.File, error) {
	if _, err := d.op(flag&os.O_CREATE != 0); err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	file, err := open()
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names[path] == nil {
		d.names[path] = &inode{}
	}
	return &faultyFile{file, d, d.names[path]}, nil
}

// faultyDir is a folder of a faulty disk.
type faultyDir struct {
	files.Dir
	disk *faultyDisk
}

func (f *faultyDir) at(name string) string { return filepath.Join(f.Path(), name) }

func (f *faultyDir) OpenDir(name string) (files.Dir, error) {
	dir, err := f.Dir.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &faultyDir{dir, f.disk}, nil
}

func (f *faultyDir) OpenFile(name string, flag int, perm fs.FileMode) (files.File, error) {
	return f.disk.open(f.at(name), flag, func() (files.File, error) {
		return f.Dir.OpenFile(name, flag, perm)
	})
}

func (f *faultyDir) Rename(from, to string) error {
	d := f.disk
	if _, err := d.op(false); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	err := f.Dir.Rename(from, to)
	if err == nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.names[f.at(to)] = d.names[f.at(from)]
		delete(d.names, f.at(from))
	}
	return err
}

func (f *faultyDir) Remove(name string) error {
	d := f.disk
	if _, err := d.op(false); err != nil {
		return &fs.PathError{Op: "remove", Path: name, Err: err}
	}
	err := f.Dir.Remove(name)
	if err == nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.names, f.at(name))
	}
	return err
}

func (f *faultyDir) Sync() error {
	d := f.disk
	if _, err := d.op(true); err != nil {
		return &fs.PathError{Op: "sync", Path: f.Path(), Err: err}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	inside := func(path string, _ *inode) bool { return filepath.Dir(path) == f.Path() }
	maps.DeleteFunc(d.durable, inside)
	for path, node := range d.names {
		if inside(path, node) {
			d.durable[path] = node
		}
	}
	return nil // A real sync is slow, and the test does not lose power.
}

// faultyFile is a file of a faulty disk.
type faultyFile struct {
	files.File
	disk *faultyDisk
	node *inode
}

func (f *faultyFile) failed(op string, err error) error {
	return &fs.PathError{Op: op, Path: f.Name(), Err: err}
}

func (f *faultyFile) Read(p []byte) (int, error) {
	if _, err := f.disk.op(false); err != nil {
		return 0, f.failed("read", err)
	}
	return f.File.Read(p)
}

func (f *faultyFile) ReadAt(p []byte, at int64) (int, error) {
	if _, err := f.disk.op(false); err != nil {
		return 0, f.failed("read", err)
	}
	return f.File.ReadAt(p, at)
}

func (f *faultyFile) Write(p []byte) (int, error) {
	half, err := f.disk.op(true)
	if half {
		_, _ = f.File.Write(p[:len(p)/2])
	}
	if err != nil {
		return 0, f.failed("write", err)
	}
	return f.File.Write(p)
}

func (f *faultyFile) WriteAt(p []byte, at int64) (int, error) {
	half, err := f.disk.op(true)
	if half {
		_, _ = f.File.WriteAt(p[:len(p)/2], at)
	}
	if err != nil {
		return 0, f.failed("write", err)
	}
	return f.File.WriteAt(p, at)
}

func (f *faultyFile) Truncate(size int64) error {
	if _, err := f.disk.op(false); err != nil {
		return f.failed("truncate", err)
	}
	return f.File.Truncate(size)
}

func (f *faultyFile) Sync() error {
	if _, err := f.disk.op(true); err != nil {
		return f.failed("sync", err)
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	text := make([]byte, info.Size())
	if len(text) > 0 {
		if _, err := f.File.ReadAt(text, 0); err != nil {
			return err
		}
	}
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.node.synced = text
	return nil
}

// isOneLineError reports whether an error is a single line that does not mention temporary files.
func isOneLineError(err error) bool {
	return err != nil && err.Error() != "" && !strings.Contains(err.Error(), "\n") &&
		!strings.Contains(err.Error(), files.TempPrefix)
}
