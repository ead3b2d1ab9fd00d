//go:build unix

package settings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A settings file that is not a small regular file leads to a single problem.
func TestHostileFilesAreOneProblem(t *testing.T) {
	nested := func(open, inside, closed string, n int) func(string) error {
		text := "theme=" + strings.Repeat(open, n) + inside + strings.Repeat(closed, n) + "\n"
		return func(path string) error { return os.WriteFile(path, []byte(text), 0o644) }
	}
	cases := []struct {
		name string
		put  func(path string) error
		want string
	}{
		{"pipe", func(path string) error { return syscall.Mkfifo(path, 0o644) }, "a pipe, not a file"},
		{"zeros", func(path string) error { return os.Symlink("/dev/zero", path) }, "a device, not a file"},
		{"folder", func(path string) error { return os.Mkdir(path, 0o755) }, "a folder, not a file"},
		{"sparse", func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 8<<30))
		}, "larger than 64 KB, the limit for this kind of file"},
		{"5 million lists", nested("[", "", "", 5_000_000),
			"larger than 64 KB, the limit for this kind of file"},
		{"lists", nested("[", "", "]", 30_000),
			"theme: " + strings.Repeat("[", 153) + " ... " + strings.Repeat("]", 33) +
				" is not one of auto, light, dark, high-contrast"},
		{"inline tables", nested("{a=", "1", "}", 15_000),
			"tables are nested too deeply; file ignored"},
		{"dots", func(path string) error {
			return os.WriteFile(path, []byte("theme"+strings.Repeat(".a", 30_000)+" = 1\n"), 0o644)
		}, "tables are nested too deeply; file ignored"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("XDG_CONFIG_HOME", t.TempDir())
			path := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "dgplab", "settings.toml")
			if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o755), c.put(path)); err != nil {
				t.Fatal(err)
			}
			if _, problems := Load(); len(problems) != 1 || problems[0].Error() != path+": "+c.want {
				t.Errorf("problems %.300q, want %q", problems, c.want)
			}
		})
	}
}

// The settings file can be a symbolic link, which a change keeps.
func TestSettingsLink(t *testing.T) {
	inFolder(t)
	elsewhere := filepath.Join(t.TempDir(), "mine.toml")
	folder := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "dgplab")
	err := errors.Join(os.WriteFile(elsewhere, []byte("frame_rate = 7\n"), 0o644), os.Mkdir(folder, 0o755),
		os.Symlink(elsewhere, filepath.Join(folder, "settings.toml")))
	if err != nil {
		t.Fatal(err)
	}
	if s, problems := Load(); s.FrameRate != 7 || problems != nil {
		t.Errorf("%+v, %v", s, problems)
	}
	link := filepath.Join(folder, "settings.toml")
	if err := Write("frame_rate", int64(8)); err != nil || textOf(t, elsewhere) != "frame_rate = 8\n" {
		t.Errorf("after the change: %v, %q", err, textOf(t, elsewhere))
	}
	if target, err := os.Readlink(link); err != nil || target != elsewhere {
		t.Errorf("the link leads to %q, %v; want %s", target, err, elsewhere)
	}
	if err := os.Remove(elsewhere); err != nil {
		t.Fatal(err)
	}
	want := "write settings.toml: it is a link to a file that does not exist"
	if err := Write("frame_rate", int64(9)); err == nil || err.Error() != want {
		t.Errorf("without the target: %v, want %s", err, want)
	}
}
