package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/datasets/files"
	"dgplab/datasets/files/filestest"
	"dgplab/models"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// phases returns the phases of a run with three starts and a later phase.
func phases(step int) string {
	switch {
	case step <= 3:
		return fmt.Sprintf("start %d", step)
	case step >= 23 && step < 60:
		return "late"
	}
	return ""
}

// The first step of every phase has a report line and reads the notes of the model.
func TestPhasesAreReported(t *testing.T) {
	w := newWorld(t)
	w.phases = phases
	s := wait(t, w.start(t, fakeConfig("steps=90", "metrics_every=50", "validation_every=50")),
		rundir.StopSteps)
	var got []string
	for _, p := range s.Curve {
		got = append(got, fmt.Sprintf("%d %s", p.Step, p.Phase))
	}
	want := []string{"1 start 1", "2 start 2", "3 start 3", "4 ", "23 late", "50 late", "60 ", "90 "}
	if !slices.Equal(got, want) {
		t.Errorf("report lines %q, want %q", got, want)
	}
	var again []string
	_, err := rundir.ReadPoints(s.Dir, func(rundir.Point) bool { return true }, func(p rundir.Point) {
		again = append(again, fmt.Sprintf("%d %s", p.Step, p.Phase))
	})
	if err != nil || !slices.Equal(again, want) {
		t.Errorf("read as %q, %v", again, err)
	}
}

// A run that was stopped or killed at any step and resumed equals an uninterrupted run bit for bit.
func TestResumedEqualsUninterrupted(t *testing.T) {
	w := newWorld(t)
	w.phases = phases
	set := []string{"steps=90", "checkpoint_every=7", "validation_points=5", "metrics_every=4"}
	whole := w.start(t, fakeConfig(set...))
	wholeEnd := wait(t, whole, rundir.StopSteps)
	wantLines := lines(t, whole.Dir())
	wantParameters := parameters(t, whole.Dir())
	wantTest, _ := json.Marshal(wholeEnd.Test)

	same := func(t *testing.T, id string, s *Snapshot, dir string) {
		t.Helper()
		if got := lines(t, dir); got != wantLines {
			t.Errorf("%s: report lines differ:\n%s\nwant\n%s", id, got, wantLines)
		}
		if got := parameters(t, dir); !bytes.Equal(got, wantParameters) {
			t.Errorf("%s: parameters differ:\n%s\nwant\n%s", id, got, wantParameters)
		}
		if got, _ := json.Marshal(s.Test); !bytes.Equal(got, wantTest) {
			t.Errorf("%s: test scores %s, want %s", id, got, wantTest)
		}
		if len(s.Curve) != len(wholeEnd.Curve) || s.BestVal != wholeEnd.BestVal ||
			s.BestStep != wholeEnd.BestStep || s.Rescues != wholeEnd.Rescues {
			t.Errorf("%s: snapshots differ", id)
		}
	}
	resume := func(t *testing.T, id string) *Run {
		t.Helper()
		r, err := Resume(context.Background(), id, withEnvironment(w.environment()))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Run("stopped", func(t *testing.T) {
		for _, at := range []int{1, 23, 24, 40, 89} { // the line of step 24 has no validation
			s := stopAt(t, w, at, set...)
			if s.Step != at || s.CheckpointStep != at {
				t.Fatalf("stopped at %d with a checkpoint at %d, want %d", s.Step, s.CheckpointStep, at)
			}
			if last := s.Curve[len(s.Curve)-1]; last.Step != at || math.IsNaN(last.ValLogLik) {
				t.Errorf("stopped at %d, with the report line %+v", at, last)
			}
			again := resume(t, s.ID[:len(s.ID)-1])
			same(t, s.ID, wait(t, again, rundir.StopSteps), s.Dir)
		}
	})
	t.Run("died", func(t *testing.T) {
		for _, at := range []int{3, 8, 50, 85} {
			// dead is the directory after a power loss at this step.
			dead := ""
			var r *Run
			started := make(chan struct{})
			w.onStep = func(step int) error {
				<-started
				if step == at {
					dead = r.ID() + "-dead"
					copyDir(t, r.Dir(), filepath.Join(filepath.Dir(r.Dir()), dead))
				}
				return nil
			}
			r = w.start(t, fakeConfig(set...))
			close(started)
			wait(t, r, rundir.StopSteps)
			w.onStep = nil
			dir := filepath.Join(filepath.Dir(r.Dir()), dead)
			rename(t, dir, dead)
			tear(t, dir)
			again := resume(t, dead)
			same(t, dead, wait(t, again, rundir.StopSteps), dir)
		}
	})
	t.Run("more steps", func(t *testing.T) {
		short := append([]string{}, set...)
		// 33 is not a multiple of any interval: the last line exists only because the run ends there.
		short[0] = "steps=33"
		r := w.start(t, fakeConfig(short...))
		wait(t, r, rundir.StopSteps)
		if _, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment())); err == nil ||
			!strings.Contains(err.Error(), "33 steps") {
			t.Errorf("resuming a finished run: %v", err)
		}
		again, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment()), WithSteps(90))
		if err != nil {
			t.Fatal(err)
		}
		same(t, r.ID(), wait(t, again, rundir.StopSteps), r.Dir())
	})
}

