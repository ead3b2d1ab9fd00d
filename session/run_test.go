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
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dgplab/datasets/table"
	"dgplab/session/rundir"
	"dgplab/session/watch"
)

// lines returns the report lines of a run. Seconds depend on the clock and are set to 0.
func lines(t *testing.T, dir string) string {
	t.Helper()
	var text []byte
	if _, err := rundir.ReadPoints(dir, func(rundir.Point) bool { return true }, func(p rundir.Point) {
		p.Seconds = 0
		text = append(p.AppendJSON(text, ""), '\n')
	}); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parameters returns the arrays of a run's checkpoint as bytes.
func parameters(t *testing.T, dir string) []byte {
	t.Helper()
	cp, err := rundir.ReadCheckpoint(dir)
	if err != nil {
		t.Fatal(err)
	}
	cp.Progress.Seconds = 0
	if last := cp.Progress.Last; last != nil {
		last.Seconds = 0
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(cp.Progress); err != nil {
		t.Fatal(err)
	}
	result, _ := cp.Result()
	for _, a := range slices.Concat(cp.Arrays, result) {
		fmt.Fprintln(&b, a.Name, a.Data)
	}
	return b.Bytes()
}

func copyDir(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

func TestRunToTheEnd(t *testing.T) {
	w := newWorld(t)
	r := w.start(t, fakeConfig())
	s := wait(t, r, rundir.StopSteps)
	d := s.Data
	if s.Step != 60 || d.N != 144 || d.Validation != 16 || d.Test != 40 || d.D != 3 || d.P != 1 ||
		s.Parameters != 4 || s.Variational != 3 {
		t.Errorf("snapshot %+v", s)
	}
	if s.Split != "interpolation:0" || s.Rescues != 1 || s.CheckpointStep != 60 || s.Diagnostics == nil ||
		s.Diagnostics.Step != 60 {
		t.Errorf("snapshot %+v", s)
	}
	if math.IsNaN(float64(s.BestVal)) || s.BestStep == 0 ||
		s.Test == nil || s.Test.N != 40 || s.Test.Samples != 1 ||
		s.Test.NLL != -s.Test.LogLik {
		t.Errorf("best %v at %d, test %+v", s.BestVal, s.BestStep, s.Test)
	}
	// There are 60 steps of a millisecond, and diagnostics take no time.
	if math.Abs(s.Seconds-0.06) > 1e-9 || math.Abs(float64(s.StepsPerSecond)-1000) > 1e-6 {
		t.Errorf("%v seconds, %v steps per second", s.Seconds, s.StepsPerSecond)
	}
	var steps []int
	for _, p := range s.Curve {
		steps = append(steps, p.Step)
	}
	if len(steps) != 7 || steps[0] != 1 || steps[6] != 60 {
		t.Errorf("report lines at %v", steps)
	}
	summary, err := rundir.ReadSummary(r.Dir())
	if err != nil || summary.Test == nil || summary.Stop != rundir.StopSteps ||
		summary.Hyper[0].Name != "likelihood.variance" || len(summary.Hyper[0].Value) == 0 {
		t.Errorf("summary %+v, %v", summary, err)
	}
	if rundir.Locked(r.Dir()) {
		t.Error("the lock is still held")
	}
}

func TestSameSeedSameResults(t *testing.T) {
	w := newWorld(t)
	a := w.start(t, fakeConfig())
	b := w.start(t, fakeConfig())
	wait(t, a, rundir.StopSteps)
	wait(t, b, rundir.StopSteps)
	if lines(t, a.Dir()) != lines(t, b.Dir()) ||
		!bytes.Equal(parameters(t, a.Dir()), parameters(t, b.Dir())) {
		t.Error("two runs of one configuration differ")
	}
	c := fakeConfig()
	c.Seed++
	d := w.start(t, c)
	wait(t, d, rundir.StopSteps)
	if lines(t, a.Dir()) == lines(t, d.Dir()) {
		t.Error("different seeds give equal results")
	}
}

func TestPauseAndRequests(t *testing.T) {
	w := newWorld(t)
	r := w.startPaused(t, fakeConfig(), 20)
	s := r.Latest()
	if s.Step != 20 || s.CheckpointStep != -1 {
		t.Fatalf("paused at %d, checkpoint %d", s.Step, s.CheckpointStep)
	}
	w.pass(time.Hour) // A pause does not count as training time.
	r.Checkpoint()
	until(t, r, func(s *Snapshot) bool { return s.CheckpointStep == 20 })
	r.Diagnose()
	s = until(t, r, func(s *Snapshot) bool { return s.Diagnostics != nil && s.Diagnostics.Step == 20 })
	kept := s.Diagnostics.Blocks.Log10[0]
	if s.State != rundir.Paused || s.Step != 20 {
		t.Errorf("state %s at step %d", s.State, s.Step)
	}
	r.Evaluate()
	s = until(t, r, func(s *Snapshot) bool { return s.Test != nil })
	if s.TestStep != 20 {
		t.Errorf("scores at step %d", s.TestStep)
	}
	early := s.Test.LogLik
	if _, err := Resume(context.Background(), r.ID(),
		withEnvironment(w.environment())); !errors.Is(err, rundir.ErrRunning) {
		t.Errorf("resuming a run that is alive: %v", err)
	}
	r.Continue()
	end := wait(t, r, rundir.StopSteps)
	if end.Seconds > 0.061 {
		t.Errorf("%v seconds of training", end.Seconds)
	}
	if end.TestStep != 60 || end.Test.LogLik == early {
		t.Errorf("the last scores are from step %d", end.TestStep)
	}
	if s.Diagnostics.Blocks.Log10[0] != kept || end.Diagnostics.Blocks.Log10[0] == kept {
		t.Error("an earlier snapshot has changed")
	}
}

// Diagnostics of the last step are not computed again at the end.
func TestLastDiagnosticsAreKept(t *testing.T) {
	w := newWorld(t)
	r := w.startPaused(t, fakeConfig("steps=20", "keep=last"), 20)
	r.Diagnose()
	until(t, r, func(s *Snapshot) bool { return s.Diagnostics != nil && s.Diagnostics.Step == 20 })
	r.Continue()
	wait(t, r, rundir.StopSteps)
	if at := slices.Index(w.diagnosed, 20); at != len(w.diagnosed)-1 {
		t.Errorf("diagnostics at steps %v", w.diagnosed)
	}
}

// until polls for a snapshot that satisfies ok.
func until(t *testing.T, r *Run, ok func(*Snapshot) bool) *Snapshot {
	t.Helper()
	for range 100000 {
		if s := r.Latest(); ok(s) {
			return s
		}
		time.Sleep(100 * time.Microsecond)
	}
	t.Fatalf("condition never met; last snapshot %+v", r.Latest())
	return nil
}

func TestStopDuringPauseAndPreparation(t *testing.T) {
	w := newWorld(t)
	r := w.start(t, fakeConfig())
	r.Pause()
	r.Stop()
	wait(t, r, rundir.StopAsked)

	w.onLoad = func(ctx context.Context) { <-ctx.Done() }
	r = w.start(t, fakeConfig())
	until(t, r, func(s *Snapshot) bool { return s.State == rundir.Preparing })
	r.Stop()
	if s := wait(t, r, rundir.StopAsked); s.Step != 0 || s.Test != nil {
		t.Errorf("snapshot %+v", s)
	}
}

func TestCancelKeepsCheckpointAndSkipsTest(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(context.Background())
	w.onStep = func(step int) error {
		if step == 15 {
			cancel()
		}
		return nil
	}
	r, err := Start(ctx, fakeConfig(), withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, r, rundir.StopAsked); s.Step != 15 || s.CheckpointStep != 15 || s.Test != nil {
		t.Errorf("step %d, checkpoint %d, test %v", s.Step, s.CheckpointStep, s.Test)
	}
}

func TestEarlyStoppingStopsRun(t *testing.T) {
	w := newWorld(t)
	w.stepCost = 0
	// The model is at its best long before step 5000, and a single validation point makes the curve
	// wander.
	s := w.start(t, fakeConfig("steps=40000", "validation_points=1", "checkpoint_every=0")).Wait()
	if s.Stop != rundir.StopEarly || s.Step <= watch.EarlyAfter || s.Step%10 != 0 {
		t.Fatalf("stop %s at %d", s.Stop, s.Step)
	}
	off := w.start(t, fakeConfig("steps=5600",
		"validation_points=1", "early_stopping=off", "checkpoint_every=0")).Wait()
	if off.Stop != rundir.StopSteps {
		t.Errorf("stop %s with early stopping off", off.Stop)
	}
	if _, err := Resume(context.Background(), s.ID, withEnvironment(w.environment())); err == nil ||
		!strings.Contains(err.Error(), "early stopping") {
		t.Errorf("resume: %v", err)
	}
}

func TestWriteFile(t *testing.T) {
	w := newWorld(t)
	r := w.start(t, fakeConfig())
	wait(t, r, rundir.StopSteps)
	path, err := r.WriteFile("curve.csv", func(w io.Writer) error {
		_, err := io.WriteString(w, "a,b\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "a,b\n" {
		t.Errorf("%s holds %q", path, text)
	}
	for _, name := range []string{"", "..", "../x", "a/b", ".hidden", "config.json", "checkpoint", "lock"} {
		if _, err := r.WriteFile(name, func(io.Writer) error { return nil }); err == nil {
			t.Errorf("%q was accepted", name)
		}
	}
}

// Concurrent requests and reads are safe; run with the race detector.
func TestConcurrentCallers(t *testing.T) {
	w := newWorld(t)
	r := w.start(t, fakeConfig("steps=200", "checkpoint_every=0"))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			last := 0
			for {
				select {
				case <-r.Done():
					return
				default:
				}
				r.Pause()
				r.Diagnose()
				s := r.Latest()
				if s.Step < last {
					t.Errorf("step %d after step %d", s.Step, last)
				}
				last = s.Step
				sum := 0.0
				for _, p := range s.Curve {
					sum += p.Objective
				}
				for _, q := range s.Hyper {
					sum += q.Value[0]
				}
				_ = sum
				r.Checkpoint()
				r.Continue()
				time.Sleep(time.Millisecond)
			}
		})
	}
	wait(t, r, rundir.StopSteps)
	group.Wait()
}

// WithSteps limits the steps of a new run. Scores that cannot be computed on request are a warning.
func TestLimitedRun(t *testing.T) {
	w := newWorld(t)
	w.predictErr = errors.New("no prediction")
	r := w.startPaused(t, fakeConfig(), 5, WithSteps(7))
	r.Evaluate()
	const want = "could not compute test scores: no prediction"
	until(t, r, func(s *Snapshot) bool { return slices.Contains(s.Warnings, want) })
	w.predictErr = nil
	r.Continue()
	if s := wait(t, r, rundir.StopSteps); s.Step != 7 || s.Steps != 7 {
		t.Errorf("ended at step %d of %d", s.Step, s.Steps)
	}
}

// The checkpoint of the last step is written after the training, when another run may already train.
func TestLastCheckpointFollowsTraining(t *testing.T) {
	w := newWorld(t)
	var r *Run
	started := make(chan struct{})
	last := 0 // the last step
	var saving []rundir.State
	w.onStep = func(step int) error {
		<-started
		last = step
		return nil
	}
	w.onState = func() {
		if last == 20 {
			saving = append(saving, r.Latest().State)
		}
	}
	c := fakeConfig("steps=20", "checkpoint_every=10", "keep=last")
	r, err := Start(t.Context(), c, withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	close(started)
	wait(t, r, rundir.StopSteps)
	if want := []rundir.State{rundir.Finishing}; !slices.Equal(saving, want) {
		t.Errorf("the run saved the last state while it was %v, want %v", saving, want)
	}
}

// Validations that are rarer than the strips of early stopping are a warning.
func TestRareValidations(t *testing.T) {
	env := (&fakeWorld{}).environment()
	const want = "validation_every=900 is more than 50 steps: early stopping uses longer strips"
	for every, warned := range map[string]bool{"900": true, "50": false} {
		c := fakeConfig("steps=20000", "validation_every="+every, "validation=0.1")
		preview, err := (&Inspector{env: &env}).Inspect(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(preview.Warnings, func(n table.Note) bool { return n.Text == want })
		if got != warned {
			t.Errorf("every %s steps: warnings %v", every, preview.Warnings)
		}
	}
}
