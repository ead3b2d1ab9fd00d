//go:build !windows

package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
)

// openDir opens a folder for a test.
func openDir(t *testing.T, path string) Dir {
	t.Helper()
	dir, err := OS.OpenDir(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return dir
}

// A Dir opens only regular files and real folders. Errors contain the full path.
func TestDirErrors(t *testing.T) {
	path := t.TempDir()
	wrong := irregular(t, path)
	dir := openDir(t, path)
	for name, want := range wrong {
		for _, flag := range []int{os.O_RDONLY, os.O_RDWR | os.O_CREATE, os.O_WRONLY | os.O_TRUNC} {
			var irregular *IrregularError
			file, err := dir.OpenFile(name, flag, Mode)
			want := filepath.Join(path, name) + ": " + want
			if !errors.As(err, &irregular) || err.Error() != want || file != nil {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
	opened := func(name string) error {
		folder, err := dir.OpenDir(name)
		if (folder == nil) != (err != nil) {
			t.Errorf("the folder %s is %v with error %v", name, folder, err)
		}
		return err
	}
	file := func(name string, flag int) error {
		_, err := dir.OpenFile(name, flag, Mode)
		return err
	}
	found := func(at string) error {
		folder, err := OpenDir(OS, filepath.Join(path, at))
		if (folder == nil) != (err != nil) {
			t.Errorf("the folder %s is %v with error %v", at, folder, err)
		}
		return err
	}
	for _, c := range []struct {
		err  error
		want string
		kind error
	}{
		{file("none", os.O_RDONLY), "open PATH/none: no such file or directory", fs.ErrNotExist},
		{file("outside", os.O_CREATE|os.O_EXCL), "open PATH/outside: file exists", fs.ErrExist},
		{dir.Mkdir("folder"), "mkdir PATH/folder: file exists", fs.ErrExist},
		{dir.Mkdir("none/inner"), "mkdir PATH/none/inner: no such file or directory", fs.ErrNotExist},
		{opened("none"), "open PATH/none: no such file or directory", fs.ErrNotExist},
		{opened("outside"), "open PATH/outside: not a folder", errNoFolder},
		{opened("link"), "PATH/link: a link, which is not followed", nil},
		{found("none/inner"), "stat PATH/none: no such file or directory", fs.ErrNotExist},
		{found("fifo/inner"), "open PATH/fifo: not a folder", errNoFolder},
		{found("outside"), "open PATH/outside: not a folder", errNoFolder},
		{dir.Mkdir("new"), "", nil},
		{opened("new"), "", nil},
		{found("new"), "", nil},
	} {
		want := strings.ReplaceAll(c.want, "PATH", path)
		if c.err != nil || want != "" {
			text := ""
			if c.err != nil {
				text = c.err.Error()
			}
			if text != want || c.kind != nil && !errors.Is(c.err, c.kind) {
				t.Errorf("%q, want %q", text, want)
			}
		}
	}
}

// A Dir refers to the same folder after a move, and operations on a closed Dir are errors.
func TestMovedDir(t *testing.T) {
	path := t.TempDir()
	before := filepath.Join(path, "before")
	after := filepath.Join(path, "after")
	if err := os.Mkdir(before, 0o755); err != nil {
		t.Fatal(err)
	}
	dir := openDir(t, before)
	if err := os.Rename(before, after); err != nil {
		t.Fatal(err)
	}
	if err := Replace(dir, "f", func(w io.Writer) error {
		_, err := io.WriteString(w, "text")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(after, "f")); string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	if err := os.WriteFile(filepath.Join(after, "g"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	names, err := dir.Names()
	slices.Sort(names)
	if !slices.Equal(names, []string{"f", "g"}) || err != nil {
		t.Errorf("%q, %v", names, err)
	}
	if _, err := os.Stat("/proc/self/fd"); err == nil && dir.CurrentPath() != after {
		t.Errorf("the folder is at %s, want %s", dir.CurrentPath(), after)
	}
	if err := os.RemoveAll(after); err != nil {
		t.Fatal(err)
	}
	if dir.Path() != before || dir.CurrentPath() != "" {
		t.Errorf("a removed folder: opened at %s, now at %q", dir.Path(), dir.CurrentPath())
	}
	dir.Close()
	if names, err := dir.Names(); names != nil || err == nil {
		t.Errorf("names of a closed folder: %q, %v", names, err)
	}
	if err := dir.Sync(); err == nil {
		t.Error("a closed folder is synced")
	}
	if got := dir.CurrentPath(); got != "" {
		t.Errorf("a closed folder is at %s", got)
	}
}

// Replace returns write errors of a file, also while the last bytes are flushed.
func TestReplaceOnAFullDisk(t *testing.T) {
	for _, size := range []int{1, 1 << 17} {
		dir := fullDir{openDir(t, t.TempDir())}
		err := Replace(dir, "f", func(w io.Writer) error {
			_, err := w.Write(make([]byte, size))
			return err
		})
		if !errors.Is(err, syscall.ENOSPC) || err.Error() != "write f: no space left on device" {
			t.Errorf("%d bytes: %v", size, err)
		}
		if names, err := dir.Names(); len(names) > 0 || err != nil {
			t.Errorf("left %q, %v", names, err)
		}
	}
}

// fullDir is a folder on a full disk.
type fullDir struct{ Dir }

func (d fullDir) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	file, err := d.Dir.OpenFile(name, flag, perm)
	return fullFile{file}, err
}

// fullFile is a file on a full disk.
type fullFile struct{ File }

func (fullFile) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "temporary", Err: syscall.ENOSPC}
}

// TestPipes reads a pipe in the background until its end, an error or cancellation.
func TestPipes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if !IsPipe(path) || IsPipe(filepath.Dir(path)) || IsPipe(path+"-") {
		t.Error("wrong pipes")
	}
	ctx, cancel := context.WithCancel(t.Context())
	reader := OpenPipe(ctx, path)
	writer, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4)
	if _, err := io.ReadFull(reader, got); string(got) != "text" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	writer.Close()
	if _, err := reader.Read(got); err != io.EOF {
		t.Errorf("the end of a pipe: %v", err)
	}
	blocked, _ := io.Pipe()
	waiting := ReadUntil(ctx, blocked)
	cancel()
	if _, err := waiting.Read(got); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled reader: %v", err)
	}
	if _, err := io.ReadAll(OpenPipe(t.Context(), path+"-")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing pipe: %v", err)
	}
}

// The text of a pipe can be read repeatedly. StorePipe returns errors of the pipe.
func TestStoredPipe(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	pipe, err := StorePipe("p", strings.NewReader("text"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		reader := pipe.Open()
		if text, err := io.ReadAll(reader); string(text) != "text" || err != nil || reader.Close() != nil {
			t.Errorf("%q, %v", text, err)
		}
	}
	if err := pipe.Close(); err != nil {
		t.Error(err)
	}
	if names, err := os.ReadDir(os.TempDir()); len(names) > 0 || err != nil {
		t.Errorf("left %v, %v", names, err)
	}
	bad := errors.New("no numbers")
	if pipe, err := StorePipe("p", iotest.ErrReader(bad)); pipe != nil || !errors.Is(err, bad) {
		t.Errorf("%v, %v", pipe, err)
	}
	t.Setenv("TMPDIR", filepath.Join(os.TempDir(), "none"))
	if pipe, err := StorePipe("p", strings.NewReader("")); pipe != nil || err == nil ||
		!strings.HasPrefix(err.Error(), "store the data from the pipe: ") {
		t.Errorf("no folder of temporary files: %v, %v", pipe, err)
	}
}

// WithoutPath keeps the description of an irregular file and the cause of other errors.
func TestWithoutPath(t *testing.T) {
	for want, err := range map[string]error{
		"a folder, not a file":      &IrregularError{"p", fs.ModeDir},
		"a device, not a file":      &IrregularError{"p", fs.ModeDevice},
		"not a regular file":        &IrregularError{"p", fs.ModeSocket},
		"file does not exist":       &fs.PathError{Op: "open", Path: "p", Err: fs.ErrNotExist},
		"file already exists":       &os.LinkError{Op: "rename", Old: "p", New: "q", Err: fs.ErrExist},
		"an error without any path": errors.New("an error without any path"),
	} {
		if got := WithoutPath(err); got.Error() != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if WithoutPath(nil) != nil {
		t.Error("nil is an error")
	}
}

// The message gives the limit on the size of a file, in KB if it is below 1 MB.
func TestLimits(t *testing.T) {
	for most, size := range map[int64]string{5 << 10: "5 KB", 1<<20 - 1: "1023 KB", 1 << 20: "1 MB"} {
		want := "read p: larger than " + size + ", the limit for this kind of file"
		if got := tooLarge("p", most).Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
