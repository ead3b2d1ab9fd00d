//go:build unix

package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/tui/settings"
)

// stuckEngine trains real runs, and blocks the screen on request.
type stuckEngine struct {
	*workbench
	blocked chan struct{} // closed to block the screen
	stuck   chan struct{} // closed when it is blocked
	free    chan struct{} // closed at the end of the test
	once    sync.Once
	runs    chan kit.Run
}

func (e *stuckEngine) Start(ctx context.Context, s kit.Start) (kit.Run, error) {
	r, err := e.workbench.Start(ctx, s)
	if err == nil {
		e.runs <- r
	}
	return r, err
}

// Validate is called by the set-up screen in Update.
func (e *stuckEngine) Validate(c rundir.Config) error {
	select {
	case <-e.blocked:
		e.once.Do(func() { close(e.stuck) })
		<-e.free
	default:
	}
	return e.workbench.Validate(c)
}

// signalled sends a signal to this process.
func signalled(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		t.Fatal(err)
	}
}

// endless is the configuration of a run that trains until it is stopped.
var endless = rundir.Config{Dataset: "steps", Family: "svgp", Set: map[string]string{
	"inducing": "4", "steps": "100000000", "early_stopping": "off", "test_samples": "5"}}

// If Update blocks while a run is training, a signal still ends the program and keeps the checkpoint.
func TestStuckScreenKeepsCheckpoints(t *testing.T) {
	if testing.Short() {
		t.Skip("a screen has several seconds to answer")
	}
	for s, want := range map[syscall.Signal]error{
		syscall.SIGTERM: ErrInterrupted, syscall.SIGQUIT: ErrQuit,
	} {
		t.Run(s.String(), func(t *testing.T) {
			t.Setenv("DGPLAB_RUNS", t.TempDir())
			t.Setenv("TMPDIR", t.TempDir())
			e := &stuckEngine{workbench: new(workbench), runs: make(chan kit.Run, 1)}
			e.blocked = make(chan struct{})
			e.stuck = make(chan struct{})
			e.free = make(chan struct{})
			t.Cleanup(func() { close(e.free) })
			keys, press := io.Pipe()
			defer press.Close()
			go func() {
				r := <-e.runs
				for s := r.Latest(); s == nil || s.Step < 10; s = r.Latest() {
					time.Sleep(time.Millisecond)
				}
				close(e.blocked)
				io.WriteString(press, "n")
				<-e.stuck
				signalled(t, s)
			}()
			var errs kittest.Buffer
			out, err := runWithin(t, t.Context(), Options{Settings: settings.Default(), engine: e,
				Config: endless, Start: true, Input: keys, Errors: &errs})
			if !errors.Is(err, want) {
				t.Fatalf("error %v, want %v", err, want)
			}
			_, crash, _ := strings.Cut(err.Error(),
				"the screen failed: no response within 3s; details in ")
			const where = "stuckEngine).Validate"
			if text, err := os.ReadFile(crash); err != nil || !strings.Contains(string(text), where) {
				t.Errorf("the file %q contains %q (%v)", crash, text, err)
			}
			if !restored(out) || !strings.Contains(out, "\x1b[?2004l") {
				t.Error("the terminal is not restored")
			}
			if has := strings.Contains(errs.String(), where); has != (s == syscall.SIGQUIT) {
				t.Errorf("the stacks are on standard error: %v", has)
			}
			runs, err := rundir.List()
			if err != nil || len(runs) != 1 || !runs[0].Resumable || runs[0].Step < 10 {
				t.Fatalf("the runs are %+v (%v)", runs, err)
			}
			if !strings.Contains(out, "resume with: dgplab train --resume "+runs[0].ID) {
				t.Errorf("the output ends with %q", out[max(0, len(out)-300):])
			}
		})
	}
}

// stoppedTerminal blocks writes once it is stopped.
type stoppedTerminal struct {
	stopped, free chan struct{}
	blocks        chan struct{} // receives when a write blocks
}

func (w *stoppedTerminal) Write(p []byte) (int, error) {
	select {
	case <-w.stopped:
		select {
		case w.blocks <- struct{}{}:
		default:
		}
		<-w.free
	default:
	}
	return len(p), nil
}

// If the terminal accepts no more output, as after a network failure, the screen blocks, but a signal still
// ends the program.
func TestStoppedTerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("a screen has several seconds to answer")
	}
	t.Setenv("TMPDIR", t.TempDir())
	e := kittest.NewEngine()
	w := &stoppedTerminal{make(chan struct{}), make(chan struct{}), make(chan struct{}, 1)}
	defer close(w.free)
	keys, press := io.Pipe()
	defer press.Close()
	go func() {
		for len(e.Runs()) == 0 {
			time.Sleep(time.Millisecond)
		}
		close(w.stopped)
		go func() {
			for {
				if _, err := io.WriteString(press, "?"); err != nil { // The key changes the frame.
					return
				}
				time.Sleep(time.Millisecond)
			}
		}()
		<-w.blocks
		signalled(t, syscall.SIGTERM)
	}()
	done := make(chan error, 1)
	go func() {
		opts := Options{Settings: settings.Default(), engine: e, Start: true, Input: keys, Output: w}
		done <- Run(t.Context(), opts)
	}()
	select {
	case err := <-done:
		if !errors.Is(err, ErrInterrupted) {
			t.Errorf("error %v", err)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("Run does not return")
	}
	if e.Runs()[0].Count("cancel") != 1 {
		t.Error("the run was not ended")
	}
}

