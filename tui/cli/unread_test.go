//go:build unix

package cli

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"dgplab/session/rundir"
)

// unread is a stream that nobody reads: its writes never end. began is closed at the first write.
type unread struct {
	began chan struct{}
	once  sync.Once
}

func newUnread() *unread { return &unread{began: make(chan struct{})} }

func (u *unread) Write([]byte) (int, error) {
	u.once.Do(func() { close(u.began) })
	select {}
}

// A command that is asked to end while nobody reads its output ends, and a run keeps its state. The campaign
// "unread" does this with every command.
func TestCommandsEndWithoutReader(t *testing.T) {
	id, table := trained(t)
	for _, args := range [][]string{{"predict", id, table}, endless("--set", "checkpoint_every=5")} {
		isEndless := args[0] == "train"
		if isEndless {
			isolate(t)
		}
		out := newUnread()
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-out.began
			if isEndless {
				eventually(t, "a checkpoint", func() bool {
					found, err := filepath.Glob(filepath.Join(os.Getenv("DGPLAB_RUNS"), "*", "checkpoint"))
					return err == nil && len(found) == 1
				})
			}
			cancel()
		}()
		if status := Run(ctx, Streams{Out: out, Err: out}, args); status != statusInterrupted {
			t.Errorf("%q: want status %d, found %d", args, statusInterrupted, status)
		}
	}
	runs, err := rundir.List()
	if err != nil || len(runs) != 1 {
		t.Fatalf("the runs are %v (%v)", runs, err)
	}
	run := runs[0]
	if run.State == rundir.Running || run.Results == nil || run.Results.Stop != rundir.StopAsked {
		t.Errorf("want the run stopped on request, found it %s with the summary %+v", run.State, run.Results)
	}
}

// Signals are heard although nobody reads the hint of the first one. SIGHUP ends a command, but does not
// count as a second signal.
func TestSignalsWithoutReader(t *testing.T) {
	exits := make(chan int, 1)
	ended := make(chan struct{})
	c := &console{Streams: Streams{Err: newUnread(), Exit: func(status int) { exits <- status }},
		end: func() { close(ended) }}
	gentle, firm := c.watchSignals(t.Context(), stopHint)
	send := func(s syscall.Signal) {
		if err := syscall.Kill(syscall.Getpid(), s); err != nil {
			t.Fatal(err)
		}
	}
	send(syscall.SIGINT)
	<-gentle.Done()
	<-ended // Writes are limited.
	if firm.Err() != nil {
		t.Error("one Ctrl-C ends the command without an evaluation")
	}
	c.end = func() {}
	send(syscall.SIGHUP)
	<-firm.Done()
	select {
	case status := <-exits:
		t.Errorf("SIGHUP counts as a second signal; status %d", status)
	default:
	}
	send(syscall.SIGINT)
	if status := <-exits; status != statusAtOnce {
		t.Errorf("a second Ctrl-C exits with status %d, want %d", status, statusAtOnce)
	}
}
