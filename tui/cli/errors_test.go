package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"dgplab/session/compare"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/figure"
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
			"sweep show a", "sweep show a --json", "sweep cancel a", "sweep retry a",
			"sweep task a --cells 0", "runs diff x y", "reproduce", "reproduce meng2024/table2",
			"reproduce meng2024/table2 --results", "train --set warm_start=latest",
			"sweep --set warm_start=latest,x",
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
	mustRun(t, "train", "--dataset", "steps", "--family", "linear", "--steps", "2", "--name", "good")
	for _, f := range []failure{
		{"train --dataset steps --repair", statusUsage, "--repair needs --resume"},
		{"export latest --figure=", statusUsage, "missing value: --figure"},
		{"export latest --format=", statusUsage, "missing value: --format"},
		{"bench --set inducing", statusUsage, "bad value: --set "},
		{"bench --set star.inducing=4", statusUsage,
			"bad value: --set star.inducing=4; bench does not support values for single families"},
		{"sweep task a --cells 99999999999", statusUsage,
			"bad value: --cells=99999999999; a sweep has at most "},
		{"sweep task a --cells x", statusUsage, `bad value: --cells: "x" is not a whole number from 0`},
		{"sweep retry a", statusUsage, "a was not submitted; to continue it, run: "},
		{"sweep retry a --cpus 0", statusUsage, "bad value: --cpus=0"},
		{"bench --family svgp --rows many", statusUsage, "bad value: --rows=many; want whole numbers"},
		{"train --missing no", statusUsage, "bad value: --missing=no"},
		{"train --from good --missing no", statusUsage, "bad value: --missing=no"},
		{"train --from good --dataset latters", statusUsage,
			`unknown data set: "latters"; did you mean letters?`},
		{"sweep --missing no", statusUsage, "bad value: --missing=no"},
		{"sweep --on none --family stars", statusUsage, `unknown family: "stars"`},
		{"sweep --on slurm --family stars", statusUsage, `unknown family: "stars"`},
		{"reproduce meng2024/table2 --results --splits 3..1", statusUsage, "bad value: --splits: "},
		{"reproduce meng2024/table2 --results --only latters", statusUsage,
			`meng2024/table2 has no data set "latters"`},
		{"reproduce --json --csv", statusUsage,
			"--json, --csv, --markdown and --latex are mutually exclusive"},
		{"train --fix lengthscale --set fix=none", statusUsage, "fix is given twice"},
		{"train --dataset steps --family svgp --fix noise_varance", statusUsage,
			"bad value: --fix=noise_varance: no parameter is called \"noise_varance\"; did you mean " +
				"noise_variance?"},
		{"train --bound lengthscale=2..1", statusUsage, "bad value: --bound=lengthscale=2..1: want a " +
			"parameter and its interval, such as lengthscale=0.1..10, not \"lengthscale=2..1\""},
		{"train --prior variance=gamma(1)", statusUsage, "variance=gamma(1): want gamma(shape, rate)"},
		{"train --until-converged --set until_converged=off", statusUsage, "until_converged is given twice"},
		{"export good" + strings.Repeat(" good", kit.MostWatched), statusUsage, "want 1 to"},
		{"--missing no", statusUsage, "bad value: --missing=no"},
		{"train --=x", statusUsage, "bad flag syntax: --=x"},
	} {
		f.check(t)
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
		{"sweep cancel b", "interrupted"},
		{"datasets show steps", "interrupted"},
	} {
		o := run(t, ctx, strings.Fields(c.args)...)
		if o.status != statusInterrupted || !strings.HasSuffix(o.err, ": "+c.want+"\n") || o.out != "" {
			t.Errorf("%s: %v, want %s", c.args, o, c.want)
		}
	}
}

