//go:build unix

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dgplab/session/rundir"
	"dgplab/session/sweep"
)

// fakeSlurm puts programs of Slurm on the PATH, which record their calls in the returned folder.
// squeue prints the file "queue"; an absent file means that the controller is down.
func fakeSlurm(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, script := range map[string]string{
		"sbatch": `if grep -q partition=nope "$3"; then
	echo 'sbatch: error: no such partition' >&2
	exit 1
fi
echo 101`,
		"squeue":   "cat $D/queue 2>/dev/null || { echo 'Unable to contact slurm controller' >&2; exit 1; }",
		"scancel":  "true",
		"scontrol": "echo MaxArraySize = 1001",
	} {
		text := "#!/bin/sh\nD=" + dir + "\necho " + name + " \"$@\" >> $D/calls\n" + script + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	queue(t, dir, "")
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("XDG_CONFIG_HOME", dir)
	return dir
}

// queue sets the answer of squeue.
func queue(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "queue"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// called returns the calls of a program of Slurm.
func called(t *testing.T, dir, program string) string {
	t.Helper()
	text, _ := os.ReadFile(filepath.Join(dir, "calls"))
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, program+" ") {
			out.WriteString(line)
		}
	}
	return strings.ReplaceAll(out.String(), os.Getenv("DGPLAB_RUNS"), "RUNS")
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
}

// A sweep is planned, submitted, shown, cancelled and submitted again.
func TestSweepOnSlurm(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	args := tinySweep("--name", "a", "--on", "slurm", "--cpus", "2", "--setup", "module load go")
	plan := mustRun(t, append(args, "--dry-run")...)
	contains(t, plan.out, "#SBATCH --cpus-per-task=2\n", "module load go\n", "#SBATCH --mem=300M\n",
		" sweep task a --list 001\n",
		"sbatch --parsable --array=0-3 "+os.Getenv("DGPLAB_RUNS")+"/.sweeps/a/lists/001/job.sh\n")
	if entries, _ := os.ReadDir(os.Getenv("DGPLAB_RUNS")); len(entries) != 0 {
		t.Errorf("--dry-run wrote %v", entries)
	}
	o := mustRun(t, args...)
	contains(t, o.out, "submitted  4 runs in 4 tasks\n", "job        101\n")
	if got := called(t, dir, "sbatch"); got !=
		"sbatch --parsable --array=0-3 RUNS/.sweeps/a/lists/001/job.sh\n" {
		t.Errorf("calls\n%s", got)
	}

	queue(t, dir, "101_0|PENDING||Resources\n101_1|PENDING||Priority\n101_2|RUNNING|n1|None\n")
	const tasks = "1 running on n1, 2 pending: waits for free cores or memory (Resources); " +
		"jobs of higher priority come first (Priority)\n"
	contains(t, mustRun(t, args...).out, "tasks   "+tasks, "submit  nothing: 4 awaited by tasks\n")
	contains(t, mustRun(t, tinySweep("--name", "a", "--on", "slurm", "--seed", "0..4", "--dry-run")...).out,
		"submit  6 runs, the others are 4 awaited by tasks\n", "--array=0-5 ")
	shown := mustRun(t, "sweep", "show", "a")
	contains(t, shown.out, "tasks  "+tasks, "0  inducing=4 seed=0  waiting", "awaited by tasks")
	contains(t, mustRun(t, "sweep", "show", "a", "--json").out,
		`"tasks":{"running":1,"pending":2,"nodes":["n1"]`)
	contains(t, mustRun(t, "sweep", "cancel", "a").out, "cancelled 3 tasks\n")
	if got := called(t, dir, "scancel"); got != "scancel 101\n" {
		t.Errorf("calls\n%s", got)
	}

	// A task of the submission trains its run, here in this process.
	mustRun(t, "sweep", "task", "a", "--cells", "1..9")
	runs, err := rundir.List()
	if err != nil || len(runs) != 3 || runs[0].Sweep != "a" || runs[0].Status() != "finished" {
		t.Errorf("%d runs, %v", len(runs), err)
	}
	queue(t, dir, "")
	again := mustRun(t, "sweep", "retry", "a", "--time", "30")
	contains(t, again.out, "submitted  1 run in 1 task", "lists/002/job.sh")
	script, err := os.ReadFile(filepath.Join(os.Getenv("DGPLAB_RUNS"), ".sweeps/a/lists/002/job.sh"))
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(script), "module load go\n", "#SBATCH --time=30\n", "#SBATCH --cpus-per-task=2\n")
	plan = mustRun(t, "sweep", "retry", "a", "--setup", "module load other", "--sbatch", "nice=5",
		"--dry-run")
	contains(t, plan.out, "module load other\n", "#SBATCH --nice=5\n", "#SBATCH --time=30\n")
	if strings.Contains(plan.out, "module load go") {
		t.Errorf("--setup does not replace the last one:\n%s", plan.out)
	}
}

