package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"dgplab/tui/kit/kittest"
)

var errFull = errors.New("disk full")

// runInto executes a command line and returns its status.
func runInto(out io.Writer, args []string) int {
	return Run(context.Background(), Streams{In: strings.NewReader(""), Out: out, Err: io.Discard}, args)
}

// writerThatFails fails at one of its calls.
type writerThatFails struct{ calls, at int }

func (w *writerThatFails) Write(text []byte) (int, error) {
	w.calls++
	if w.calls > w.at {
		return 0, errFull
	}
	return len(text), nil
}

// Every command that cannot write all of its output fails with the reason.
func TestLostOutputOfCommandLines(t *testing.T) {
	isolate(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Chdir(t.TempDir())
	run := kittest.WriteGrid(t, []string{"star", "svgp", "linear"}, []string{"boston", "wine_red"}, 2, 2)[0]
	mustRun(t, tinySweep("--name", "first", "--on", "none")...)
	if err := os.WriteFile("own.csv", []byte("a;c;y\n1,5;u;2\n2;v;3\n3;u;7\n4;v;1\n5;u;9\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"runs", "runs --json", "runs show " + run, "runs show " + run + " --json",
		"compare dataset:boston", "compare dataset:boston --json", "compare dataset:boston --csv",
		"compare dataset:boston --markdown", "sweep list", "sweep show first",
		"sweep --dataset steps --dry-run",
		"datasets", "datasets show own.csv", "datasets show own.csv --json", "families", "families star",
		"reproduce", "reproduce meng2024/table2 --results",
	} {
		args := strings.Fields(line)
		counted := &writerThatFails{at: 1 << 30}
		if status := runInto(counted, args); status != statusOK || counted.calls == 0 {
			t.Errorf("%s: status %d, %d writes", line, status, counted.calls)
		}
		for at := range min(counted.calls, 4) {
			if status := runInto(&writerThatFails{at: at}, args); status != statusFailed {
				t.Errorf("%s, without write %d of %d: status %d, want %d", line, at+1, counted.calls, status,
					statusFailed)
			}
		}
	}
}
