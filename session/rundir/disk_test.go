package rundir

import (
	"errors"
	"io/fs"
	"os"
	"testing"
	"time"

	"dgplab/datasets/files"
)

var errDisk = errors.New("input/output error")

// failingDisk is a disk whose operation number at fails, counted from 1.
type failingDisk struct {
	files.Disk
	at, count int
}

// next counts an operation and returns its error.
func (d *failingDisk) next() error {
	d.count++
	if d.count == d.at {
		return errDisk
	}
	return nil
}

// attempt performs an operation of the disk unless it fails.
func attempt[T any](d *failingDisk, do func() (T, error)) (T, error) {
	if err := d.next(); err != nil {
		return *new(T), err
	}
	return do()
}

func (d *failingDisk) file(open func() (files.File, error)) (files.File, error) {
	file, err := attempt(d, open)
	if err != nil {
		return nil, err
	}
	return failingFile{file, d}, nil
}

func (d *failingDisk) folder(open func() (files.Dir, error)) (files.Dir, error) {
	dir, err := attempt(d, open)
	if err != nil {
		return nil, err
	}
	return failingDir{dir, d}, nil
}

func (d *failingDisk) OpenFile(path string, flag int, perm fs.FileMode) (files.File, error) {
	return d.file(func() (files.File, error) { return d.Disk.OpenFile(path, flag, perm) })
}

func (d *failingDisk) OpenDir(path string) (files.Dir, error) {
	return d.folder(func() (files.Dir, error) { return d.Disk.OpenDir(path) })
}

type failingDir struct {
	files.Dir
	disk *failingDisk
}

func (f failingDir) OpenFile(name string, flag int, perm fs.FileMode) (files.File, error) {
	return f.disk.file(func() (files.File, error) { return f.Dir.OpenFile(name, flag, perm) })
}

func (f failingDir) OpenDir(name string) (files.Dir, error) {
	return f.disk.folder(func() (files.Dir, error) { return f.Dir.OpenDir(name) })
}

func (f failingDir) Lstat(name string) (fs.FileInfo, error) {
	return attempt(f.disk, func() (fs.FileInfo, error) { return f.Dir.Lstat(name) })
}

func (f failingDir) Names() ([]string, error) { return attempt(f.disk, f.Dir.Names) }

func (f failingDir) Mkdir(name string) error {
	return errors.Join(f.disk.next(), f.Dir.Mkdir(name))
}

func (f failingDir) Rename(from, to string) error {
	if err := f.disk.next(); err != nil {
		return err
	}
	return f.Dir.Rename(from, to)
}

func (f failingDir) Remove(name string) error {
	if err := f.disk.next(); err != nil {
		return err
	}
	return f.Dir.Remove(name)
}

func (f failingDir) Sync() error { return f.disk.next() }

type failingFile struct {
	files.File
	disk *failingDisk
}

func (f failingFile) Stat() (fs.FileInfo, error) { return attempt(f.disk, f.File.Stat) }

func (f failingFile) Read(p []byte) (int, error) {
	return attempt(f.disk, func() (int, error) { return f.File.Read(p) })
}

func (f failingFile) ReadAt(p []byte, at int64) (int, error) {
	return attempt(f.disk, func() (int, error) { return f.File.ReadAt(p, at) })
}

func (f failingFile) Write(p []byte) (int, error) {
	return attempt(f.disk, func() (int, error) { return f.File.Write(p) })
}

func (f failingFile) WriteAt(p []byte, at int64) (int, error) {
	return attempt(f.disk, func() (int, error) { return f.File.WriteAt(p, at) })
}

