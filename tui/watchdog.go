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

	"dgplab/tui/kit"
)

// answerLimit is how long a screen that was asked to end may take. One that takes longer is stuck.
const answerLimit = 2 * time.Second

// ErrQuit is returned by Run when SIGQUIT ended the program: the stacks of its goroutines were
// written to standard error.
var ErrQuit = errors.New("ended by SIGQUIT; the stacks are above, checkpoints are kept")

// watchdog hears the signals that end the workbench, in a goroutine of its own: they work also
// when the screen is stuck.
type watchdog struct {
	// asked ends with the first signal. urged ends with the second one, after which nothing is
	// waited for.
	asked, urged context.Context
	ask, urge    context.CancelFunc
	// counted is the number of signals so far, of which hanging up is none: a terminal that is
	// closed does it several times.
	counted int
	// stacks has the stacks of all goroutines at the time of SIGQUIT.
	stacks chan []byte
}

// newWatchdog returns a watchdog that hears signals until release is called. asked ends with ctx,
// too.
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

// hear takes a signal.
func (w *watchdog) hear(s os.Signal) {
	if s == syscall.SIGQUIT {
		select {
		case w.stacks <- stacks():
		default: // There are some already.
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

// stacks returns the stacks of all goroutines, as Go writes them.
func stacks() []byte {
	var b bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&b, 2) // A buffer takes everything.
	return b.Bytes()
}

// show runs the screens until they end or are asked to. It reports whether they have ended: the
// goroutine of screens that are stuck still runs, and nothing of theirs may be touched.
func (w *watchdog) show(model tea.Model, opts Options) (ended bool, err error) {
	end := make(chan error, 1)
	go func() {
		_, err := tea.NewProgram(model, programOptions(w.asked, opts)...).Run()
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
	case <-w.urged.Done():
	case <-time.After(answerLimit):
	}
	return false, nil
}

// dump writes the stacks to errors if SIGQUIT has asked for them, and reports whether it has. From
// then on Go itself answers that signal.
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

// wait waits until all are closed, or for stopLimit, or until a second signal comes. It returns how
// many are left.
func (w *watchdog) wait(ends []<-chan struct{}) (left int) {
	limit, cancel := context.WithTimeout(w.urged, stopLimit)
	defer cancel()
	for _, done := range ends {
		select {
		case <-done:
		case <-limit.Done():
		}
		if !isClosed(done) {
			left++
		}
	}
	return left
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

// takeOver ends the program where the screen is stuck: it gives the terminal back, and stops all
// work, each run with its checkpoint. cancel ends the context of all work.
func (w *watchdog) takeOver(t terminal, work *register, cancel func(), opts Options) error {
	stuck := &screenCrashedMsg{fmt.Sprintf("it did not answer within %v", answerLimit), stacks()}
	writes := t.restore()
	quit := w.dump(opts.Errors)
	jobs := work.going()
	cancel()
	var ends []<-chan struct{}
	for _, j := range jobs {
		ends = append(ends, j.done)
	}
	left := w.wait(ends)
	lines := work.farewells(jobs)
	if writes {
		for _, line := range lines {
			fmt.Fprintln(opts.Output, line)
		}
	}
	return errors.Join(w.ending(quit, left, len(lines) > 0), stuck.report(nil))
}

// ending returns how the program ended: by SIGQUIT, with so many pieces of work left that did not
// stop in time, or while something was going; nil if it ended in none of these ways.
func (w *watchdog) ending(quit bool, left int, going bool) error {
	switch {
	case quit:
		return ErrQuit
	case left > 0 && w.urged.Err() == nil:
		runs := kit.Plural(left, "run", "runs")
		return fmt.Errorf("%s did not stop within %v; the last checkpoint is kept", runs, stopLimit)
	case going:
		return ErrInterrupted
	}
	return nil
}
