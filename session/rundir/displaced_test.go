//go:build !windows

package rundir

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dgplab/models"
)

// writing starts a run with three report lines in an empty folder of runs.
func writing(t *testing.T) *Writer {
	t.Helper()
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	file := &ConfigFile{
		Config:      Config{Dataset: "steps", Family: "mf", Set: map[string]string{}},
		Values:      models.Values{},
		ObjectiveIs: elbo,
	}
	w, err := Create(file, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	lines(t, w, 1, 2, 3)
	return w
}

// lines appends report lines.
func lines(t *testing.T, w *Writer, steps ...int) {
	t.Helper()
	for _, step := range steps {
		if err := w.Append(Point{Step: step, Objective: 1}); err != nil {
			t.Fatal(err)
		}
	}
}

// stepsIn returns the steps of the report lines in a folder. It fails the test if the report has
// anything else.
func stepsIn(t *testing.T, dir string) (steps []int) {
	t.Helper()
	offset, err := ReadPoints(dir, func(Point) bool { return true }, func(p Point) {
		steps = append(steps, p.Step)
	})
	text, failed := os.ReadFile(filepath.Join(dir, metricsName))
	if err != nil || failed != nil || int64(len(text)) != offset || bytes.IndexByte(text, 0) >= 0 {
		t.Errorf("%v, %v: %q", err, failed, text)
	}
	return steps
}

// If another process changes the report, the writer reports the change and restores the report at the next
// checkpoint.
func TestReportChangedByOthers(t *testing.T) {
	cases := []struct {
		name, notices string
		change        func(path string) error
		kept          []int
	}{
		{"removed", "metrics.jsonl was removed or replaced; it was recreated", os.Remove, []int{1, 2, 3}},
		{"cut to nothing", "metrics.jsonl was truncated; its lines after step 0 are lost",
			func(path string) error { return os.Truncate(path, 0) }, nil},
		{"cut within a line", "metrics.jsonl was truncated; its lines after step 1 are lost",
			func(path string) error { return os.Truncate(path, 120) }, []int{1}},
		{"replaced by a copy", "metrics.jsonl was removed or replaced; it was recreated",
			func(path string) error {
				return errors.Join(os.WriteFile(path+"2", []byte("{\"step\":1}\n"), 0o644),
					os.Rename(path+"2", path))
			}, []int{1, 2, 3}},
		{"replaced by a link", "metrics.jsonl was removed or replaced; it was recreated",
			func(path string) error {
				return errors.Join(os.WriteFile(path+"2", []byte("kept"), 0o644), os.Remove(path),
					os.Symlink(path+"2", path))
			}, []int{1, 2, 3}},
		{"longer", "metrics.jsonl was extended by another program; the extra data were removed",
			func(path string) error {
				text, err := os.ReadFile(path)
				return errors.Join(err, os.WriteFile(path, append(text, text...), 0o644))
			}, []int{1, 2, 3}},
	}
	for _, c := range cases {
		for _, more := range [][]int{nil, {4, 5}} {
			t.Run(fmt.Sprint(c.name, more), func(t *testing.T) {
				w := writing(t)
				if err := w.Sync(); err != nil || w.TakeNotices() != nil {
					t.Fatalf("an unchanged run: %v", err)
				}
				if err := c.change(filepath.Join(w.Dir(), metricsName)); err != nil {
					t.Fatal(err)
				}
				if c.name == "longer" && more != nil {
					t.Skip("the next line overwrites the added data")
				}
				lines(t, w, more...)
				if err := w.Sync(); err != nil {
					t.Fatal(err)
				}
				if notices := w.TakeNotices(); !slices.Equal(notices, []string{c.notices}) {
					t.Errorf("notices %q", notices)
				}
				if err := w.CloseLog(); err != nil || w.TakeNotices() != nil {
					t.Error(err)
				}
				got := stepsIn(t, w.Dir())
				want := slices.Concat(c.kept, more)
				if !slices.Equal(got, want) {
					t.Errorf("steps %v, want %v", got, want)
				}
				if text, err := os.ReadFile(filepath.Join(w.Dir(), metricsName+"2")); err == nil &&
					string(text) != "kept" {
					t.Errorf("the link's target contains %q", text)
				}
			})
		}
	}
}

// A report whose lines did not fit into memory is incomplete.
func TestDiscardedLinesAreReported(t *testing.T) {
	w := writing(t)
	defer w.Close()
	w.log.lost = 2
	if err := w.CloseLog(); err == nil || err.Error() != "metrics.jsonl is incomplete (2 lines lost)" {
		t.Errorf("error %v", err)
	}
}

// saveAll writes every file of a run.
func saveAll(w *Writer) error {
	return errors.Join(w.Sync(), w.SaveCheckpoint(Progress{Step: 3}, nil, nil), w.SaveConfig(&ConfigFile{}),
		w.SaveSummary(&Summary{}),
		w.SavePredictions(3, &Predictions{P: 1}), w.SaveDiagnostics(&Diagnostics{}),
		w.SaveCrash("no"), w.CloseLog())
}

// If a link or another folder replaces the directory of a run, the run keeps writing to its own
// directory.
func TestReplacedDirectory(t *testing.T) {
	outside := t.TempDir()
	for name, exchange := range map[string]func(dir string) error{
		"link":   func(dir string) error { return os.Symlink(outside, dir) },
		"folder": func(dir string) error { return os.Mkdir(dir, 0o755) },
		"none":   func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			w := writing(t)
			dir := w.Dir()
			elsewhere := filepath.Join(t.TempDir(), "moved")
			if err := errors.Join(os.Rename(dir, elsewhere), exchange(dir)); err != nil {
				t.Fatal(err)
			}
			lines(t, w, 4)
			if err := saveAll(w); err != nil {
				t.Errorf("writing returns %v", err)
			}
			for _, folder := range []string{outside, dir} {
				if names, _ := filepath.Glob(filepath.Join(folder, "*")); names != nil {
					t.Errorf("written into %s: %q", folder, names)
				}
			}
			if steps := stepsIn(t, elsewhere); !slices.Equal(steps, []int{1, 2, 3, 4}) {
				t.Errorf("steps %v", steps)
			}
			if cp, err := ReadCheckpoint(elsewhere); err != nil || cp.Run != filepath.Base(dir) {
				t.Errorf("checkpoint %v, %v", cp, err)
			}
			notices := w.TakeNotices()
			if len(notices) != 1 || w.TakeNotices() != nil ||
				!strings.HasPrefix(notices[0], "the run directory was moved; the run continues in ") &&
					!strings.HasPrefix(notices[0], "the run directory is no longer at ") {
				t.Errorf("notices %q", notices)
			}
		})
	}
}

