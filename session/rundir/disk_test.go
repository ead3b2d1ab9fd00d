package rundir

import (
	"errors"
	"os"
	"testing"
	"time"

	"dgplab/datasets/files"
	"dgplab/datasets/files/filestest"
)

var errDisk = errors.New("input/output error")

// Operations on runs report disk failures. A few failures are harmless, such as leftovers that cannot be
// removed. The counts fail the test if a disk operation, such as a sync, is added or left out.
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
		{"trash", 19, 6, func(string) error { return Trash(id) }},
		{"untrash", 8, 0, func(string) error { return Untrash("20250102-b") }},
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
			files.OS = &filestest.Disk{Disk: whole}
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
			disk := &filestest.Disk{Disk: whole, At: at}
			files.OS = disk
			err = test.run(dir)
			files.OS = whole
			reached = disk.Failed != ""
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