// A resumed run repeats a cancelled validation and then equals an uninterrupted run.
func TestCancelledValidationIsRepeated(t *testing.T) {
	w := newWorld(t)
	// 16 points in one chunk each, at steps 10, 20, ...
	c := fakeConfig("validation_every=10", "validation_samples=4096", "early_stopping=on")
	whole := w.start(t, c)
	wait(t, whole, rundir.StopSteps)

	ctx, cancel := context.WithCancel(context.Background())
	predicted := 0
	w.onPredict = func(samples int) {
		if samples != 4096 {
			return // This is a prediction for the fit.
		}
		predicted++
		if predicted == 16+4 {
			cancel()
		}
	}
	// Live diagnostics are off because they also call Predict.
	r, err := Start(ctx, c, withEnvironment(w.environment()), WithoutLiveDiagnostics())
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, r, rundir.StopAsked); s.Step != 20 || s.CheckpointStep != 20 || predicted != 20 ||
		len(s.Warnings) != len(whole.Latest().Warnings) {
		t.Errorf("step %d, checkpoint %d, %d points predicted, warnings %q",
			s.Step, s.CheckpointStep, predicted, s.Warnings)
	}
	w.onPredict = nil
	var s *Snapshot
	for _, steps := range []int{20, 20 + 1, 60} { // The first one ends right after the validation.
		again, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment()), WithSteps(steps))
		if err != nil {
			t.Fatal(err)
		}
		s = wait(t, again, rundir.StopSteps)
	}
	got := lines(t, r.Dir())
	want := lines(t, whole.Dir())
	if got != want {
		t.Errorf("report lines\n%s\nwant\n%s", got, want)
	}
	if !bytes.Equal(parameters(t, r.Dir()), parameters(t, whole.Dir())) {
		t.Error("the checkpoints differ")
	}
	if a, b := s, whole.Latest(); a.BestVal != b.BestVal || a.BestStep != b.BestStep ||
		len(a.Curve) != len(b.Curve) {
		t.Errorf("best %v at %d, want %v at %d", a.BestVal, a.BestStep, b.BestVal, b.BestStep)
	}
}

