package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Commands that need the folder of runs fail in one line if there is none or a file is in its place.
func TestNoFolderForRuns(t *testing.T) {
	isolate(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	table := filepath.Join(t.TempDir(), "table.csv")
	file := filepath.Join(t.TempDir(), "file")
	for _, path := range []string{table, file} {
		if err := os.WriteFile(path, []byte("a,b\n1,2\n3,4\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fail := func(want string) {
		t.Helper()
		for _, line := range []string{
			"runs", "runs --json", "runs star", "runs show x", "runs trash", "runs untrash x",
			"runs rename x y", "compare x y", "compare family:star", "export x", "predict x " + table,
			"train --resume x", "train --from x", "train --dataset steps --family linear --steps 2",
			"train --dataset steps --family linear --steps 2 --json",
			"sweep --dataset steps --family linear --name a", "sweep --resume a", "sweep list",
			"sweep show a", "sweep show a --json", "sweep cancel a", "sweep retry a", "sweep throttle a 3",
			"sweep task a --cells 0",
		} {
			o := dgplab(t, strings.Fields(line)...)
			if o.status == statusOK || !strings.Contains(o.err, want) || strings.Count(o.err, "\n") != 1 {
				t.Errorf("%s: status %d, %q, want %q", line, o.status, o.err, want)
			}
		}
	}
	t.Setenv("DGPLAB_RUNS", file)
	fail("not a directory")
	for _, name := range []string{"DGPLAB_RUNS", "XDG_DATA_HOME", "HOME"} {
		t.Setenv(name, "")
	}
	fail("set DGPLAB_RUNS")
}

// Flags that do not fit together, and values outside their range, are usage errors.
func TestUsageErrors(t *testing.T) {
	isolate(t)
	mustRun(t, tinySweep("--name", "a", "--on", "none")...)
	for _, c := range []struct{ args, want string }{
		{"train --dataset steps --repair", "--repair needs --resume"},
		{"export latest --figure=", "missing value: --figure"},
		{"export latest --format=", "missing value: --format"},
		{"bench --set inducing", "bad value: --set "},
		{"bench --set star.inducing=4",
			"bad value: --set star.inducing=4; bench does not support values for single families"},
		{"sweep task a --cells 99999999999", "bad value: --cells=99999999999; a sweep has at most "},
		{"sweep cancel a --cells x", `bad value: --cells: "x" is not a whole number from 0`},
		{"sweep retry a", "a was not submitted; to continue it, run: "},
	} {
		o := dgplab(t, strings.Fields(c.args)...)
		if o.status != statusUsage || !strings.HasPrefix(o.err, "dgplab: "+c.want) ||
			strings.Count(o.err, "\n") != 1 {
			t.Errorf("%s: %v, want %s", c.args, o, c.want)
		}
	}
}

// A command that is interrupted before it has done anything says so.
func TestInterruptedCommands(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	mustRun(t, "train", "--dataset", "steps", "--family", "linear", "--steps", "2")
	mustRun(t, tinySweep("--name", "a", "--on", "none")...)
	mustRun(t, tinySweep("--name", "b", "--on", "slurm")...)
	experiment := "reproduce --file " + writeExperiment(t)
	small := strings.Join(tinySweep("--name", "c"), " ")
	table := filepath.Join(dir, "table.csv")
	if err := os.WriteFile(table, []byte("x,y\n0.1,2\n0.3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct{ args, want string }{
		{"export latest", "interrupted"}, {"export latest --format npz", "interrupted"},
		{"predict latest " + table, "interrupted; the predictions are incomplete"},
		{"predict latest " + table + " --out x.csv", "interrupted; nothing was written to x.csv"},
		{experiment, "interrupted before the training started"},
		{experiment + " --on slurm", "interrupted before the training started"},
		{"train --dataset steps --family linear --steps 2", "interrupted before the run started"},
		{"train --from latest", "interrupted before the run started"},
		{small, "interrupted before the sweep started"},
		{small + " --on slurm", "interrupted before the submission"},
		{small + " --on none", "interrupted before the sweep was saved"},
		{"sweep task a --cells 0", "interrupted"}, {"sweep retry b", "interrupted"},
		{"sweep cancel b", "interrupted"}, {"sweep throttle b 3", "interrupted"},
		{"datasets show steps", "interrupted"},
	} {
		o := run(t, ctx, strings.Fields(c.args)...)
		if o.status != statusInterrupted || !strings.HasSuffix(o.err, ": "+c.want+"\n") || o.out != "" {
			t.Errorf("%s: %v, want %s", c.args, o, c.want)
		}
	}
}

// Commands on a run that cannot be read, and failures that an answer reports, have the status 1.
func TestFailedCommands(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	mustRun(t, tinySweep("--name", "b", "--on", "slurm")...)
	queue(t, dir, "101_0|PENDING||5:00|None\n")
	for _, program := range []string{"scancel", "scontrol"} {
		text := []byte("#!/bin/sh\necho no controller >&2\nexit 1\n")
		if err := os.WriteFile(filepath.Join(dir, program), text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	table := filepath.Join(dir, "table.csv")
	text := "a,b\n" + strings.Repeat("1,2\n3,5\n4,4\n6,9.5\n8,7\n", 8)
	if err := os.WriteFile(table, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "train", "--dataset", table, "--family", "linear", "--name", "good")
	broken := filepath.Join(os.Getenv("DGPLAB_RUNS"), "20200101-000000-steps-svgp-0000aa")
	if err := os.Mkdir(broken, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, "config.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	id := filepath.Base(broken)
	in := filepath.Join(dir, "none", "folder")
	var many strings.Builder
	for range 9 {
		many.WriteString(" good")
	}
	for _, c := range []struct {
		args, want string
		status     int
	}{
		{"export " + id, "config.json", statusFailed},
		{"train --from " + id, "cannot be forked", statusFailed},
		{"train --resume " + id, "config.json", statusFailed},
		{"runs show " + id, "config.json", statusFailed},
		{"predict " + id + " " + table, "config.json", statusFailed},
		{"compare " + id, "config.json", statusFailed}, {"suggest " + id, "config.json", statusFailed},
		{"export good --figure predicted --out " + table, table, statusFailed},
		{"export good --report " + in + "/x.html", "no such file", statusFailed},
		{"export good --figure maps", "the figure maps does not apply", statusFailed},
		{"predict good " + table + " --out " + in, "no such file", statusFailed},
		{"predict good " + in, "no such file: " + in, statusUsage},
		{"predict good " + dir, "a folder, not a file", statusFailed},
		{"sweep cancel b", "no controller", statusFailed},
		{"sweep throttle b 3", "no controller", statusFailed},
		{"sweep retry b", "no controller", statusFailed},
		{"sweep retry b --mem 1M", "--mem=1M is less", statusFailed},
	} {
		o := dgplab(t, strings.Fields(c.args)...)
		if o.status != c.status || !strings.Contains(o.err, c.want) || strings.Count(o.err, "\n") != 1 {
			t.Errorf("%s: %v, want %s", c.args, o, c.want)
		}
	}
}
