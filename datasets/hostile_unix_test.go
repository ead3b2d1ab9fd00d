//go:build unix

package datasets

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dgplab/datasets/files"
)

// TestDataAreRegularFiles loads pipes, devices and a link to a file; only the link is accepted.
func TestDataAreRegularFiles(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "t.csv")
	link := filepath.Join(dir, "link.csv")
	pipe := filepath.Join(dir, "pipe.csv")
	text := []byte("x,y\n1,2\n2,3.5\n3,5\n4,4.5\n")
	if err := errors.Join(os.WriteFile(table, text, 0o644), os.Symlink(table, link),
		syscall.Mkfifo(pipe, 0o644)); err != nil {
		t.Skip(err)
	}
	if _, err := Load(context.Background(), Source{Name: link}); err != nil {
		t.Errorf("a link to a file: %v", err)
	}
	for _, name := range []string{pipe, "/dev/zero"} {
		var irregular *files.IrregularError
		if _, err := Load(context.Background(), Source{Name: name}); !errors.As(err, &irregular) {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := Describe(context.Background(), Source{Name: name}); !errors.As(err, &irregular) {
			t.Errorf("%s described: error %v", name, err)
		}
	}
}

// TestPipesAreReadAgain loads data from a pipe twice.
func TestPipesAreReadAgain(t *testing.T) {
	pipe, err := files.StorePipe("/dev/null", strings.NewReader("x,y\n1,2\n2,3.5\n3,5\n4,4.5\n"))
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	for range 2 {
		if ds, err := Load(context.Background(), Source{
			Name: "/dev/null",
			Pipe: pipe,
		}); err != nil || ds.X.RawMatrix().Rows != 4 {
			t.Errorf("%v, %v", ds, err)
		}
	}
}

// TestHostileCache replaces the files of a cached set by pipes and links.
func TestHostileCache(t *testing.T) {
	folder := t.TempDir()
	outside := filepath.Join(t.TempDir(), "precious")
	if err := errors.Join(os.WriteFile(outside, []byte("kept"), 0o644),
		syscall.Mkfifo(filepath.Join(folder, verifiedName), 0o644),
		syscall.Mkfifo(filepath.Join(folder, "data.txt"), 0o644)); err != nil {
		t.Skip(err)
	}
	if known := readVerified(folder); known != nil {
		t.Errorf("a pipe says %v", known)
	}
	if _, err := readExactly(filepath.Join(folder, "data.txt"), 4); !errors.Is(err, errOtherSize) {
		t.Errorf("a pipe in the place of data: %v", err)
	}
	if err := errors.Join(os.Remove(filepath.Join(folder, verifiedName)),
		os.Symlink(outside, filepath.Join(folder, verifiedName))); err != nil {
		t.Fatal(err)
	}
	verified{"data.txt": 1}.write(folder)
	if text, err := os.ReadFile(outside); err != nil || string(text) != "kept" {
		t.Errorf("the file behind a link has %q, %v", text, err)
	}
	if known := readVerified(folder); known["data.txt"] != 1 {
		t.Errorf("written %v", known)
	}
}