// After a second signal, Run does not wait for a run that does not stop.
func TestSecondSignalDoesNotWait(t *testing.T) {
	e := kittest.NewEngine()
	e.Make = func(id string, c rundir.Config) *kittest.Run {
		r := kittest.NewRun(id, kittest.Training(c, 10))
		r.StopEnds = false
		go func() {
			time.Sleep(50 * time.Millisecond)
			signalled(t, syscall.SIGTERM)
			for r.Count("cancel") == 0 {
				time.Sleep(time.Millisecond)
			}
			signalled(t, syscall.SIGTERM)
		}()
		return r
	}
	silent, hold := io.Pipe()
	defer hold.Close()
	opts := Options{Settings: settings.Default(), engine: e, Start: true, Input: silent}
	out, err := runWithin(t, t.Context(), opts)
	if !errors.Is(err, ErrAtOnce) || !restored(out) {
		t.Errorf("error %v, want %v; terminal restored: %v", err, ErrAtOnce, restored(out))
	}
	if strings.Contains(err.Error(), "screen failed") {
		t.Errorf("a screen that was not waited for counts as failed: %v", err)
	}
}

func TestSignalCounts(t *testing.T) {
	const hup, term, quit = syscall.SIGHUP, syscall.SIGTERM, syscall.SIGQUIT
	for _, c := range []struct {
		heard []os.Signal
		urges bool
	}{
		{[]os.Signal{term}, false},
		{[]os.Signal{term, term}, true},
		{[]os.Signal{hup, hup, hup}, false},
		{[]os.Signal{hup, term}, false},
		{[]os.Signal{hup, term, hup, quit}, true},
	} {
		w, release := newWatchdog(t.Context())
		for _, s := range c.heard {
			w.hear(s)
		}
		if urges := w.urged.Err() != nil; urges != c.urges || w.asked.Err() == nil {
			t.Errorf("%v: asked %v, urged %v", c.heard, w.asked.Err() != nil, urges)
		}
		release()
	}
}

// SIGQUIT restores the terminal before it writes the stacks. The test writes both streams into one.
func TestQuitRestoresTheTerminalFirst(t *testing.T) {
	e := kittest.NewEngine()
	e.Make = func(id string, c rundir.Config) *kittest.Run {
		time.AfterFunc(50*time.Millisecond, func() { signalled(t, syscall.SIGQUIT) })
		return kittest.NewRun(id, kittest.Training(c, 10))
	}
	silent, hold := io.Pipe()
	defer hold.Close()
	var both kittest.Buffer
	opts := Options{Settings: settings.Default(), engine: e, Start: true, Input: silent}
	opts.Output, opts.Errors = &both, &both
	err := Run(t.Context(), opts)
	screen, dump, found := strings.Cut(both.String(), "SIGQUIT: quit\n\ngoroutine ")
	if !errors.Is(err, ErrQuit) || !found || !restored(screen) || strings.Contains(dump, "\x1b[?1049") {
		t.Errorf("error %v, dumped %v, restored %v", err, found, restored(screen))
	}
	if !strings.Contains(dump, "watchdog).show") {
		t.Errorf("the stacks are\n%s", dump)
	}
	if e.Runs()[0].Count("cancel") != 1 {
		t.Error("the run was not ended")
	}
}

// A register lists each job from the request to start it until its end, and forgets jobs that did not start.
func TestRegister(t *testing.T) {
	e := kittest.NewEngine()
	r := newRegister(e)
	defer r.end()
	j := r.add(&job{asked: &kit.Start{Config: someConfig}})
	if r.busy() != 1 {
		t.Errorf("%d runs are busy before the only one has started", r.busy())
	}
	run, err := r.start(j)
	if err != nil {
		t.Fatal(err)
	}
	if r.busy() != 1 {
		t.Errorf("%d runs are busy after the only one has started", r.busy())
	}
	run.Stop()
	if left := r.wait(t.Context()); left != 0 || r.busy() != 0 {
		t.Errorf("after the end of the run %d jobs are left, %d busy", left, r.busy())
	}
	if lines := r.farewells(); len(lines) != 2 || !strings.HasPrefix(lines[0], "run fake-1: stopped") {
		t.Errorf("the farewell is %q", lines)
	}
	e.StartErr = errors.New("no")
	if _, err := r.start(r.add(&job{asked: &kit.Start{}})); err == nil || len(r.list()) != 1 {
		t.Errorf("a run that did not start is listed (%v)", err)
	}
	for name, start := range map[string]func() (any, error){
		"sweep": func() (any, error) {
			return r.StartSweep(t.Context(), sweeps.Grid{}, sweeps.Options{})
		},
		"resumed sweep": func() (any, error) { return r.ResumeSweep(t.Context(), "none", sweeps.Options{}) },
		"experiment":    func() (any, error) { return r.StartExperiment(t.Context(), "none", 1) },
	} {
		if _, err := start(); err == nil || len(r.list()) != 1 {
			t.Errorf("a %s that did not start is listed (%v)", name, err)
		}
	}
}

// The error of an ending tells a quit, runs that did not stop, and interrupted training apart.
func TestEndings(t *testing.T) {
	w, release := newWatchdog(context.Background())
	defer release()
	for _, c := range []struct {
		quit  bool
		left  int
		going bool
		want  string
	}{
		{true, 1, true, ErrQuit.Error()}, {false, 0, false, ""}, {false, 0, true, ErrInterrupted.Error()},
		{false, 1, true, "1 run did not stop within "}, {false, 2, false, "2 runs did not stop within "},
	} {
		err := w.ending(c.quit, c.left, c.going)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	w.urge()
	if err := w.ending(false, 1, true); err != ErrAtOnce {
		t.Errorf("a run had not ended at the second signal: %v, want %v", err, ErrAtOnce)
	}
	if err := w.ending(false, 0, true); err != ErrInterrupted {
		t.Errorf("all runs had ended at the second signal: %v, want %v", err, ErrInterrupted)
	}
}
