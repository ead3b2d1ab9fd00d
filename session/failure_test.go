package session

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"dgplab/models"
	"dgplab/models/linalg"
	"dgplab/session/rundir"
)

func TestFailures(t *testing.T) {
	tests := []struct {
		name   string
		break_ func(w *fakeWorld)
		want   string
	}{
		{"step", func(w *fakeWorld) {
			w.onStep = func(step int) error {
				if step == 30 {
					return errors.New("layer 1 is not positive definite")
				}
				return nil
			}
		}, "layer 1 is not positive definite"},
		{"panic", func(w *fakeWorld) {
			w.onStep = func(step int) error {
				if step == 30 {
					panic("index out of range\nand more")
				}
				return nil
			}
		}, "index out of range (details in crash.txt)"},
		{"load", func(w *fakeWorld) { w.loadErr = errors.New("no such file") }, "no such file"},
		{"load panics", func(w *fakeWorld) { w.onLoad = func(context.Context) { panic("bad") } },
			"bad (details in crash.txt)"},
		{"test", func(w *fakeWorld) { w.predictErr = errors.New("no prediction") },
			"evaluate on the test set: no prediction"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			tt.break_(w)
			r := w.start(t, fakeConfig("checkpoint_every=8"))
			s := wait(t, r, rundir.StopFailed)
			if !strings.Contains(s.Err.Error(), tt.want) || strings.Contains(s.Err.Error(), "\n") {
				t.Errorf("error %q, want one line with %q", s.Err, tt.want)
			}
			summary, err := rundir.ReadSummary(r.Dir())
			if err != nil || summary.Stop != rundir.StopFailed || summary.Error != s.Err.Error() {
				t.Errorf("summary %+v, %v", summary, err)
			}
			crash, err := os.ReadFile(filepath.Join(r.Dir(), rundir.CrashFile))
			if panics := strings.Contains(tt.name, "panic"); panics != (err == nil) ||
				panics && !bytes.Contains(crash, []byte("goroutine")) {
				t.Errorf("crash file: %v", err)
			}
			if s.Step == 29 && s.CheckpointStep != 24 {
				t.Errorf("checkpoint at step %d, want the last good one, 24", s.CheckpointStep)
			}
		})
	}
}

// A run fails if its family fails to create a model, in whatever way.
func TestModelCreationFailures(t *testing.T) {
	for name, c := range map[string]struct {
		make func() (models.Model, error)
		want string
	}{
		"an error": {func() (models.Model, error) {
			return nil, errors.New("no such kernel")
		}, "no such kernel"},
		"an error and a nil model": {func() (models.Model, error) {
			return (*fakeModel)(nil), errors.New("no such kernel")
		}, "no such kernel"},
		"a panic": {func() (models.Model, error) { panic("a shape") }, "a shape (details in crash.txt)"},
		"nothing": {func() (models.Model, error) { return nil, nil }, "(details in crash.txt)"},
		"a nil model": {func() (models.Model, error) { return (*fakeModel)(nil), nil },
			"(details in crash.txt)"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.onNew = c.make
			s := wait(t, w.start(t, fakeConfig()), rundir.StopFailed)
			if !strings.HasSuffix(s.Err.Error(), c.want) || s.Stop == "" ||
				s.Error != s.Err.Error() {
				t.Errorf("error %q, want one with %q; summary %+v", s.Err, c.want, s.Summary)
			}
		})
	}
}

// A model that panics on a worker goroutine of the shared pool fails only its own run. There are enough cores
// for two goroutines, even if runs of earlier tests still have a share of the cores.
func TestWorkerPanicFailsOnlyItsRun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(16))
	good := newWorld(t)
	failed := make(chan struct{})
	good.onStep = func(int) error { <-failed; return nil }
	other := good.start(t, fakeConfig())

	bad := &fakeWorld{}
	bad.onStep = func(step int) error {
		if step == 5 {
			panicTogether()
		}
		return nil
	}
	s := wait(t, bad.start(t, fakeConfig()), rundir.StopFailed)
	close(failed)
	if want := "the trainer panicked at step 4: index out of range (details in crash.txt)"; s.Err.Error() !=
		want {
		t.Errorf("error %q, want %q", s.Err, want)
	}
	crash, err := os.ReadFile(filepath.Join(s.Dir, rundir.CrashFile))
	if err != nil || !bytes.Contains(crash, []byte("panicTogether.func")) {
		t.Errorf("crash.txt lacks the stack of the worker: %v\n%s", err, crash)
	}
	wait(t, other, rundir.StopSteps)
	wait(t, good.start(t, fakeConfig()), rundir.StopSteps)
}

// panicTogether panics on two goroutines of the pool at once.
func panicTogether() {
	var both sync.WaitGroup
	both.Add(2)
	loop := linalg.Loop{Body: func(int) {
		both.Done()
		both.Wait()
		panic("index out of range")
	}}
	loop.Run(2)
}

func TestWriteErrors(t *testing.T) {
	w := newWorld(t)
	var r *Run
	started := make(chan struct{})
	w.onStep = func(step int) error {
		<-started
		if step == 5 { // A folder at the destination makes the rename fail.
			if err := os.MkdirAll(filepath.Join(r.Dir(), "checkpoint", "x"), 0o755); err != nil {
				t.Error(err)
			}
		}
		return nil
	}
	r = w.start(t, fakeConfig("checkpoint_every=8"))
	close(started)
	s := wait(t, r, rundir.StopFailed)
	if s.CheckpointStep != -1 || len(s.Warnings) != 2 ||
		s.Warnings[1] != "could not write a checkpoint: write checkpoint: file exists (9 times)" {
		t.Errorf("checkpoint %d, warnings %q", s.CheckpointStep, s.Warnings)
	}
	if want := "could not save the final state: no checkpoint at step 60: write checkpoint: file " +
		"exists"; s.Err.Error() != want || s.Error != want || s.Test == nil {
		t.Errorf("error %v, in the summary %q, want %s; scores %v", s.Err, s.Error, want, s.Test)
	}

	w.onStep = func(step int) error {
		if step == 5 {
			if err := os.MkdirAll(filepath.Join(r.Dir(), "summary.json", "x"), 0o755); err != nil {
				t.Error(err)
			}
		}
		return nil
	}
	started = make(chan struct{})
	inner := w.onStep
	w.onStep = func(step int) error { <-started; return inner(step) }
	r = w.start(t, fakeConfig())
	close(started)
	s = wait(t, r, rundir.StopFailed)
	if !strings.Contains(s.Err.Error(), "save the summary") {
		t.Errorf("error %v", s.Err)
	}
}
