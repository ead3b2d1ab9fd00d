package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/teatest"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/tui/settings"
)

// waitFor reads the program's output until it contains text.
func waitFor(t *testing.T, tm *teatest.TestModel, text string) {
	t.Helper()
	teatest.WaitFor(t, tm.Output(), func(b []byte) bool { return bytes.Contains(b, []byte(text)) },
		teatest.WithDuration(2*time.Minute), teatest.WithCheckInterval(5*time.Millisecond))
}

// TestFromSetupToTheEnd drives the whole program: set-up, dashboard, pause, stop, quit.
func TestFromSetupToTheEnd(t *testing.T) {
	e := kittest.NewEngine()
	a := newApp(e, kittest.PlainTheme(), Options{Settings: settings.Default()})
	tm := teatest.NewTestModel(t, &guard{model: a}, teatest.WithInitialTermSize(120, 40))
	waitFor(t, tm, "123,456 variational")
	tm.Send(kittest.Press("enter"))
	waitFor(t, tm, "● running")
	tm.Send(kittest.Press(" "))
	waitFor(t, tm, "‖ paused")
	tm.Send(kittest.Press("tab"))
	waitFor(t, tm, "─▸ Validation")
	tm.Send(kittest.Press("q"))
	waitFor(t, tm, "Stop it, keep its checkpoint and quit?")
	tm.Send(kittest.Press("y"))
	tm.WaitFinished(t, teatest.WithFinalTimeout(2*time.Minute))
	if r := e.Runs()[0]; r.Count("pause") != 1 || r.Count("cancel") != 1 {
		t.Fatalf("requests %v", r.Asked())
	}
}

// runWithin fails the test if Run does not return.
func runWithin(t *testing.T, ctx context.Context, opts Options) (string, error) {
	t.Helper()
	var out kittest.Buffer
	opts.Output = &out
	done := make(chan error, 1)
	go func() { done <- Run(ctx, opts) }()
	select {
	case err := <-done:
		return out.String(), err
	case <-time.After(2 * time.Minute):
		t.Fatal("Run does not return")
		return "", nil
	}
}

// restored reports whether the output ends outside the alternate screen, with the cursor shown and
// the mouse released.
func restored(out string) bool {
	for on, off := range map[string]string{
		"\x1b[?1049h": "\x1b[?1049l", "\x1b[?25l": "\x1b[?25h", "\x1b[?1002h": "\x1b[?1002l",
	} {
		if strings.LastIndex(out, on) > strings.LastIndex(out, off) {
			return false
		}
	}
	return strings.Contains(out, "\x1b[?1049l")
}

func TestRunQuits(t *testing.T) {
	out, err := runWithin(t, context.Background(), Options{
		Settings: settings.Default(),
		engine:   kittest.NewEngine(),
		Input:    strings.NewReader("q"),
	})
	if err != nil || !restored(out) {
		t.Fatalf("error %v, terminal restored: %v", err, restored(out))
	}
}

func TestRunEndsWithItsContextAndSavesTheRun(t *testing.T) {
	e := kittest.NewEngine()
	ctx, cancel := context.WithCancel(context.Background())
	started := e.Make
	e.Make = func(id string, c rundir.Config) *kittest.Run {
		time.AfterFunc(50*time.Millisecond, cancel)
		return started(id, c)
	}
	silent, hold := io.Pipe()
	defer hold.Close()
	out, err := runWithin(t, ctx, Options{
		Settings: settings.Default(),
		engine:   e,
		Start:    true,
		Input:    silent,
	})
	if !errors.Is(err, ErrInterrupted) || !restored(out) {
		t.Fatalf("error %v, terminal restored: %v", err, restored(out))
	}
	if e.Runs()[0].Count("cancel") != 1 {
		t.Fatal("the run was not ended")
	}
}

func TestInterruptReturnsErrInterrupted(t *testing.T) {
	e := kittest.NewEngine()
	reader, writer := io.Pipe()
	defer writer.Close()
	started := e.Make
	e.Make = func(id string, c rundir.Config) *kittest.Run {
		go func() {
			time.Sleep(50 * time.Millisecond)
			writer.Write([]byte{3}) // ctrl+c
		}()
		return started(id, c)
	}
	out, err := runWithin(t, context.Background(), Options{
		Settings: settings.Default(),
		engine:   e,
		Start:    true,
		Input:    reader,
	})
	if !errors.Is(err, ErrInterrupted) || !restored(out) {
		t.Fatalf("error %v, terminal restored: %v", err, restored(out))
	}
}

// badEngine panics in the command with which the set-up screen inspects the data. It opens that screen once a
// run has started.
type badEngine struct {
	*kittest.Engine
	press io.Writer
}

