//go:build !windows

package rundir

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dgplab/models"
)

// endedRun creates a run that has ended in an empty folder of runs.
func endedRun(t *testing.T) *Writer {
	t.Helper()
	file := &ConfigFile{
		Config:      Config{Dataset: "steps", Family: "mf", Set: map[string]string{}},
		Values:      models.Values{},
		ObjectiveIs: elbo,
	}
	w, err := Create(file, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for step := range 3 {
		if err := w.Append(Point{Step: step + 1, Objective: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.CloseLog(),
		w.SaveSummary(&Summary{
			Format:      SummaryFormat,
			ID:          file.ID,
			Stop:        StopSteps,
			Step:        3,
			Config:      file.Config,
			ObjectiveIs: elbo,
		}), w.Close()); err != nil {
		t.Fatal(err)
	}
	return w
}

// If a pipe, a link or a sparse file replaces any file of a run, all readers return, with an error if the
// file is required. Other runs are not affected.
func TestHostileFilesAffectOnlyTheirRun(t *testing.T) {
	mischief := map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"zeros":  func(path string) error { return os.Symlink("/dev/zero", path) },
		"folder": func(path string) error { return os.Mkdir(path, 0o755) },
		"sparse": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 8<<30))
		},
	}
	for kind, put := range mischief {
		for _, name := range []string{configName, metricsName, checkpointName, summaryName, pointsName,
			diagnosticsName, lockName, notesName} {
			t.Run(kind+" "+name, func(t *testing.T) {
				t.Setenv("DGPLAB_RUNS", t.TempDir())
				endedRun(t)
				bad := endedRun(t)
				path := filepath.Join(bad.Dir(), name)
				os.Remove(path)
				if err := put(path); err != nil {
					t.Skip(err)
				}
				runs, err := List()
				if err != nil || len(runs) != 2 {
					t.Fatalf("%d runs, %v", len(runs), err)
				}
				for _, info := range runs {
					broken := info.Dir == bad.Dir() && (name == configName || name == summaryName)
					if (info.State == Broken) != broken || broken != (info.Err != nil) ||
						info.State == Running {
						t.Errorf("%s is %s, %v", info.ID, info.State, info.Err)
					}
				}
				info, err := Find(filepath.Base(bad.Dir()))
				if err != nil {
					t.Fatal(err)
				}
				_, pointsErr := info.Predictions()
				_, insideErr := info.Diagnostics()
				_, checkpointErr := ReadCheckpoint(info.Dir)
				_, linesErr := ReadPoints(info.Dir, func(Point) bool { return true }, func(Point) {})
				CheckpointStep(info.Dir)
				_, _, _ = Follow(info.Dir).Next()
				for file, err := range map[string]error{
					pointsName: pointsErr, diagnosticsName: insideErr, checkpointName: checkpointErr,
					metricsName: linesErr, notesName: info.NotesErr,
				} {
					if file == name &&
						(err == nil || errors.Is(err, fs.ErrNotExist) ||
							strings.Contains(err.Error(), "\n")) {
						t.Errorf("%s: error %v", file, err)
					}
				}
			})
		}
	}
}

// Nothing is written through a link that replaces a file of a run.
func TestNothingIsWrittenThroughLinks(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	outside := filepath.Join(t.TempDir(), "precious")
	for _, name := range []string{configName, metricsName, checkpointName, summaryName, pointsName,
		diagnosticsName, CrashFile, lockName, notesName} {
		if err := os.WriteFile(outside, []byte("kept"), 0o644); err != nil {
			t.Fatal(err)
		}
		dir := endedRun(t).Dir()
		path := filepath.Join(dir, name)
		os.Remove(path)
		if err := os.Symlink(outside, path); err != nil {
			t.Fatal(err)
		}
		if w, err := Reopen(filepath.Base(dir)); err != nil {
			if name != lockName {
				t.Errorf("%s: %v", name, err)
			}
		} else {
			if err := w.Continue(0); err != nil {
				if name != metricsName {
					t.Errorf("%s: %v", name, err)
				}
			} else {
				_ = errors.Join(w.Forget(nil), w.Append(Point{Step: 1}), w.CloseLog(),
					w.SaveCheckpoint(Progress{}, nil, nil), w.SaveConfig(&ConfigFile{}),
					w.SaveSummary(&Summary{}),
					w.SavePredictions(0, &Predictions{}), w.SaveDiagnostics(&Diagnostics{}),
					w.SaveCrash("no"))
			}
			w.Close()
		}
		_ = Annotate(filepath.Base(dir), func(n *Notes) { n.Name = "other" })
		if text, err := os.ReadFile(outside); err != nil || string(text) != "kept" {
			t.Errorf("%s: the link's target contains %q, %v", name, text, err)
		}
	}
}

// The umask determines the modes of all files of a run.
func TestUmaskDecidesModes(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", filepath.Join(t.TempDir(), "runs"))
	defer syscall.Umask(syscall.Umask(0o077))
	w := endedRun(t)
	if err := Annotate(filepath.Base(w.Dir()), func(n *Notes) { n.Name = "a" }); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteFile(w.Dir(), "export.svg", func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	root, _ := Root()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A run that has moved to another disk is listed and found through a link in its place. A link that leads
// nowhere is listed as a broken run with its target, and a link to a file is not a run.
func TestRunsBehindLinks(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	root, _ := Root()
	w := endedRun(t)
	id := filepath.Base(w.Dir())
	elsewhere := filepath.Join(t.TempDir(), "disk")
	if err := errors.Join(os.Rename(w.Dir(), elsewhere), os.Symlink(elsewhere, w.Dir())); err != nil {
		t.Skip(err)
	}
	check := func(want State, text string) {
		t.Helper()
		runs, err := List()
		if err != nil || len(runs) != 1 || runs[0].ID != id || runs[0].State != want {
			t.Fatalf("%+v, %v; want one run, %s", runs, err, want)
		}
		found, err := Find(id)
		if err != nil || found.State != want {
			t.Errorf("found %+v, %v", found, err)
		}
		if text != "" && !strings.Contains(found.Err.Error(), text) {
			t.Errorf("the error is %v", found.Err)
		}
	}
	file := filepath.Join(root, "file")
	err := errors.Join(os.WriteFile(elsewhere+".txt", nil, 0o600), os.Symlink(elsewhere+".txt", file))
	if err != nil {
		t.Fatal(err)
	}
	check(Ended, "")
	if err := os.Rename(elsewhere, elsewhere+"2"); err != nil {
		t.Fatal(err)
	}
	check(Broken, "is a link to "+elsewhere+", where there is no run")
	if err := errors.Join(os.Remove(w.Dir()), os.Symlink(w.Dir(), w.Dir())); err != nil {
		t.Fatal(err)
	}
	check(Broken, "")
}