func (f failingFile) Truncate(size int64) error {
	if err := f.disk.next(); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

func (f failingFile) Sync() error { return f.disk.next() }

// Operations on runs report failures of the disk, and survive a few, for example if leftovers cannot be
// removed. The numbers fix the operations of the disk, so none is left out, such as a sync.
func TestDiskFailures(t *testing.T) {
	const id = "20250101-a"
	sound := func(Point) bool { return true }
	writer := func(use func(*Writer) error) func(string) error {
		return func(string) error {
			w, err := Reopen(id)
			if err != nil {
				return err
			}
			err = use(w)
			return errors.Join(err, w.Close())
		}
	}
	read := func(use func(Info) error) func(string) error {
		return func(dir string) error {
			return use(Info{ConfigFile: ConfigFile{ID: id}, Dir: dir})
		}
	}
	tests := []struct {
		name               string
		reported, survived int
		run                func(dir string) error
	}{
		{"create", 23, 12, func(string) error {
			config := Config{Dataset: "steps", Family: "mf"}
			w, err := Create(&ConfigFile{Config: config, ObjectiveIs: elbo}, time.Now())
			if err != nil {
				return err
			}
			return errors.Join(w.CloseLog(), w.Close())
		}},
		{"append", 25, 17, writer(func(w *Writer) error {
			if err := w.Continue(0); err != nil {
				return err
			}
			err := errors.Join(w.Append(Point{Step: 1}), w.Sync(), w.Append(Point{Step: 2}))
			return errors.Join(err, w.CloseLog())
		})},
		{"forget", 21, 12, writer(func(w *Writer) error {
			if err := w.Continue(0); err != nil {
				return err
			}
			return errors.Join(w.Forget(), w.CloseLog())
		})},
		{"salvage", 25, 6, writer(func(w *Writer) error { return w.Salvage(sound) })},
		{"checkpoint", 16, 6, writer(func(w *Writer) error {
			return w.SaveCheckpoint(Progress{Step: 3}, someArrays(), nil)
		})},
		{"diagnostics", 16, 6, writer(func(w *Writer) error {
			return w.SaveDiagnostics(&Diagnostics{Step: 3})
		})},
		{"predictions", 16, 6, writer(func(w *Writer) error {
			return w.SavePredictions(3, pointsOf(400, 1, false))
		})},
		{"summary", 16, 6, writer(func(w *Writer) error { return w.SaveSummary(&Summary{ID: id}) })},
		{"crash", 16, 6, writer(func(w *Writer) error { return w.SaveCrash("text") })},
		{"configuration", 16, 6, writer(func(w *Writer) error { return w.SaveConfig(&ConfigFile{ID: id}) })},
		{"annotate", 8, 0, func(string) error { return Annotate(id, func(n *Notes) { n.Name = "best" }) }},
		{"export", 14, 0, func(dir string) error { return export(dir, "fit.svg", "picture") }},
		{"trash", 18, 7, func(string) error { return Trash(id) }},
		{"untrash", 7, 1, func(string) error { return Untrash("20250102-b") }},
		{"read configuration", 5, 0, func(dir string) error { _, err := ReadConfig(dir); return err }},
		{"read checkpoint", 8, 0, func(dir string) error {
			c, err := ReadCheckpoint(dir)
			if err != nil {
				return err
			}
			return c.Restore(emptyLike(someArrays()))
		}},
		{"read points", 3, 0, func(dir string) error {
			_, err := ReadPoints(dir, sound, func(Point) {})
			return err
		}},
		{"read predictions", 3, 0, read(func(i Info) error { _, err := i.Predictions(); return err })},
		{"read diagnostics", 4, 0, read(func(i Info) error { _, err := i.Diagnostics(); return err })},
	}
	whole := files.OS
	defer func() { files.OS = whole }()
	for _, test := range tests {
		reported, survived := 0, 0
		for at, reached := 1, true; reached; at++ {
			t.Setenv("DGPLAB_RUNS", t.TempDir())
			files.OS = &failingDisk{Disk: whole}
			runDir(t, "20250102-b", nil)
			dir := runDir(t, id, nil)
			open := folder(t, dir)
			err := errors.Join(
				os.WriteFile(dir+"/"+metricsName, []byte(`{"step":1,"objective":2}`+"\n"), 0o644),
				saveCheckpoint(open, id, Progress{Step: 1}, someArrays(), nil),
				savePoints(open, pointsName, id, 1, pointsOf(3, 1, false)),
				saveDiagnostics(open, &Diagnostics{Step: 1}),
				Trash("20250102-b"))
			if err != nil {
				t.Fatal(err)
			}
			disk := &failingDisk{Disk: whole, at: at}
			files.OS = disk
			err = test.run(dir)
			files.OS = whole
			reached = disk.count >= at
			switch {
			case !reached && err != nil:
				t.Fatalf("%s fails on a working disk: %v", test.name, err)
			case reached && err == nil:
				survived++
			case reached:
				reported++
			}
		}
		if reported != test.reported || survived != test.survived {
			t.Errorf("%s reports %d failures of the disk and survives %d, want %d and %d",
				test.name, reported, survived, test.reported, test.survived)
		}
	}
}
