//go:build !windows

package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// irregular creates irregular files of all types and returns the expected description of each, by
// name.
func irregular(t *testing.T, dir string) map[string]string {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(at("outside"), []byte("kept"), 0o644))
	must(syscall.Mkfifo(at("fifo"), 0o644))
	must(os.Mkdir(at("folder"), 0o755))
	must(os.Symlink(at("outside"), at("link")))
	must(os.Symlink("/dev/zero", at("zero")))
	must(os.Symlink(at("nothing"), at("broken")))
	return map[string]string{
		"fifo": "a pipe, not a file", "folder": "a folder, not a file",
		"link": "a link, which is not followed",
		"zero": "a link, which is not followed", "broken": "a link, which is not followed",
	}
}

// TestOnlyRegularFilesAreOpened checks that opening neither blocks, follows links nor creates
// files.
func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	for name, want := range irregular(t, dir) {
		path := filepath.Join(dir, name)
		for _, flag := range []int{os.O_RDONLY, os.O_RDWR | os.O_CREATE, os.O_WRONLY | os.O_TRUNC} {
			var wrong *IrregularError
			if _, err := OS.OpenFile(path, flag, Mode); !errors.As(err, &wrong) ||
				err.Error() != path+": "+want {
				t.Errorf("%s: error %v, want %s", name, err, want)
			}
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "outside")); err != nil || string(text) != "kept" {
		t.Errorf("the file behind a link has %q, %v", text, err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "nothing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was created through a link: %v", err)
	}
	if _, err := Open(OS, filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error of a missing file: %v", err)
	}
}

// TestLinksToRegularFilesAreFollowed checks that OpenLinked follows links to regular files.
func TestLinksToRegularFilesAreFollowed(t *testing.T) {
	dir := t.TempDir()
	irregular(t, dir)
	if text, err := ReadLinked(filepath.Join(dir, "link"), 4); err != nil || string(text) != "kept" {
		t.Errorf("%q, %v", text, err)
	}
	for name, want := range map[string]string{
		"fifo": "a pipe, not a file", "folder": "a folder, not a file", "zero": "a device, not a file",
	} {
		path := filepath.Join(dir, name)
		if _, err := ReadLinked(path, 4); err == nil || err.Error() != path+": "+want {
			t.Errorf("%s: error %v, want %s", name, err, want)
		}
	}
	if _, err := ReadLinked(filepath.Join(dir, "broken"), 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a broken link: %v", err)
	}
	if _, err := ReadLinked(filepath.Join(dir, "link"), 3); err == nil {
		t.Error("a file larger than the limit was read")
	}
}

// TestReadHasALimit reads a sparse file of 8 GB.
func TestReadHasALimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 8<<30); err != nil {
		t.Skip(err)
	}
	if _, err := Read(OS, path, 64<<20); err == nil ||
		!strings.HasSuffix(err.Error(), "large: larger than 64 MB, the limit for this kind of file") {
		t.Errorf("error %v", err)
	}
	if err := os.Truncate(path, 64); err != nil {
		t.Fatal(err)
	}
	if text, err := Read(OS, path, 64); err != nil || len(text) != 64 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

// TestModesFollowUmask checks the modes of new and replaced files.
func TestModesFollowUmask(t *testing.T) {
	dir := t.TempDir()
	defer syscall.Umask(syscall.Umask(0))
	for _, mask := range []int{0o077, 0o022, 0o002, 0o027} {
		syscall.Umask(mask)
		if err := ReplaceAt(OS, filepath.Join(dir, "f"), func(io.Writer) error { return nil }); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, "f"))
		if want := fs.FileMode(0o666 &^ mask); err != nil || info.Mode().Perm() != want {
			t.Errorf("umask %03o: mode %v, want %v (%v)", mask, info.Mode(), want, err)
		}
	}
}

// TestReplaceErrors checks that errors do not contain the random names of temporary files and that
// no temporary file is left behind.
func TestReplaceErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(io.Writer) error { return nil }
	if err := os.MkdirAll(filepath.Join(dir, "f", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := ReplaceAt(OS, filepath.Join(dir, "f"), write); err == nil ||
		err.Error() != "write f: file exists" {
		t.Errorf("a folder in the way: %v", err)
	}
	if err := ReplaceAt(OS, filepath.Join(dir, "none", "f"), write); err == nil ||
		err.Error() != "write f: no such file or directory" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	bad := errors.New("no numbers")
	if err := ReplaceAt(OS, filepath.Join(dir, "g"), func(io.Writer) error {
		return bad
	}); !errors.Is(err, bad) || err.Error() != "write g: no numbers" {
		t.Errorf("an error of the writer: %v", err)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, TempPrefix+"*")); len(names) > 0 {
		t.Errorf("left %v", names)
	}
}
