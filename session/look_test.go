package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session/memory"
	"dgplab/session/probe"
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
	record, err := rundir.FindReadOnly(end.ID)
	if err != nil {
		t.Fatal(err)
	}
	before := contents(t, end.Dir)
	d, err := diagnose(context.Background(), record, w.environment())
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
			record, err := rundir.FindReadOnly(end.ID)
			if err != nil {
				t.Fatal(err)
			}
			c.spoil(t, w, end.Dir)
			_, diagnosed := diagnose(t.Context(), record, w.environment())
			_, predicted := predict(t.Context(), record, w.environment(), "rows",
				strings.NewReader("1,2,3\n"), io.Discard, PredictOptions{})
			written := writePosterior(t.Context(), record, w.environment(), io.Discard)
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

// An error of the model becomes the error of the operation that asks for it.
func TestModelErrorsOfRecords(t *testing.T) {
	w := newWorld(t)
	w.bias = worseAfter(100)
	end := wait(t, w.start(t, fakeConfig("steps=200")), rundir.StopSteps)
	if end.KeptStep == end.Step {
		t.Fatal("the last parameters are kept")
	}
	record, err := rundir.FindReadOnly(end.ID)
	if err != nil {
		t.Fatal(err)
	}
	diagnose := func() error { _, err := diagnose(t.Context(), record, w.environment()); return err }
	export := func() error { return writePosterior(t.Context(), record, w.environment(), io.Discard) }
	w.predictErr = errors.New("no prediction") // Otherwise there are diagnostics without the views.
	for _, c := range []struct {
		name string
		do   func() error
		err  *error
	}{
		{"diagnose", diagnose, &w.viewsErr},
		{"export the draws", export, &w.viewsErr},
		{"export the posterior", export, &w.posteriorErr},
	} {
		*c.err = errors.New("not finite")
		if err := c.do(); err == nil || !strings.Contains(err.Error(), "not finite") {
			t.Errorf("%s: error %v", c.name, err)
		}
		*c.err = nil
	}
	w.predictErr = nil
	w.onRestored = func(step int) error {
		if step == end.KeptStep {
			return errors.New("not finite")
		}
		return nil
	}
	want := fmt.Sprintf("restore the parameters of step %d: not finite", end.KeptStep)
	if err := diagnose(); err == nil || err.Error() != want {
		t.Errorf("diagnose the kept parameters: error %v, want %s", err, want)
	}
	again := wait(t, w.start(t, fakeConfig("steps=200")), rundir.StopFailed)
	if again.Err.Error() != want {
		t.Errorf("train: error %v, want %s", again.Err, want)
	}
}

// If the context ends before the model is built, no model is built.
func TestRebuildIsCancelled(t *testing.T) {
	w := newWorld(t)
	end := wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
	record, err := rundir.FindReadOnly(end.ID)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	env := w.environment()
	env.memory = memory.NewLedger(func() float64 { cancel(); return 1e9 })
	built := w.built
	if _, err := diagnose(ctx, record, env); !errors.Is(err, context.Canceled) || w.built != built {
		t.Errorf("diagnosed: error %v, %d models were built", err, w.built-built)
	}
	ctx, cancelRun := context.WithCancel(t.Context())
	env.memory = memory.NewLedger(func() float64 { cancelRun(); return 1e9 })
	r, err := Start(ctx, fakeConfig(), withEnvironment(env))
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, r, rundir.StopAsked); w.built != built || len(s.Warnings) > 1 {
		t.Errorf("trained: %d models were built, warnings %q", w.built-built, s.Warnings)
	}
}

// All kept draws of a chain are exported, with the shape chains by draws.
func TestExportedDraws(t *testing.T) {
	w := newWorld(t)
	w.chains = &view.Chains{Quantities: []view.ChainQuantity{
		{Name: "variance", Kept: &view.ChainDraws{Every: 5, Draws: []view.Rounded{{1, 2, 3}, {4, 5, 6}}}},
		{Name: "without draws"},
		{Name: "before the first draw", Kept: &view.ChainDraws{Every: 5}},
	}}
	tr := &trainer{probe: &probe.Probe{Model: &fakeModel{world: w, step: make([]float64, 1),
		weight: make([]float64, 1)}}}
	var out family.Arrays
	if err := tr.addDraws(&out); err != nil {
		t.Fatal(err)
	}
	if len(out.Tensors) != 1 {
		t.Fatalf("%d arrays, want 1", len(out.Tensors))
	}
	if a := out.Tensors[0]; a.Name != "draws.variance" || !slices.Equal(a.Shape, []int{2, 3}) ||
		!slices.Equal(a.Data, []float64{1, 2, 3, 4, 5, 6}) ||
		!strings.HasPrefix(a.About, "every draw number 5 ") {
		t.Errorf("exported %+v", a)
	}
}

// The description names the arrays of the file. For each missing array, it gives the reason.
func TestAboutPosterior(t *testing.T) {
	run := rundir.Info{ConfigFile: rundir.ConfigFile{ID: "a",
		Config: rundir.Config{Family: "star", Dataset: "boston"}}}
	tr := &trainer{probe: &probe.Probe{Model: &fakeModel{world: &fakeWorld{}, noise: []float64{2}},
		Data: &datasets.Prepared{Scaling: datasets.Scaling{Log: true, TargetMean: []float64{3}}}}}
	out := tr.parameters()
	if err := addTest(&out, run, tr); err != nil {
		t.Fatal(err)
	}
	lines := strings.Join(about(run, out), "\n")
	for _, want := range []string{
		"posterior of the run a, family star, data boston\n",
		"\ntarget_mean (1): standardised target = (log target - mean) / sd\n",
		"\nparameter.likelihood.variance (1): learned parameter\n",
		"\nmissing: predictions of the test points: the run was not evaluated",
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("%q is missing in\n%s", want, lines)
		}
	}
}

// The posterior is not written if the test points cannot be read.
func TestPosteriorWithoutTestPoints(t *testing.T) {
	w := newWorld(t)
	end := wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
	record, err := rundir.FindReadOnly(end.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(end.Dir, "test_points.csv")); err != nil {
		t.Fatal(err)
	}
	err = writePosterior(t.Context(), record, w.environment(), io.Discard)
	if err == nil || !strings.Contains(err.Error(), "has no test_points.csv") {
		t.Errorf("error %v", err)
	}
}
