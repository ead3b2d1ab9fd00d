package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"dgplab/models"
	"dgplab/session/rundir"
)

// A run starts from a named run or from the last run of a family on the same data. It records the copied
// parameters and lists them in a note.
func TestWarmStarts(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	run := func(family string, set ...string) *Snapshot {
		t.Helper()
		spec, err := models.Lookup(family)
		if err != nil {
			t.Fatal(err)
		}
		c := realConfig(spec)
		c.Set["keep"] = "last"
		for _, pair := range set {
			name, value, _ := strings.Cut(pair, "=")
			c.Set[name] = value
		}
		r, err := Start(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		return r.Wait()
	}
	if _, err := Start(context.Background(), warmConfig(t, "star", "mean-field")); err == nil ||
		!strings.Contains(err.Error(), "the family has no finished run on steps, interpolation:0, seed 5") {
		t.Errorf("without such a run: %v", err)
	}
	source := run("mean-field")
	own := run("mean-field", "warm_start=mean-field") // has no effect
	star := run("star", "warm_start="+source.ID)
	full := run("fully-coupled", "warm_start=star", "warm_optimizer=kept")
	for _, s := range []*Snapshot{source, own, star, full} {
		if s.Stop != rundir.StopSteps {
			t.Fatalf("%s: %s, %v", s.ID, s.Stop, s.Err)
		}
	}
	readConfig := func(s *Snapshot) *rundir.ConfigFile {
		c, err := rundir.ReadConfig(s.Dir)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if w := readConfig(own).WarmStart; w != nil || own.Last.Objective != source.Last.Objective {
		t.Errorf("start from its own family: %+v", w)
	}
	w := readConfig(star).WarmStart
	if w == nil || w.Run != source.ID || w.Family != "mean-field" || w.Step != 12 || len(w.Unused) > 0 ||
		slices.ContainsFunc(w.Own, func(n string) bool { return !strings.HasPrefix(n, "q_sqrt.") }) {
		t.Fatalf("%+v", w)
	}
	if !slices.ContainsFunc(star.Notes, func(text string) bool {
		return strings.HasPrefix(text, "started from "+source.ID+" (mean-field, step 12): ")
	}) {
		t.Errorf("the note is missing: %q", star.Notes)
	}
	if text := w.Text(); text != source.ID+" (mean-field, step 12), 12 of 14 parameters copied" {
		t.Errorf("its label is %q", text)
	}
	if w := readConfig(full).WarmStart; w == nil || w.Run != star.ID {
		t.Errorf("start from a family: %+v", w)
	}
	if bad := run("star", "warm_start="+source.ID, "kernel=matern52"); bad.Stop != rundir.StopFailed ||
		!strings.Contains(bad.Err.Error(), "kernel=rbf but this run has matern52") {
		t.Errorf("another kernel: %s, %v", bad.Stop, bad.Err)
	}
	if bad := run("sgpr", "warm_start="+source.ID); bad.Stop != rundir.StopFailed ||
		!strings.Contains(bad.Err.Error(), "start from "+source.ID) {
		t.Errorf("another kind: %s, %v", bad.Stop, bad.Err)
	}

	// Repeating the run gives the same results bit for bit.
	again := run("star", "warm_start="+source.ID)
	if again.Last.Objective != star.Last.Objective {
		t.Errorf("the repeated run ends at %v, not %v", again.Last.Objective, star.Last.Objective)
	}
}

// A family name selects only runs on the same data and split. Runs on another split are trained on test
// points of this run.
func TestWarmStartsFromFamiliesUseSameData(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	table := func(name string, phase float64) string {
		text := "a,b,y,z\n"
		for i := range 40 {
			x := float64(i) / 7
			text += fmt.Sprintf("%g,%g,%g,%g\n", x, math.Cos(3*x+phase), math.Sin(x), math.Sin(2*x))
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	path := table("one.csv", 0)
	fileConfig := func(family string, fields ...string) rundir.Config {
		t.Helper()
		spec, err := models.Lookup(family)
		if err != nil {
			t.Fatal(err)
		}
		c := realConfig(spec)
		fields = append([]string{"dataset=" + path, "targets=y", "columns=ignore=b"}, fields...)
		for _, field := range append(fields, "split=interpolation:0") {
			name, value, _ := strings.Cut(field, "=")
			if name == "split" && c.Split != "" {
				continue
			}
			if err := c.SetField(name, value); err != nil {
				t.Fatal(err)
			}
		}
		return c
	}
	want := fileConfig("star", "warm_start=mean-field")
	for _, other := range [][]string{
		{"split=interpolation:1"}, {"seed=6"}, {"columns=ignore=a"}, {"targets=z"},
		{"dataset=" + table("two.csv", 1)},
	} {
		mustTrain(t, fileConfig("mean-field", other...))
		r, err := Start(context.Background(), want)
		if err == nil {
			r.Stop()
			r.Wait()
			t.Errorf("a run starts from one with %s", other)
		} else if !strings.Contains(err.Error(), "the family has no finished run on") {
			t.Fatal(other, err)
		}
	}
	same := mustTrain(t, fileConfig("mean-field"))
	c, err := rundir.ReadConfig(mustTrain(t, want).Dir)
	if err != nil || c.WarmStart == nil || c.WarmStart.Run != same.ID {
		t.Errorf("it starts from %+v, want %s: %v", c.WarmStart, same.ID, err)
	}
}

// Of the runs of a family, a run of the same sweep takes precedence, then the one with most hyperparameters
// in common, then the newest.
func TestChoiceOfWarmStart(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	spec, err := models.Lookup("mean-field")
	if err != nil {
		t.Fatal(err)
	}
	train := func(sweep, inducing string) string {
		c := realConfig(spec)
		c.Set["inducing"] = inducing
		r, err := Start(context.Background(), c, WithSweep(sweep))
		if err != nil {
			t.Fatal(err)
		}
		return wait(t, r, rundir.StopSteps).ID
	}
	target, err := realEnvironment().ResolveNew(warmConfig(t, "star", "mean-field"))
	if err != nil {
		t.Fatal(err)
	}
	alike := target.Values["inducing"]
	swept := train("a", alike)
	train("a", "7")
	older := train("", alike)
	newer := train("", alike)
	train("", "6")
	for sweep, want := range map[string]string{"a": swept, "": newer, "b": newer} {
		w, err := realEnvironment().sourceOf(t.Context(), target, sweep)
		if err != nil || w.Run != want {
			t.Errorf("in the sweep %q: %+v, %v; want %s of %s, %s, %s", sweep, w, err, want,
				swept, older, newer)
		}
	}
}

// warmConfig returns a small run with a warm start.
func warmConfig(t *testing.T, family, from string) rundir.Config {
	t.Helper()
	spec, err := models.Lookup(family)
	if err != nil {
		t.Fatal(err)
	}
	c := realConfig(spec)
	c.Set["warm_start"] = from
	return c
}

// A run that cannot take its initial parameters from another run fails with the reason.
func TestWarmStartErrors(t *testing.T) {
	w := newWorld(t)
	source := wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
	for name, c := range map[string]struct {
		spoil func(w *fakeWorld)
		want  string
	}{
		"the run is gone": {func(w *fakeWorld) {
			w.onLoad = func(context.Context) {
				if err := os.Rename(source.Dir, filepath.Join(t.TempDir(), "elsewhere")); err != nil {
					t.Error(err)
				}
			}
		}, "no run "},
		"its model cannot be built": {func(w *fakeWorld) {
			w.onBuild = func(model int) error {
				if model == 2 {
					return errors.New("too small")
				}
				return nil
			}
		}, "too small"},
		"its parameters are invalid": {func(w *fakeWorld) {
			w.onRestored = func(step int) error { return fmt.Errorf("step %d is not finite", step) }
		}, "step 60 is not finite"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &fakeWorld{stepCost: time.Millisecond}
			c.spoil(w)
			s := wait(t, w.start(t, fakeConfig("warm_start="+source.ID)), rundir.StopFailed)
			if want := "start from " + source.ID + ": " + c.want; !strings.HasPrefix(s.Err.Error(), want) {
				t.Errorf("error %v, want %s", s.Err, want)
			}
			if s.Step != 0 {
				t.Errorf("the run has done %d steps", s.Step)
			}
			w.onLoad = nil
			if _, err := os.Stat(source.Dir); err != nil {
				source = wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
			}
		})
	}

	// The newest run of a family is looked up before the run begins.
	if _, err := Start(t.Context(), fakeConfig("warm_start=svgp"),
		withEnvironment(w.environment())); err == nil ||
		!strings.HasPrefix(err.Error(), `warm_start=svgp: unknown family "fake"`) {
		t.Errorf("a run of an unknown family: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DGPLAB_RUNS", file)
	_, err := Start(t.Context(), warmConfig(t, "star", "mean-field"))
	if want := "warm_start=mean-field: "; !errors.Is(err, syscall.ENOTDIR) ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("a file as the folder of runs: %v", err)
	}
}