// Writing to a removed directory fails.
func TestRemovedDirectory(t *testing.T) {
	w := writing(t)
	if err := os.RemoveAll(w.Dir()); err != nil {
		t.Fatal(err)
	}
	err := saveAll(w)
	if notices := w.TakeNotices(); err == nil || len(notices) == 0 ||
		notices[0] != "the run directory is no longer at "+w.Dir()+" and was not found elsewhere" {
		t.Errorf("notices %q, error %v", notices, err)
	}
	if _, err := os.Stat(w.Dir()); err == nil {
		t.Error("the directory was recreated")
	}
}

// A removed lock file is locked again. If another process is faster, the writer stops writing.
func TestRemovedLock(t *testing.T) {
	w := writing(t)
	lock := filepath.Join(w.Dir(), lockName)
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if err := w.Sync(); err != nil {
		t.Fatal(err)
	}
	if notices := w.TakeNotices(); !slices.Equal(notices,
		[]string{"the lock file was removed or replaced; it was locked again"}) || !Locked(w.Dir()) {
		t.Errorf("notices %q, locked %v", notices, Locked(w.Dir()))
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	other, err := Reopen(filepath.Base(w.Dir()))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := w.Sync(); !errors.Is(err, ErrRunning) || w.Lost() == nil {
		t.Errorf("locked by another process: %v", err)
	}
	before, err := os.ReadFile(filepath.Join(w.Dir(), configName))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(Point{Step: 9}); !errors.Is(err, ErrRunning) {
		t.Errorf("a report line: %v", err)
	}
	if err := saveAll(w); !errors.Is(err, ErrRunning) {
		t.Errorf("all else: %v", err)
	}
	after, err := os.ReadFile(filepath.Join(w.Dir(), configName))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the configuration was written: %v", err)
	}
	if steps := stepsIn(t, w.Dir()); !slices.Equal(steps, []int{1, 2, 3}) {
		t.Errorf("steps %v", steps)
	}
}

// Nothing is written through a link in place of the trash or of a run directory.
func TestLinksAreNotFollowed(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	root, _ := Root()
	dir := runDir(t, "20250101-a", nil)
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, trashName)); err != nil {
		t.Skip(err)
	}
	if err := Trash("20250101-a"); err == nil ||
		!strings.HasSuffix(err.Error(), ".trash: a link, which is not followed") {
		t.Errorf("a trash that is a link: %v", err)
	}
	if _, err := OpenFolder(".sweeps", "s"); err != nil {
		t.Error(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, ".sweeps", "l")); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFolder(".sweeps", "l"); err == nil ||
		!strings.HasSuffix(err.Error(), ": a link, which is not followed") {
		t.Errorf("a sweep that is a link: %v", err)
	}
	if err := errors.Join(os.Rename(dir, filepath.Join(outside, "run")),
		os.Symlink(filepath.Join(outside, "run"), dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteFile(dir, "export.svg", nil); err == nil ||
		!strings.HasSuffix(err.Error(), "a link, which is not followed") {
		t.Errorf("an export: %v", err)
	}
	if _, err := os.Stat(filepath.Join(outside, "run", "export.svg")); err == nil {
		t.Error("an export was written through the link")
	}
	for _, err := range []error{Annotate("20250101-a", func(n *Notes) { n.Name = "x" }),
		Trash("20250101-a")} {
		if err == nil || !strings.HasSuffix(err.Error(), "a link, which is not followed") {
			t.Errorf("a run that is a link: %v", err)
		}
	}
}