// A run that is interrupted in the validation of its last step and resumed has the checkpoint of an
// uninterrupted run: with that validation, and with the parameters that it chooses.
func TestCancelledLastValidation(t *testing.T) {
	w := newWorld(t)
	c := fakeConfig("steps=20", "validation_every=10", "validation_samples=4096")
	whole := w.start(t, c)
	wait(t, whole, rundir.StopSteps)
	cp, err := rundir.ReadCheckpoint(whole.Dir())
	if err != nil {
		t.Fatal(err)
	}
	want := cp.Progress
	ctx, cancel := context.WithCancel(context.Background())
	predicted := 0
	w.onPredict = func(samples int) {
		if samples != 4096 {
			return // This is a prediction for the fit.
		}
		predicted++
		if predicted == 16+4 {
			cancel()
		}
	}
	r, err := Start(ctx, c, withEnvironment(w.environment()), WithoutLiveDiagnostics())
	if err != nil {
		t.Fatal(err)
	}
	wait(t, r, rundir.StopAsked)
	w.onPredict = nil
	again, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	s := wait(t, again, rundir.StopSteps)
	cp, err = rundir.ReadCheckpoint(r.Dir())
	if err != nil {
		t.Fatal(err)
	}
	got := cp.Progress
	if got.Pending != nil {
		t.Errorf("the checkpoint still waits for the validation of step %d", got.Pending.Step)
	}
	if got.BestVal != want.BestVal || got.BestStep != want.BestStep {
		t.Errorf("best validation %v at step %d; want %v at %d", got.BestVal, got.BestStep, want.BestVal,
			want.BestStep)
	}
	if got.Kept == nil || want.Kept == nil || got.Kept.Step != want.Kept.Step ||
		s.KeptStep != want.Kept.Step {
		t.Errorf("kept %+v and scored step %d; want %+v", got.Kept, s.KeptStep, want.Kept)
	}
	if !bytes.Equal(parameters(t, r.Dir()), parameters(t, whole.Dir())) {
		t.Error("the parameters in the checkpoints differ")
	}
}

// rename changes the ID of a copied run directory.
func rename(t *testing.T, dir, id string) {
	t.Helper()
	file, err := rundir.ReadConfig(dir)
	if err != nil {
		t.Fatal(err)
	}
	cp, missing := rundir.ReadCheckpoint(dir)
	if missing != nil && !errors.Is(missing, os.ErrNotExist) {
		t.Fatal(missing)
	}
	files, err := rundir.Reopen(id)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	file.ID = id
	if err := files.SaveConfig(file); err != nil {
		t.Fatal(err)
	}
	if missing != nil {
		return
	}
	kept, _ := cp.Result()
	if err := files.SaveCheckpoint(cp.Progress, cp.Arrays, kept); err != nil {
		t.Fatal(err)
	}
}

