package rundir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"dgplab/datasets/files"
)

// export writes text into a file of dir.
func export(dir, name, text string) error {
	_, err := WriteFile(dir, name, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	return err
}

// An export replaces its own files, and keeps files that others wrote or changed.
func TestExportsReplaceOnlyExports(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "fit.svg")
	for _, text := range []string{"first", "second", "second", "third"} {
		if err := export(dir, "fit.svg", text); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("the file holds %q, want %q", got, text)
		}
	}
	e := NewExports(folder(t, dir))
	defer e.Close()
	_, err := e.WriteFile("fit.svg", func(io.Writer) error { return errDisk })
	if got, _ := os.ReadFile(path); !errors.Is(err, errDisk) || string(got) != "third" {
		t.Errorf("a picture that fails: %v, the file holds %q", err, got)
	}
	if err := os.WriteFile(path, []byte("edited"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := export(dir, "fit.svg", "fourth"); err == nil ||
		!strings.Contains(err.Error(), "it is not replaced") {
		t.Errorf("an edited file is replaced: %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "edited" {
		t.Errorf("the file holds %q", got)
	}
	if err := export(dir, "fit.svg", "edited"); err != nil {
		t.Errorf("a file with the same content: %v", err)
	}
}

// Exports of the same pictures into one folder at the same time all succeed. In the end each file is whole
// and on the list.
func TestExportsAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	names := []string{"fit.svg", "loss.svg"}
	var group sync.WaitGroup
	for process := range 4 {
		group.Go(func() {
			e := NewExports(folder(t, dir))
			defer e.Close()
			for round := range 10 {
				for _, name := range names {
					text := fmt.Sprintf("%s of process %d in round %d", name, process, round)
					_, err := e.WriteFile(name, func(w io.Writer) error {
						_, err := io.WriteString(w, text)
						return err
					})
					if err != nil {
						t.Errorf("write the %s: %v", text, err)
					}
				}
			}
		})
	}
	group.Wait()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.HasSuffix(string(text), "in round 9") {
			t.Errorf("%s holds %q (%v), want the picture of a last round", name, text, err)
		}
		if err := export(dir, name, "next"); err != nil {
			t.Errorf("%s cannot be replaced after the exports: %v", name, err)
		}
	}
}

// Another user may have created the lock file, which this user can then only read.
func TestExportsWithForeignLockFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, exportsLockName), nil, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := export(dir, "fit.svg", "picture"); err != nil {
		t.Error(err)
	}
}

// On a full disk, neither a new file nor a replacement is half-written.
func TestExportsOnFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := export(dir, "fit.svg", "whole"); err != nil {
		t.Fatal(err)
	}
	e := NewExports(fullFolder{folder(t, dir)})
	defer e.Close()
	for _, name := range []string{"fit.svg", "new.svg"} {
		_, err := e.WriteFile(name, func(w io.Writer) error {
			_, err := io.WriteString(w, strings.Repeat("x", 1<<20))
			return err
		})
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	got, _ := os.ReadFile(filepath.Join(dir, "fit.svg"))
	found := strings.Join(names, " ")
	if found != ".dgplab-exports.json .dgplab-exports.lock fit.svg" || string(got) != "whole" {
		t.Errorf("left %v, fit.svg holds %.20q", names, got)
	}
	if err := export(dir, "fit.svg", "next"); err != nil {
		t.Errorf("after a full disk: %v", err)
	}
}

var errFull = errors.New("no space left on device")

// fullFolder is a folder on a disk that has only room for small files.
type fullFolder struct{ files.Dir }

func (f fullFolder) OpenFile(name string, flag int, perm os.FileMode) (files.File, error) {
	file, err := f.Dir.OpenFile(name, flag, perm)
	return fullFile{file}, err
}

type fullFile struct{ files.File }

func (f fullFile) Write(p []byte) (int, error) {
	if len(p) > 1<<12 {
		n, _ := f.File.Write(p[:1<<12])
		return n, errFull
	}
	return f.File.Write(p)
}

// A damaged list of exports is not replaced, because it protects files of others.
func TestDamagedExports(t *testing.T) {
	for text, want := range map[string]string{
		`{"format":9,"files":{}}`:   "unsupported format 9",
		`{"format":1,"files":null}`: "unsupported format 1",
		`[`:                         "unexpected EOF",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, exportsName)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := export(dir, "fit.svg", "picture"); err == nil || err.Error() != path+": "+want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