// Slurm's own message explains a refused submission, and nothing is left behind. While Slurm does
// not answer, nothing is submitted twice.
func TestSweepRefusedBySlurm(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	o := dgplab(t, tinySweep("--name", "a", "--on", "slurm", "--partition", "nope")...)
	if o.status != statusFailed || o.err != "dgplab: sbatch: error: no such partition\n" {
		t.Errorf("%v", o)
	}
	if o := mustRun(t, "sweep", "list"); o.out != "" {
		t.Errorf("left\n%s", o.out)
	}
	mustRun(t, tinySweep("--name", "a", "--on", "slurm")...)
	if err := os.Remove(filepath.Join(dir, "queue")); err != nil {
		t.Fatal(err)
	}
	o = dgplab(t, tinySweep("--name", "a", "--on", "slurm")...)
	if o.status != statusFailed || o.err != "dgplab: squeue: the Slurm controller does not answer\n" {
		t.Errorf("%v", o)
	}
	contains(t, mustRun(t, "sweep", "show", "a").out,
		"tasks  squeue: the Slurm controller does not answer; the states follow from the files alone\n")
	queue(t, dir, "101_0|PENDING||None\n")
	list := filepath.Join(os.Getenv("DGPLAB_RUNS"), ".sweeps", "a", "lists", "001", "cells.jsonl")
	if err := os.WriteFile(list, []byte("{\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o = dgplab(t, tinySweep("--name", "a", "--on", "slurm")...)
	if o.status != statusFailed || o.out != "" || !strings.Contains(o.err, list) {
		t.Errorf("a damaged list: %v", o)
	}
}

// Profiles come from the settings file. Flags take precedence.
func TestSlurmProfile(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	settings := "[slurm.default]\npartition = \"short\"\n[slurm.big]\npartition = \"long\"\ncpus = 8\n"
	if err := os.MkdirAll(filepath.Join(dir, "dgplab"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "dgplab", "settings.toml")
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	contains(t, mustRun(t, tinySweep("--dry-run", "--on", "slurm")...).out, "--partition=short\n")
	contains(t, mustRun(t, tinySweep("--dry-run", "--on", "slurm.big", "--cpus", "2")...).out,
		"--partition=long\n", "--cpus-per-task=2\n")
	o := dgplab(t, tinySweep("--dry-run", "--on", "slurm.bgi")...)
	if o.status != statusUsage || !strings.Contains(o.err, "has no [slurm.bgi]; did you mean big?") {
		t.Errorf("%v", o)
	}
}

func TestSlurmUsage(t *testing.T) {
	isolate(t)
	fakeSlurm(t)
	for _, f := range []failure{
		{"sweep --on moon", statusUsage, "bad value: --on=moon; want local, none, slurm or slurm.PROFILE"},
		{"sweep --on local.x", statusUsage, "bad value: --on=local.x; want local"},
		{"sweep --time 5", statusUsage, "--time needs --on slurm"},
		{"sweep --on slurm --jobs 3", statusUsage, "--jobs is for --on local; use --parallel"},
		{"sweep --on slurm --pack 0", statusUsage, "bad value: --pack=0; want a whole number from 1"},
		{"sweep --on slurm --sbatch wrap=ls", statusUsage,
			"bad value: --sbatch=\"wrap=ls\"; the program sets wrap itself"},
		{"sweep task", statusUsage, "want one sweep name, not 0"},
		{"sweep task a --cells 0 --list 001", statusUsage, "--cells cannot be used with --list"},
		{"sweep task a --cells x", statusUsage, "bad value: --cells: \"x\" is not a whole number from 0"},
		{"sweep task a --cells 0", statusUsage, "no such sweep: a"},
		{"sweep task a --list ..", statusUsage, "bad value: --list: invalid sweep name"},
		{"sweep cancel a", statusUsage, "no such sweep: a"},
		{"sweep retry a", statusUsage, "no such sweep: a"},
	} {
		f.check(t)
	}
	o := dgplab(t, tinySweep("--on", "slurm", "--mem", "100M")...)
	if o.status != statusFailed ||
		!strings.Contains(o.err, "--mem=100M is less than the estimated need of 300M") {
		t.Errorf("%v", o)
	}
	t.Setenv("PATH", t.TempDir())
	o = dgplab(t, tinySweep("--on", "slurm")...)
	if o.status != statusFailed || o.err != "dgplab: scontrol: not installed on this machine\n" {
		t.Errorf("%v", o)
	}
}

// A sweep that is only created is trained by tasks of any engine.
func TestSweepByHand(t *testing.T) {
	isolate(t)
	mustRun(t, tinySweep("--name", "a", "--on", "none", "--dry-run")...)
	if o := dgplab(t, "sweep", "show", "a"); o.status == statusOK {
		t.Errorf("--dry-run saved the sweep: %v", o)
	}
	listed := mustRun(t, tinySweep("--name", "b", "--on", "none", "--json")...).out
	for line := range strings.Lines(listed) {
		if !json.Valid([]byte(line)) {
			t.Errorf("the line %q is not JSON", line)
		}
	}
	contains(t, mustRun(t, tinySweep("--name", "a", "--on", "none")...).out,
		"train  dgplab sweep task a\n")
	for _, cells := range []string{"0", "1,2"} {
		mustRun(t, "sweep", "task", "a", "--cells", cells)
	}
	contains(t, mustRun(t, "sweep", "task", "a").err, "no run is left: 4 done, 0 failed, 0 held")
	runs, err := rundir.List()
	if err != nil || len(runs) != 4 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
	contains(t, mustRun(t, "sweep", "show", "a").out, "a, 4 of 4 runs done\n")
}

// The missing runs of an experiment are submitted, and the runs of the tasks count.
func TestReproduceOnSlurm(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	args := []string{"reproduce", "--file", writeExperiment(t), "--on", "slurm"}
	o := mustRun(t, append(args, "--splits", "1")...)
	contains(t, o.out, "submitted  2 runs in 2 tasks", "job        101\n")
	contains(t, called(t, dir, "sbatch"), "RUNS/.sweeps/mine/lists/001/job.sh")
	mustRun(t, "sweep", "task", "mine", "--list", "001")
	contains(t, mustRun(t, append(args[:3:3], "--results")...).out, "2 of 4 runs done")
	o = mustRun(t, args...)
	contains(t, o.err, "4 runs, of which 2 exist")
	contains(t, o.out, "submitted  2 runs in 2 tasks")
}

// A signal ends a task with the cause of the end.
func TestTaskSignals(t *testing.T) {
	for s, want := range map[syscall.Signal]error{syscall.SIGUSR2: sweep.ErrTimeLimit,
		syscall.SIGTERM: sweep.ErrTerminated, syscall.SIGINT: sweep.ErrTerminated} {
		ctx, release := taskSignals(context.Background())
		if err := syscall.Kill(syscall.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Minute):
		}
		if got := context.Cause(ctx); got != want {
			t.Errorf("%v ends the task with %v, want %v", s, got, want)
		}
		release()
	}
}

// A profile with an invalid option is an error with the place in the settings file.
func TestInvalidProfile(t *testing.T) {
	isolate(t)
	path := filepath.Join(fakeSlurm(t), "dgplab", "settings.toml")
	if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o755),
		os.WriteFile(path, []byte("[slurm.bad]\ncpus = -1\n[slurm.good]\ncpus = 2\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for profile, want := range map[string]string{"bad": "settings.toml: slurm.bad: cpus=-1",
		"goood": "the settings file has no [slurm.goood]; did you mean good?"} {
		o := dgplab(t, tinySweep("--on", "slurm."+profile)...)
		if o.status == statusOK || !strings.Contains(o.err, want) || strings.Count(o.err, "\n") != 1 {
			t.Errorf("%s: %v", profile, o)
		}
	}
	mustRun(t, tinySweep("--on", "slurm.good", "--dry-run")...)
}