// tear adds half a line and the temporary file of an interrupted write.
func tear(t *testing.T, dir string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "metrics.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, `{"step":1000,"obj`)
	f.Close()
	if err := os.WriteFile(filepath.Join(dir, ".tmp-checkpoint-1"), []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestResumeRefusesOtherData(t *testing.T) {
	w := newWorld(t)
	w.onStep = func(step int) error { return errors.New("stop here") }
	r := w.start(t, fakeConfig())
	wait(t, r, rundir.StopFailed)
	w.onStep, w.shift = nil, 1e-9
	again, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, again, rundir.StopFailed); !strings.Contains(s.Err.Error(),
		"have changed since the run began") {
		t.Errorf("error %v", s.Err)
	}
}

// A run keeps its results if resuming fails because the data are different or missing, or because it was
// stopped before they were loaded.
func TestFailedResumeKeepsResults(t *testing.T) {
	w := newWorld(t)
	r := w.start(t, fakeConfig())
	done := wait(t, r, rundir.StopSteps)
	before := contents(t, r.Dir())
	for name, fail := range map[string]func(*environment){
		"other data": func(*environment) { w.shift = 1e-9 },
		"no data": func(env *environment) {
			env.load = func(context.Context, datasets.Source) (*datasets.Dataset, error) {
				return nil, errors.New("gone")
			}
		},
	} {
		env := w.environment()
		fail(&env)
		again, err := Resume(context.Background(), r.ID(), WithSteps(done.Steps+5), withEnvironment(env))
		if err != nil {
			t.Fatal(err)
		}
		if s := wait(t, again, rundir.StopFailed); s.Err == nil {
			t.Errorf("%s: no error", name)
		}
		w.shift = 0
		if after := contents(t, r.Dir()); !reflect.DeepEqual(after, before) {
			t.Errorf("%s: the run directory has changed", name)
		}
	}
	for name, c := range unusable {
		broken := &fakeWorld{}
		c.spoil(broken)
		again, err := Resume(context.Background(), r.ID(), WithSteps(done.Steps+5),
			withEnvironment(broken.environment()))
		if err != nil {
			t.Fatal(err)
		}
		if s := wait(t, again, rundir.StopFailed); !strings.Contains(s.Err.Error(), c.want) {
			t.Errorf("%s: %v", name, s.Err)
		}
		if after := contents(t, r.Dir()); !reflect.DeepEqual(after, before) {
			t.Errorf("%s: the run directory has changed", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stopped, err := Resume(ctx, r.ID(), WithSteps(done.Steps+5), withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	wait(t, stopped, rundir.StopAsked)
	info, err := rundir.Find(r.ID())
	if err != nil || info.State != rundir.Ended || info.Results.Stop != rundir.StopSteps ||
		info.Results.Test == nil {
		t.Errorf("after a cancelled resume: %+v, %v", info, err)
	}
	// It can be resumed once the data are available again.
	again, err := Resume(context.Background(), r.ID(), WithSteps(done.Steps+5),
		withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, again, rundir.StopSteps); s.Step != done.Steps+5 || s.Test == nil {
		t.Errorf("resumed: %+v", s)
	}
}

func TestResumeRefusesDamage(t *testing.T) {
	w := newWorld(t)
	w.onStep = func(step int) error {
		if step == 30 {
			return errors.New("enough")
		}
		return nil
	}
	r := w.start(t, fakeConfig("checkpoint_every=8"))
	wait(t, r, rundir.StopFailed)
	path := filepath.Join(r.Dir(), "checkpoint")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)-50] ^= 4
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment())); err == nil ||
		!strings.Contains(err.Error(), "checksum") {
		t.Errorf("error %v", err)
	}
	if s, err := rundir.ReadSummary(r.Dir()); s == nil || err != nil {
		t.Error("a refused resume changed the directory")
	}
	if rundir.Locked(r.Dir()) {
		t.Error("a refused resume keeps the lock")
	}
}

// A run that has taken all of its steps but has not ended keeps the results of its last step, even if the
// report line of that step was not due or is lost.
func TestNoStepsLeft(t *testing.T) {
	for _, c := range []struct {
		set  []string
		lost bool // the report line of the last step is lost
	}{{set: []string{"steps=57", "metrics_every=10"}}, {set: []string{"steps=60", "metrics_every=10"}},
		{[]string{"steps=57", "metrics_every=10"}, true}} {
		w := newWorld(t)
		whole := wait(t, w.start(t, fakeConfig(c.set...)), rundir.StopSteps)
		if err := os.Remove(filepath.Join(whole.Dir, "summary.json")); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(whole.Dir, "metrics.jsonl")
		if c.lost {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text = bytes.TrimSuffix(text, []byte("\n"))
			if err := os.WriteFile(path, text[:bytes.LastIndexByte(text, '\n')+1], 0o644); err != nil {
				t.Fatal(err)
			}
		}
		again, err := Resume(context.Background(), whole.ID, withEnvironment(w.environment()))
		if err != nil {
			t.Fatal(err)
		}
		s := wait(t, again, rundir.StopSteps)
		got := float64(s.Objective)
		want := float64(whole.Objective)
		if s.Step != whole.Step || got != want {
			t.Errorf("%v, lost %v: ELBO %g at step %d, want %g", c.set, c.lost, got, s.Step, want)
		}
		if !slices.Equal(s.Last.Readings, whole.Last.Readings) {
			t.Errorf("%v: %v, want %v", c.set, s.Last.Readings, whole.Last.Readings)
		}
	}
}

// A run whose configuration or number of steps does not allow it to continue is refused with the reason.
func TestResumeRefusesConfiguration(t *testing.T) {
	for _, c := range []struct {
		old, text string // an edit of config.json
		steps     int
		want      string
	}{
		{`"family": "fake"`, `"family": "nobody"`, 0, "no such family"},
		{`"rate": "0.01",`, ``, 0, "no value for rate"},
		{"", "", 20, "the checkpoint is at step 50, beyond the 20 requested steps"},
	} {
		w := newWorld(t)
		dir := stopped(t, w)
		path := filepath.Join(dir, "config.json")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte(c.old)) {
			t.Fatalf("%s is not in the configuration", c.old)
		}
		text = bytes.ReplaceAll(text, []byte(c.old), []byte(c.text))
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err = Resume(t.Context(), filepath.Base(dir), withEnvironment(w.environment()), WithSteps(c.steps))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// The report line of a run that continues beyond its end is written again without the results of the end. If
// that fails, the run fails.
func TestResumeRewritesLastLine(t *testing.T) {
	w := newWorld(t)
	end := wait(t, w.start(t, fakeConfig("steps=57", "metrics_every=3")), rundir.StopSteps)
	root := os.Getenv("DGPLAB_RUNS")
	whole := files.OS
	defer func() { files.OS = whole }()
	for at := 1; ; at++ {
		copied := t.TempDir()
		copyDir(t, root, copied)
		t.Setenv("DGPLAB_RUNS", copied)
		disk := &filestest.Disk{Disk: whole, At: at}
		files.OS = disk
		r, err := Resume(t.Context(), end.ID, withEnvironment(w.environment()), WithSteps(60))
		if err != nil {
			continue
		}
		s := r.Wait()
		if disk.Failed != "rename metrics.jsonl" {
			if disk.Failed == "" {
				t.Fatal("the report is not replaced")
			}
			continue
		}
		if s.Stop != rundir.StopFailed || s.Step != 57 ||
			!strings.Contains(s.Err.Error(), "write metrics.jsonl: ") {
			t.Errorf("ended by %s at step %d: %v", s.Stop, s.Step, s.Err)
		}
		return
	}
}

// A run whose data file has moved is resumed with the file in its new place, and equals a run whose file
// stayed. Other data in that place are refused, and the run stays as it was.
func TestResumeWithMovedData(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	spec, err := models.Lookup("svgp")
	if err != nil {
		t.Fatal(err)
	}
	c := realConfig(spec)
	c.Dataset = tinyTable(t)
	whole, err := Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	want := wait(t, whole, rundir.StopSteps)
	part, err := Start(context.Background(), config.WithSteps(c, 7))
	if err != nil {
		t.Fatal(err)
	}
	wait(t, part, rundir.StopSteps)
	moved := filepath.Join(t.TempDir(), "moved.csv")
	if err := os.Rename(c.Dataset, moved); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(moved)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.csv")
	changed := bytes.Replace(text, []byte("0,1,"), []byte("0,1,1"), 1)
	if err := os.WriteFile(other, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(context.Background(), part.ID(), WithSteps(12)); err == nil ||
		!strings.Contains(err.Error(), "--data PATH") {
		t.Errorf("without its file: %v", err)
	}
	refused, err := Resume(context.Background(), part.ID(), WithSteps(12), WithData(other))
	if err != nil {
		t.Fatal(err)
	}
	s := refused.Wait()
	for _, text := range []string{"does not hold the data of the run", c.Dataset, other} {
		if s.Err == nil || !strings.Contains(s.Err.Error(), text) {
			t.Errorf("with another file: %v; want %s", s.Err, text)
		}
	}
	rest, err := Resume(context.Background(), part.ID(), WithSteps(12), WithData(moved))
	if err != nil {
		t.Fatal(err)
	}
	got := wait(t, rest, rundir.StopSteps)
	checkSame(t, got, want)
	if got.Dataset != c.Dataset {
		t.Errorf("the run has the data set %s, want %s as at its start", got.Dataset, c.Dataset)
	}
}
