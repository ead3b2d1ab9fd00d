package session

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// contents returns the contents of the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

func TestDiagnoseAtLastCheckpoint(t *testing.T) {
	w := newWorld(t)
	end := wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
	record, err := Open(end.ID)
	if err != nil {
		t.Fatal(err)
	}
	before := contents(t, end.Dir)
	d, err := record.diagnose(context.Background(), w.environment())
	if err != nil {
		t.Fatal(err)
	}
	if d.Step != end.Step || !reflect.DeepEqual(d.Blocks, end.Diagnostics.Blocks) ||
		!reflect.DeepEqual(d.Units, end.Diagnostics.Units) {
		t.Errorf("diagnostics %+v; the run ended with %+v", d, end.Diagnostics)
	}
	if !reflect.DeepEqual(contents(t, end.Dir), before) {
		t.Error("Diagnose has changed the run directory")
	}
}

// Operations that rebuild the model of a run return the error of the step that fails.
func TestRebuildRefusals(t *testing.T) {
	type refusal struct {
		name  string
		spoil func(t *testing.T, w *fakeWorld, dir string)
		want  string
	}
	cases := []refusal{
		{"no checkpoint", func(t *testing.T, _ *fakeWorld, dir string) {
			if err := os.Remove(filepath.Join(dir, "checkpoint")); err != nil {
				t.Fatal(err)
			}
		}, "no checkpoint"},
		{"no data", func(_ *testing.T, w *fakeWorld, _ string) { w.loadErr = errors.New("gone") }, "gone"},
		{"a panic", func(_ *testing.T, w *fakeWorld, _ string) {
			w.onLoad = func(context.Context) { panic("boom\nand a stack") }
		}, "panicked: boom"},
	}
	for name, c := range unusable {
		spoil := func(_ *testing.T, w *fakeWorld, _ string) { c.spoil(w) }
		cases = append(cases, refusal{name, spoil, c.want})
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			end := wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
			record, err := Open(end.ID)
			if err != nil {
				t.Fatal(err)
			}
			c.spoil(t, w, end.Dir)
			_, diagnosed := record.diagnose(t.Context(), w.environment())
			_, predicted := record.predict(t.Context(), w.environment(), "rows", strings.NewReader("1,2,3\n"),
				io.Discard, PredictOptions{})
			written := record.writePosterior(t.Context(), w.environment(), io.Discard)
			for what, err := range map[string]error{
				"diagnose": diagnosed, "predict": predicted, "write the posterior": written,
			} {
				if err == nil || !strings.Contains(err.Error(), c.want) ||
					strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: error %q; want one line with %q", what, err, c.want)
				}
			}
		})
	}
}

// The posterior is not written if the test points cannot be read.
func TestPosteriorWithoutTestPoints(t *testing.T) {
	w := newWorld(t)
	end := wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
	record, err := Open(end.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(end.Dir, "test_points.csv")); err != nil {
		t.Fatal(err)
	}
	err = record.writePosterior(t.Context(), w.environment(), io.Discard)
	if err == nil || !strings.Contains(err.Error(), "has no test_points.csv") {
		t.Errorf("error %v", err)
	}
}