func (e badEngine) Start(ctx context.Context, s kit.Start) (kit.Run, error) {
	go func() {
		for {
			if _, err := io.WriteString(e.press, "n"); err != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	return e.Engine.Start(ctx, s)
}

func (badEngine) Inspect(context.Context, rundir.Config) (session.Preview, error) {
	panic("no data\nand a stack")
}

func TestScreenPanicIsOneLine(t *testing.T) {
	e := kittest.NewEngine()
	keys, press := io.Pipe()
	defer press.Close()
	out, err := runWithin(t, context.Background(), Options{
		Settings: settings.Default(),
		engine:   badEngine{e, press},
		Start:    true,
		Input:    keys,
	})
	if err == nil || strings.Contains(err.Error(), "\n") ||
		!strings.Contains(err.Error(),
			"the screen failed: no data; details in /runs/fake-1/screen-crash.txt") {
		t.Fatalf("error %v", err)
	}
	if !restored(out) || strings.Contains(out, "goroutine") {
		t.Fatal("the terminal is not restored, or a stack trace was printed")
	}
	crash, _ := e.Runs()[0].File("screen-crash.txt")
	if details := string(crash); !strings.Contains(details, "program_test.go") {
		t.Fatalf("the crash file contains %q", details)
	}
	if e.Runs()[0].Count("cancel") != 1 {
		t.Fatal("the run was not ended")
	}
}

// bomb panics in the named method.
type bomb struct{ in string }

func (b bomb) Init() tea.Cmd {
	if b.in == "Init" {
		panic("boom")
	}
	return func() tea.Msg { return nil }
}

func (b bomb) Update(tea.Msg) (tea.Model, tea.Cmd) {
	if b.in == "Update" {
		panic("boom")
	}
	return b, tea.Batch(func() tea.Msg { panic("boom") }, func() tea.Msg { return nil })
}

func (b bomb) View() string {
	if b.in == "View" {
		panic("boom")
	}
	return ""
}

func TestGuardCatchesEveryPanic(t *testing.T) {
	for _, in := range []string{"Init", "Update", "View", "command"} {
		g := &guard{model: bomb{in}}
		quit := perform(g, g.Init())
		if !quit {
			_, cmd := g.Update(tea.WindowSizeMsg{Width: 1, Height: 1})
			quit = perform(g, cmd)
		}
		if !quit || g.crash == nil || g.crash.value != "boom" {
			t.Errorf("a panic in %s: quit %v, crash %v", in, quit, g.crash)
		}
		if g.View() != "" {
			t.Errorf("a panic in %s leaves a frame", in)
		}
	}
}

func TestCrashFileWithoutRun(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	err := (&screenCrashedMsg{"boom", []byte("the stack")}).report(nil)
	_, path, _ := strings.Cut(err.Error(), "details in ")
	text, readErr := os.ReadFile(path)
	if readErr != nil || !strings.Contains(string(text), "the stack") {
		t.Fatalf("%v: %q, %v", err, text, readErr)
	}
}

// The error of a crash includes the error from writing the crash file.
func TestCrashFileThatCannotBeWritten(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	err := (&screenCrashedMsg{"boom\nat x", []byte("the stack")}).report(nil)
	if !errors.Is(err, fs.ErrNotExist) ||
		!strings.HasPrefix(err.Error(), "the screen failed: boom (cannot write details: ") {
		t.Errorf("%v", err)
	}
}

// A run that can continue is named with the command that resumes it.
func TestRunFarewells(t *testing.T) {
	resume := "  resume with: dgplab train --resume id"
	for _, c := range []struct {
		state  rundir.State
		stop   rundir.Stop
		first  string
		resume bool
	}{
		{rundir.Running, "", "run id: still saving at step 1,200", true},
		{rundir.Ended, rundir.StopAsked, "run id: ", true},
		{rundir.Ended, rundir.StopRung, "run id: ", true},
		{rundir.Ended, rundir.StopFailed, "run id: ", true},
		{rundir.Ended, rundir.StopSteps, "run id: ", false},
		{rundir.Ended, rundir.StopEarly, "run id: ", false},
	} {
		s := &session.Snapshot{Summary: rundir.Summary{ID: "id", Step: 1200, Stop: c.stop}, State: c.state}
		lines := runFarewell(s)
		if !strings.HasPrefix(lines[0], c.first) || (len(lines) == 2 && lines[1] == resume) != c.resume {
			t.Errorf("%s, %s: %q", c.state, c.stop, lines)
		}
	}
	if lines := runFarewell(nil); lines != nil {
		t.Errorf("a run without a snapshot: %q", lines)
	}
}
