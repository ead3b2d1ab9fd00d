//go:build unix

package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

// pipeOf creates a named pipe that returns the content of a file once.
func pipeOf(t *testing.T, path, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Skip(err)
	}
	go func() { _ = os.WriteFile(path, text, 0) }()
}

// A pipe named on the command line can be used for training and for prediction.
func TestAPipeIsReadWhereItIsNamed(t *testing.T) {
	id, table := trained(t)
	want := mustRun(t, "predict", id, table)
	pipeOf(t, "rows", table)
	got := mustRun(t, "predict", id, "rows")
	if got.out != want.out || !strings.HasPrefix(got.err, "dgplab: reading the pipe rows\n") {
		t.Errorf("predicted from a pipe:\n%v", got)
	}
	pipeOf(t, "data", "old.csv")
	got = mustRun(t, "train", "--dataset", "data", "--family", "linear")
	if !strings.HasPrefix(got.err,
		"dgplab: reading the pipe data\ndgplab: a run on data from a pipe can be neither resumed nor used "+
			"for predictions\n") {
		t.Errorf("trained on a pipe:\n%v", got)
	}
	pipeOf(t, "shown", "old.csv")
	if got := mustRun(t, "datasets", "show", "shown"); !strings.Contains(got.out, "rows      12\n") {
		t.Errorf("shown from a pipe:\n%v", got)
	}
	text, err := os.ReadFile("old.csv")
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status := Run(context.Background(), Streams{In: bytes.NewReader(text), Out: &out, Err: &errs},
		[]string{"train", "--dataset", "-", "--family", "linear"})
	if status != statusOK || !strings.HasPrefix(errs.String(), "dgplab: reading standard input\n") {
		t.Errorf("trained on standard input: status %d\n%s", status, &errs)
	}
	runs, err := rundir.List()
	if err != nil || len(runs) != 3 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	for _, run := range runs {
		if run.Results == nil || *run.Results.Test.RMSE != *runs[0].Results.Test.RMSE {
			t.Errorf("%s leads to %+v", run.ID, run.Results)
		}
	}
}

// If a pipe replaces the data of a run, commands that read the data fail with a one-line error and do not
// block.
func TestNoOtherPipeIsRead(t *testing.T) {
	_, table := trained(t)
	mustRun(t, "train", "--dataset", "old.csv", "--family", "svgp", "--steps", "5", "--set", "inducing=4")
	runs, err := rundir.List()
	if err != nil {
		t.Fatal(err)
	}
	id := runs[0].ID
	if err := os.Remove("old.csv"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo("old.csv", 0o644); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{
		{"runs", "show", id}, {"train", "--resume", id, "--steps", "20"},
		{"train", "--from", id}, {"predict", id, table},
		{"sweep", "--dataset", "old.csv", "--family", "linear", "--steps", "3"},
	} {
		o := dgplab(t, args...)
		if !strings.Contains(o.err, "old.csv: a pipe, not a file") || strings.Count(o.err, "\n") > 2 ||
			o.status == statusOK && args[0] != "runs" {
			t.Errorf("%q:\n%v", args, o)
		}
	}
}

// Waiting for a pipe without a writer ends at the first signal.
func TestWaitingForAPipeEndsAtTheFirstSignal(t *testing.T) {
	path, err := binary() // The binary is built in the folder of the test.
	if err != nil {
		t.Fatal(err)
	}
	id, table := trained(t)
	if err := syscall.Mkfifo("pipe", 0o644); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{
		{"train", "--dataset", "pipe", "--family", "linear"}, {"predict", id, "pipe"},
		{"predict", id, table, "--out", "pipe"},
	} {
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			var said kittest.Buffer
			cmd := exec.Command(path, args...)
			cmd.Stderr = &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the name of the pipe", func() bool {
				return strings.Contains(said.String(), " the pipe pipe\n")
			})
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // The exit status is checked below.
			if status := cmd.ProcessState.ExitCode(); status != statusInterrupted ||
				!strings.Contains(said.String(), "dgplab: interrupted") {
				t.Errorf("%q after %v: status %d\n%s", args, signal, status, said.String())
			}
		}
	}
}
