package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/report"
)

// answerLimit is the time within which a screen must end. After that it counts as stuck. It is longer than
// the time limit of a write to a terminal that accepts no output.
const answerLimit = 3 * time.Second

// ErrQuit is returned by Run if SIGQUIT ended the program. Run has then written the stacks of all goroutines
// to standard error.
var ErrQuit = errors.New("ended by SIGQUIT; the stacks are above, checkpoints are kept")

// watchdog handles the signals that end the workbench. It uses a separate goroutine, so that signals work
// even if the screen is stuck.
type watchdog struct {
	// asked ends at the first signal. urged ends at the second signal, at which Run stops waiting.
	asked, urged context.Context
	ask, urge    context.CancelFunc
	// counted is the number of signals so far. It excludes SIGHUP, because a closing terminal sends it
	// several times.
	counted int
	// stacks receives the stacks of all goroutines when SIGQUIT arrives.
	stacks chan []byte
}

// newWatchdog returns a watchdog that handles signals until release is called. asked also ends with
// ctx.
func newWatchdog(ctx context.Context) (w *watchdog, release func()) {
	w = &watchdog{stacks: make(chan []byte, 1)}
	w.asked, w.ask = context.WithCancel(ctx)
	w.urged, w.urge = context.WithCancel(context.Background())
	heard := make(chan os.Signal, 4)
	signal.Notify(heard, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT)
	go func() {
		for s := range heard {
			w.hear(s)
		}
	}()
	return w, func() {
		signal.Stop(heard)
		close(heard)
		w.ask()
		w.urge()
	}
}

// hear handles a signal.
func (w *watchdog) hear(s os.Signal) {
	if s == syscall.SIGQUIT {
		select {
		case w.stacks <- stacks():
		default: // The stacks were already taken.
		}
	}
	if s != syscall.SIGHUP {
		w.counted++
	}
	w.ask()
	if w.counted == 2 {
		w.urge()
	}
}

// stacks returns the stacks of all goroutines in Go's format.
func stacks() []byte {
	var b bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&b, 2) // Writing to a buffer does not fail.
	return b.Bytes()
}

// show runs the screens until they end or are asked to end. ended is false if the screens are
// stuck or a second signal has arrived: their goroutine still runs, so the caller must not touch their data.
func (w *watchdog) show(model tea.Model, jobs *jobControl, opts Options) (ended bool, err error) {
	program := tea.NewProgram(model, programOptions(w.asked, opts)...)
	end := make(chan error, 1)
	done := make(chan struct{})
	defer close(done)
	go jobs.watch(done, program.Send)
	go func() {
		_, err := program.Run()
		end <- err
	}()
	select {
	case err := <-end:
		return true, err
	case <-w.asked.Done():
	}
	select {
	case err := <-end:
		return true, err
	case <-jobs.away: // The screens have left the terminal, and do nothing more.
		return true, nil
	case <-w.urged.Done():
	case <-time.After(answerLimit):
	}
	return false, nil
}

// dump reports whether SIGQUIT has arrived, and if so writes the stacks to errors. Afterwards Go's default
// handling of SIGQUIT applies.
func (w *watchdog) dump(errors io.Writer) bool {
	signal.Reset(syscall.SIGQUIT)
	select {
	case text := <-w.stacks:
		fmt.Fprintf(errors, "SIGQUIT: quit\n\n%s\n", text)
		return true
	default:
		return false
	}
}

// endWork ends all work and waits until it has ended, stopLimit has passed or a second signal arrives. It
// returns the number of jobs that have not ended.
func (w *watchdog) endWork(work *register) (left int) {
	limit, cancel := context.WithTimeout(w.urged, stopLimit)
	defer cancel()
	work.end()
	return work.wait(limit)
}

// isClosed reports whether a channel is closed.
func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// takeOver ends the program if the screen is stuck or a second signal has arrived: it restores the terminal
// and stops all work, each run with a checkpoint.
func (w *watchdog) takeOver(t terminal, work *register, opts Options) error {
	var stuck *screenCrashedMsg
	if w.urged.Err() == nil {
		stuck = &screenCrashedMsg{fmt.Sprintf("no response within %v", answerLimit), stacks()}
	}
	t.restore()
	quit := w.dump(opts.Errors)
	going := work.busy() > 0
	left := w.endWork(work)
	for _, line := range work.farewells() {
		fmt.Fprintln(opts.Output, line)
	}
	err := w.ending(quit, left, going)
	if stuck != nil {
		err = errors.Join(err, stuck.report(nil))
	}
	return err
}

// ending returns an error if the program was ended by SIGQUIT, if work did not stop in time or before the
// second signal, or if training was interrupted. It returns nil otherwise. left is the number of runs that
// did not stop in time.
func (w *watchdog) ending(quit bool, left int, going bool) error {
	switch {
	case quit:
		return ErrQuit
	case left > 0 && w.urged.Err() != nil:
		return ErrAtOnce
	case left > 0:
		runs := report.Plural(left, "run", "runs")
		return fmt.Errorf("%s did not stop within %v; the last checkpoint is kept", runs, stopLimit)
	case going:
		return ErrInterrupted
	}
	return nil
}
