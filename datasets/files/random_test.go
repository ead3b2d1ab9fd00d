//go:build !windows

package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dgplab/viz/golden"
)

// TestRandomOperations compares the results, errors and files of random operations on a folder that has
// regular files, folders, links and pipes with recorded checksums.
func TestRandomOperations(t *testing.T) {
	var sums golden.Sums
	for run := range 12 {
		r := rand.New(rand.NewPCG(uint64(run), 33))
		path := t.TempDir()
		irregular(t, path)
		dir := openDir(t, path)
		w := sums.Group([]string{"folder", "paths"}[run%2])
		names := strings.Fields("outside fifo folder link zero broken new other folder/inner none/inner " +
			"folder/new")
		note := func(results ...any) {
			text := strings.ReplaceAll(fmt.Sprintln(results...), path, "PATH")
			io.WriteString(w, text)
		}
		for range 150 {
			name := names[r.IntN(len(names))]
			other := names[r.IntN(len(names))]
			at := filepath.Join(path, name)
			var err error
			if run%2 == 0 {
				err = inFolder(dir, note, r, name, other)
			} else {
				err = atPath(note, r, at)
			}
			note(name, err, WithoutPath(err), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrExist))
		}
		found, err := dir.Names()
		slices.Sort(found)
		note(found, err, dir.Path() == path)
		for _, name := range found {
			info, err := dir.Lstat(name)
			if err != nil {
				t.Fatal(err)
			}
			note(name, info.Mode())
			if info.Mode().IsRegular() {
				text, err := Read(OS, filepath.Join(path, name), 1<<10)
				note(string(text), err)
			}
		}
	}
	sums.Check(t, "operations")
}

// inFolder performs an operation in an open folder.
func inFolder(dir Dir, note func(results ...any), r *rand.Rand, name, other string) error {
	switch r.IntN(9) {
	case 0:
		flag := []int{os.O_RDONLY, os.O_RDWR | os.O_CREATE, os.O_WRONLY | os.O_TRUNC,
			os.O_RDWR | os.O_CREATE | os.O_EXCL}[r.IntN(4)]
		file, err := dir.OpenFile(name, flag, Mode)
		if err != nil {
			return err
		}
		defer file.Close()
		text, err := io.ReadAll(file)
		note(string(text), err)
		_, err = file.Write([]byte("text"))
		return err
	case 1:
		info, err := dir.Lstat(name)
		if err == nil {
			note(info.Mode().Type())
		}
		return err
	case 2:
		return dir.Mkdir(name)
	case 3:
		inner, err := dir.OpenDir(name)
		if err != nil {
			return err
		}
		defer inner.Close()
		found, err := inner.Names()
		slices.Sort(found)
		note(inner.Path(), found)
		return errors.Join(err, inner.Sync())
	case 4: // the errors depend on the file system
		note(dir.Rename(name, other) == nil)
		return nil
	case 5:
		note(dir.Remove(name) == nil)
		return nil
	case 6:
		return dir.RemoveAll(name)
	case 7:
		return dir.Sync()
	}
	return Replace(dir, name, write(r))
}

// atPath performs an operation on a path.
func atPath(note func(results ...any), r *rand.Rand, path string) error {
	most := []int64{0, 3, 4, 100, 1 << 20}[r.IntN(5)]
	switch r.IntN(7) {
	case 0:
		text, err := Read(OS, path, most)
		note(string(text))
		return err
	case 1:
		text, err := ReadLinked(path, most)
		note(string(text))
		return err
	case 2:
		file, err := OS.OpenFile(path, []int{os.O_RDONLY, os.O_RDWR | os.O_CREATE}[r.IntN(2)], Mode)
		if err != nil {
			return err
		}
		_, err = file.WriteAt([]byte("some text"), int64(r.IntN(3)))
		return errors.Join(err, file.Close())
	case 3:
		inner, err := OpenDir(OS, path)
		if err != nil {
			return err
		}
		note(inner.Path())
		return inner.Close()
	case 4:
		note(IsPipe(path))
		return nil
	case 5:
		inner, err := OS.OpenDir(path)
		if err != nil {
			return err
		}
		note(inner.Path())
		return inner.Close()
	}
	return ReplaceAt(OS, path, write(r))
}

// write returns a function that writes a text, or fails.
func write(r *rand.Rand) func(io.Writer) error {
	size := []int{0, 4, 100}[r.IntN(3)]
	fails := r.IntN(4) == 0
	return func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Repeat("x", size))
		if fails {
			err = errors.New("nothing to write")
		}
		return err
	}
}
