package rundir

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// Reports with damaged or overlong lines can be repaired. A copy of the old report is kept.
func TestSalvage(t *testing.T) {
	const first, last = `{"step":1,"seconds":1}` + "\n", `{"step":2,"seconds":2}` + "\n"
	long := `{"step":9,"note":"` + strings.Repeat("x", 2*maxLine) + "\"}\n"
	for name, c := range map[string]struct{ text, want string }{
		"sound":              {first + last, first + last},
		"a line that is odd": {first + "{\n" + last, first + last},
		"a long line":        {first + long + last, first + last},
		"blanks":             {first + strings.Repeat(" ", 2*maxLine) + last + last, first + last},
		"a long last line":   {first + long[:len(long)-1], first},
		"an unsound line":    {first + `{"step":7}` + "\n" + last, first + last},
		"a torn line":        {first + last[:9], first},
		"nothing":            {"", ""},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, metricsName), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := salvage(folder(t, dir), func(p Point) bool { return p.Step != 7 }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got, err := os.ReadFile(filepath.Join(dir, metricsName))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: the report is %.100q (%v), want %q", name, got, err, c.want)
		}
		if old, err := os.ReadFile(filepath.Join(dir, DamagedFile)); err != nil || string(old) != c.text {
			t.Errorf("%s: the old report is %.100q, %v", name, old, err)
		}
	}
}

// A repair replaces a missing report, or a folder in its place, with an empty report.
func TestSalvageOfNoFile(t *testing.T) {
	dir := t.TempDir()
	if err := salvage(folder(t, dir), func(Point) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, metricsName)); err != nil || len(text) > 0 {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, DamagedFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a copy of a missing report: %v", err)
	}
}

// An error while an overlong line is skipped is returned.
func TestSalvageReadError(t *testing.T) {
	text := io.MultiReader(strings.NewReader(strings.Repeat("x", maxLine+1<<17)), iotest.ErrReader(errDisk))
	if err := copySound(io.Discard, text, func(Point) bool { return true }); !errors.Is(err, errDisk) {
		t.Errorf("error %v", err)
	}
}