// Commands on a run that cannot be read, and failures that an output reports, have the status 1.
func TestFailedCommands(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	mustRun(t, tinySweep("--name", "b", "--on", "slurm")...)
	mustRun(t, tinySweep("--name", "damaged", "--on", "slurm")...)
	queue(t, dir, "101_0|PENDING||5:00|None\n")
	for _, program := range []string{"scancel", "scontrol", "sbatch"} {
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
	oneRow := filepath.Join(dir, "one.csv")
	ragged := filepath.Join(dir, "ragged.csv")
	if err := errors.Join(os.WriteFile(oneRow, []byte("a,b\n1,2\n"), 0o600),
		os.WriteFile(ragged, []byte("a,b\n1,2\n3\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	sweeps := filepath.Join(os.Getenv("DGPLAB_RUNS"), ".sweeps")
	lists, err := filepath.Glob(filepath.Join(sweeps, "damaged", "*", "*", "submission.json"))
	if err != nil || len(lists) != 1 {
		t.Fatal(lists, err)
	}
	if err := os.WriteFile(lists[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	experiment := "reproduce --file " + writeExperiment(t)
	// A sweep whose lock file is a folder cannot be locked.
	for _, name := range []string{"locked", "mine"} {
		if err := os.MkdirAll(filepath.Join(sweeps, name, "lock"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	in := filepath.Join(dir, "none", "folder")
	for _, f := range []failure{
		{"export " + id, statusFailed, "config.json"},
		{"train --from " + id, statusFailed, "cannot be forked"},
		{"train --resume " + id, statusFailed, "config.json"},
		{"runs show " + id, statusFailed, "config.json"},
		{"predict " + id + " " + table, statusFailed, "config.json"},
		{"compare " + id, statusFailed, "config.json"},
		{"suggest " + id, statusFailed, "config.json"},
		{"export good --figure predicted --out " + table, statusFailed, table},
		{"export good --report " + in + "/x.html", statusFailed, "no such file"},
		{"export good --figure maps", statusFailed, "the figure maps does not apply"},
		{"predict good " + table + " --out " + in, statusFailed, "no such file"},
		{"predict good " + in, statusUsage, "no such file: " + in},
		{"predict good " + dir, statusFailed, "a folder, not a file"},
		{"sweep cancel b", statusFailed, "no controller"},
		{"sweep retry damaged", statusFailed, "submission.json"},
		{"sweep --on none --dataset " + oneRow, statusFailed, "one row"},
		{"sweep --on slurm --dataset " + oneRow, statusFailed, "one row"},
		{experiment + " --results --html " + in + "/x.html", statusFailed, "no such file"},
		{"compare good --svg " + in, statusFailed, "no diagram"},
		{"datasets show " + ragged, statusFailed, "line 3"},
	} {
		f.check(t)
	}
	queue(t, dir, "")
	for _, f := range []failure{ // A plan precedes the error.
		{"sweep retry b --mem 1M", statusFailed, "--mem=1M is less"},
		{"sweep retry b", statusFailed, "no controller"},
		{"sweep --on none --dataset steps --family svgp --set inducing=2,3 --set validation=0.1 " +
			"--halving 2", statusFailed,
			"successive halving"},
		{"sweep --dataset steps --family linear --name locked", statusFailed, "lock"},
	} {
		o := dgplab(t, strings.Fields(f.args)...)
		o.out = ""
		f.checkOutcome(t, o)
	}
	for _, c := range []struct { // A message precedes the error.
		flags, want string
		status      int
	}{
		{"", filepath.Join("mine", "lock"), statusFailed},
		{" --on slurm --cpus 0", "bad value: --cpus=0", statusUsage},
		{" --dry-run --csv", "--csv cannot be used with --dry-run", statusUsage},
	} {
		o := dgplab(t, strings.Fields(experiment+c.flags)...)
		if o.status != c.status || !strings.Contains(o.err, c.want) || o.out != "" {
			t.Errorf("%s%s: %v", experiment, c.flags, o)
		}
	}
}

// A run that another process removes while a command reads it is an error.
func TestRemovedRun(t *testing.T) {
	isolate(t)
	var gone rundir.Info
	gone.ID = "20200101-000000-steps-svgp-0000aa"
	gone.Dir = filepath.Join(os.Getenv("DGPLAB_RUNS"), gone.ID)
	_, shown := new(console).snapshot(context.Background(), gone)
	set := &compare.Set{Runs: []compare.Run{{Info: gone}, {Info: gone}}}
	pair := &compared{Report: &compare.Report{Set: set}}
	for what, err := range map[string]error{
		"figures":   shown,
		"posterior": posteriorFiles(context.Background(), []rundir.Info{gone})[0].Write(io.Discard),
		"joint":     pair.compareJointly(&cobra.Command{}),
	} {
		if !errors.Is(err, rundir.ErrNoRun) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Exports skip empty figures and fail if all are empty. An interruption ends them after the current file.
func TestWriteFiles(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	full := report.File{Name: "full", Write: func(w io.Writer) error {
		_, err := io.WriteString(w, "x")
		return err
	}}
	empty := report.File{Name: "empty", Write: func(io.Writer) error { return figure.ErrNothing }}
	last := report.File{Name: "last", Write: func(io.Writer) error {
		cancel()
		return nil
	}}
	to, err := openFolder(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	for _, c := range []struct {
		files []report.File
		done  string
		want  string
	}{
		{[]report.File{empty, full}, "[full]", ""},
		{[]report.File{empty, empty}, "[]", "there is nothing to export"},
		{[]report.File{full, last, full}, "[]", "interrupted after 2 files in " + to.Path()},
	} {
		done, _, err := (&console{Streams: Streams{Err: io.Discard}}).writeFiles(ctx, to, c.files)
		if fmt.Sprint(done) != c.done || (err == nil) != (c.want == "") ||
			!strings.HasPrefix(oneLine(err), c.want) {
			t.Errorf("%v, %v; want %s, %s", done, err, c.done, c.want)
		}
	}
}

// The ends of sweeps and experiments with failed and missing runs.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		cells             []sweep.Status
		sweep, experiment string
	}{
		{[]sweep.Status{sweep.Done, sweep.Done}, "", ""},
		{[]sweep.Status{sweep.Done, sweep.Failed},
			"1 of 2 runs failed; to retry, run: dgplab sweep --resume s --retry",
			"1 of 2 runs failed; --retry trains them again"},
		{[]sweep.Status{sweep.Failed, sweep.Failed, sweep.Stopped},
			"0 of 3 runs done; to continue, run: dgplab sweep --resume s",
			"0 of 3 runs done; repeat the command to continue"},
	} {
		s := &sweep.State{Name: "s"}
		for _, status := range c.cells {
			s.Cells = append(s.Cells, sweep.CellState{Status: status})
		}
		if got := oneLine(sweepVerdict(s)); got != c.sweep {
			t.Errorf("a sweep of %v: %q, want %q", c.cells, got, c.sweep)
		}
		if got := oneLine(experimentVerdict(s)); got != c.experiment {
			t.Errorf("an experiment of %v: %q, want %q", c.cells, got, c.experiment)
		}
	}
}

// A task with a failed run has the status 1, a task that must end the status 130, and an unreadable sweep is
// listed with its error.
func TestFailedTask(t *testing.T) {
	isolate(t)
	table := filepath.Join(t.TempDir(), "table.csv")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(table, "a,b\n"+strings.Repeat("1,2\n3,5\n4,4\n6,9.5\n8,7\n", 8))
	mustRun(t, "sweep", "--dataset", table, "--family", "linear", "--name", "s", "--on", "none")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(sweep.ErrTerminated)
	o := run(t, ctx, "sweep", "task", "s", "--cells", "0")
	if o.status != statusInterrupted || o.err != "dgplab: asked to end\n" {
		t.Errorf("a terminated task: %v", o)
	}
	write(table, "a,b\n1,2\n")
	o = dgplab(t, "sweep", "task", "s", "--cells", "0")
	if o.status != statusFailed || !strings.HasSuffix(o.err, "\ndgplab: 1 run failed\n") {
		t.Errorf("a failed task: %v", o)
	}
	write(filepath.Join(os.Getenv("DGPLAB_RUNS"), ".sweeps", "s", "sweep.json"), "{")
	if o := mustRun(t, "sweep", "list", "--json"); !strings.HasPrefix(o.out, `[{"name":"s",`) ||
		!strings.Contains(o.out, `"error":"`) || !strings.Contains(o.out, "sweep.json") {
		t.Errorf("an unreadable sweep: %v", o)
	}
}
