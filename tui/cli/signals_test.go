//go:build unix

package cli

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"dgplab/tui/kit/kittest"
)

// process is a running instance of the program.
type process struct {
	*exec.Cmd
	out    *bufio.Reader
	stdout io.Closer
	err    kittest.Buffer
}

// launch starts the program and waits for the first line of output.
func launch(t *testing.T, args ...string) (*process, string) {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(path, args...)}
	p.Stderr = &p.err
	pipe, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stdout, p.out = pipe, bufio.NewReader(pipe)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	line, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatalf("no first line: %v\n%s", err, p.err.String())
	}
	return p, line
}

func (p *process) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// finish returns the remaining output and the exit status.
func (p *process) finish(t *testing.T) (string, int) {
	t.Helper()
	rest, err := io.ReadAll(p.out)
	if err != nil && !errors.Is(err, os.ErrClosed) {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := p.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(rest), p.ProcessState.ExitCode()
}

// endless returns the arguments of a run that must be interrupted.
func endless(args ...string) []string {
	return tiny(append([]string{"--steps", "1000000", "--set", "early_stopping=off", "--json"}, args...)...)
}

// ignored holds the signals that this process, and therefore the program, ignores, as SIGHUP with nohup. It
// is determined before the first signal.Notify, after which signal.Ignored is always false.
var ignored = slices.DeleteFunc([]os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP},
	func(s os.Signal) bool { return !signal.Ignored(s) })

func TestSignals(t *testing.T) {
	cases := []struct {
		name      string
		signal    os.Signal
		evaluated bool
	}{
		{"SIGINT", syscall.SIGINT, true},
		{"SIGTERM", syscall.SIGTERM, false},
		{"SIGHUP", syscall.SIGHUP, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if slices.Contains(ignored, c.signal) {
				t.Skip("the signal is ignored in this process, as with nohup, and therefore in the program")
			}
			isolate(t)
			p, first := launch(t, endless()...)
			p.signal(t, c.signal)
			rest, status := p.finish(t)
			_, summary := events(t, first+rest)
			if status != statusInterrupted || summary.Stop != "asked" ||
				(summary.Test != nil) != c.evaluated {
				t.Fatalf("status %d, summary %+v\n%s", status, summary, p.err.String())
			}
			if _, err := os.Stat(filepath.Join(summary.Dir, "checkpoint")); err != nil {
				t.Error(err)
			}
			o := mustRun(t, "train", "--resume", summary.ID, "--steps",
				strconv.Itoa(summary.Steps+5), "--json")
			if _, end := events(t, o.out); end.Steps != summary.Steps+5 {
				t.Errorf("resumed to step %d; want %d", end.Steps, summary.Steps+5)
			}
		})
	}
}

// A second signal interrupts a very long evaluation.
func TestSecondSignal(t *testing.T) {
	isolate(t)
	p, _ := launch(t, "train", "--dataset", "steps", "--inducing", "8", "--steps", "1000000", "--set",
		"early_stopping=off", "--json", "--set", "test_samples=100000")
	p.signal(t, syscall.SIGINT)
	eventually(t, "the response to the first signal", func() bool {
		return strings.Contains(p.err.String(), stopHint)
	})
	p.signal(t, syscall.SIGINT)
	rest, status := p.finish(t)
	if status != statusAtOnce || strings.Contains(rest, `"summary"`) ||
		strings.Contains(p.err.String(), "goroutine") {
		t.Errorf("status %d, output\n%s\nmessages\n%s", status, rest, p.err.String())
	}
}

func TestReaderGoesAway(t *testing.T) {
	isolate(t)
	p, _ := launch(t, endless()...)
	if err := p.stdout.Close(); err != nil {
		t.Fatal(err)
	}
	_, status := p.finish(t)
	messages := p.err.String()
	if status != statusInterrupted || strings.Contains(messages, "goroutine") ||
		!strings.Contains(messages, "checkpoint saved; to continue, run: dgplab train --resume ") {
		t.Errorf("status %d, messages\n%s", status, messages)
	}
}

// TestWithoutTerminal starts the program without a terminal, with and without values for a run.
func TestWithoutTerminal(t *testing.T) {
	isolate(t)
	if o := dgplab(t); o.status != statusUsage || o.out != "" || !strings.Contains(o.err, "Usage:") ||
		!strings.HasSuffix(o.err, "run: dgplab train\n") {
		t.Errorf("without flags:\n%v", o)
	}
	p, first := launch(t, "--dataset", "steps")
	if want := "no terminal; running: dgplab train --dataset steps --family star\n"; first != want {
		t.Errorf("begins with %q; want %q", first, want)
	}
	p.signal(t, syscall.SIGTERM)
	if _, status := p.finish(t); status != statusInterrupted {
		t.Errorf("status %d\n%s", status, p.err.String())
	}
}
