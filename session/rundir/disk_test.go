package rundir

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dgplab/datasets/files"
	"dgplab/datasets/files/filestest"
	"dgplab/models"
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
		{"create", 25, 13, func(string) error {
			config := Config{Dataset: "steps", Family: "mf"}
			w, err := Create(&ConfigFile{Config: config, ObjectiveIs: elbo}, time.Now())
			if err != nil {
				return err
			}
			return errors.Join(w.CloseLog(), w.Close())
		}},
		{"append", 30, 18, writer(func(w *Writer) error {
			if err := w.Continue(0); err != nil {
				return err
			}
			err := errors.Join(w.Append(Point{Step: 1}), w.Sync(), w.Append(Point{Step: 2}))
			return errors.Join(err, w.CloseLog())
		})},
		{"forget", 24, 13, writer(func(w *Writer) error {
			if err := w.Continue(0); err != nil {
				return err
			}
			return errors.Join(w.Forget(nil), w.CloseLog())
		})},
		{"salvage", 26, 7, writer(func(w *Writer) error { return w.Salvage(sound) })},
		{"checkpoint", 17, 7, writer(func(w *Writer) error {
			return w.SaveCheckpoint(Progress{Step: 3}, someArrays(), nil)
		})},
		{"diagnostics", 17, 7, writer(func(w *Writer) error {
			return w.SaveDiagnostics(&Diagnostics{Step: 3})
		})},
		{"predictions", 17, 7, writer(func(w *Writer) error {
			return w.SavePredictions(3, pointsOf(400, 1, false))
		})},
		{"points left out", 25, 7, writer(func(w *Writer) error {
			return w.SaveLeftOut(3, pointsOf(4000, 1, false))
		})},
		{"large checkpoint", 21, 7, writer(func(w *Writer) error {
			large := []models.Array{{Name: "a", Data: make([]float64, 1<<15)}}
			return w.SaveCheckpoint(Progress{Step: 3}, large, nil)
		})},
		{"removed report", 42, 23, writer(func(w *Writer) error {
			if err := w.Continue(0); err != nil {
				return err
			}
			err := errors.Join(w.Append(Point{Step: 1}), w.Sync(),
				os.Remove(filepath.Join(w.Dir(), metricsName)), w.Append(Point{Step: 2}), w.Sync())
			return errors.Join(err, w.CloseLog())
		})},
		{"summary", 17, 7, writer(func(w *Writer) error { return w.SaveSummary(&Summary{ID: id}) })},
		{"crash", 17, 7, writer(func(w *Writer) error { return w.SaveCrash("text") })},
		{"configuration", 17, 7, writer(func(w *Writer) error { return w.SaveConfig(&ConfigFile{ID: id}) })},
		{"annotate", 8, 0, func(string) error { return Annotate(id, func(n *Notes) { n.Name = "best" }) }},
		{"export", 14, 0, func(dir string) error { return export(dir, "fit.svg", "picture") }},
		{"trash", 20, 7, func(string) error { return Trash(id) }},
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
		{"follow", 1, 2, func(dir string) error {
			points, restarted, err := Follow(dir).Next()
			if err == nil && (len(points) != 1 || restarted && points[0].Step != 1) {
				t.Errorf("followed %v", points)
			}
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
				saveCheckpoint(open, checkpointName, id, Progress{Step: 1}, someArrays(), nil),
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

// shortWriter fails after some bytes.
type shortWriter struct{ left int }

func (w *shortWriter) Write(p []byte) (int, error) {
	if w.left < len(p) {
		return w.left, errDisk
	}
	w.left -= len(p)
	return len(p), nil
}

// Writing stops at the first error of the writer, wherever it occurs.
func TestWriteErrors(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	id := filepath.Base(endedRunAt(t, 1))
	run, err := Find(id)
	if err != nil {
		t.Fatal(err)
	}
	entries := []*cacheEntry{{info: run}}
	for name, write := range map[string]func(io.Writer) error{
		"checkpoint": func(w io.Writer) error {
			return encodeCheckpoint(w, "id", Progress{Step: 3}, someArrays(), nil)
		},
		"index": func(w io.Writer) error { return encodeIndex(w, entries) },
		"salvage": func(w io.Writer) error {
			text := "{\"step\":1}\n" + strings.Repeat("x", maxLine+2) + "\n{\"step\":2}\n"
			return copySound(w, strings.NewReader(text), func(Point) bool { return true })
		},
	} {
		var whole bytes.Buffer
		if err := write(&whole); err != nil || whole.Len() == 0 {
			t.Fatalf("%s: %v", name, err)
		}
		for n := 0; n < whole.Len(); n += 1 + whole.Len()/100 {
			if err := write(&shortWriter{n}); !errors.Is(err, errDisk) {
				t.Errorf("%s: error %v after %d bytes of %d", name, err, n, whole.Len())
			}
		}
	}
}

// Times that are not numbers are no JSON.
func TestInvalidTimes(t *testing.T) {
	for name, err := range map[string]error{
		"checkpoint": encodeCheckpoint(io.Discard, "id", Progress{Seconds: math.NaN()}, nil, nil),
		"summary":    json.NewEncoder(io.Discard).Encode(&Summary{Seconds: math.Inf(1)}),
	} {
		if err == nil || !strings.Contains(err.Error(), "unsupported value") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
