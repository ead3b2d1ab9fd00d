package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"dgplab/session/bench"
	"dgplab/session/rundir/rundirtest"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
)

// lineMaker makes random command lines. A few of its words are wrong.
type lineMaker struct {
	*golden.Filler
	wrong int // One word in this number is wrong; 0 means none.
}

// of returns one of some words, or a wrong one.
func (m *lineMaker) of(words ...string) string {
	if m.wrong > 0 && m.IntN(m.wrong) == 0 {
		return golden.Pick(m.Filler, "", "x", "-1", "1,2", "a b", "0..3", "99999999999999999999", "nothing=1",
			"star")
	}
	return golden.Pick(m.Filler, words...)
}

// flags returns some of the flags, each with a value from a list, or without a value if the list is empty.
func (m *lineMaker) flags(share int, flags map[string][]string, order ...string) (args []string) {
	for _, name := range order {
		if m.IntN(share) > 0 {
			continue
		}
		values := flags[name]
		if len(values) == 0 {
			args = append(args, "--"+name)
			continue
		}
		args = append(args, "--"+name+"="+m.of(values...))
	}
	return args
}

// settingFlags are the flags of a configuration with values.
var settingFlags = map[string][]string{
	"dataset": {"steps", "mountaincar", "own.csv", "steeps", "no.csv"}, "target": {"1", "y", "y:number"},
	"ignore": {"a", "0"}, "categorical": {"c"}, "log": {"a"}, "missing": {"drop", "mean", "no"},
	"decimal": {"comma"}, "levels": {"7", "many"}, "split": {"interpolation:0", "standard:3",
		"interpolaton:1"},
	"family": {"svgp", "star", "linear", "gp", "bnn-vi", "stars"}, "preset": {"default", "lindinger2020",
		"gone"},
	"seed": {"0", "3", "-3"},
	"set": {"inducing=8", "inducing=0", "width=2,3", "layers=2", "kernel=rbf", "kernel=cubic",
		"learning_rate=0.1",
		"inducng=8", "until_converged=on", "=3", "whiten"},
	"layers": {"1", "2", "3", "x"},
	"width":  {"2", "5"}, "inducing": {"8", "4096", "5000"}, "batch": {"64"},
	"samples": {"2"}, "steps": {"20", "0", "many"}, "budget": {"5m", "soon"}, "until-converged": nil,
}

// settingNames are the names of settingFlags in a fixed order.
var settingNames = strings.Fields("dataset target ignore categorical log missing decimal levels split " +
	"family preset seed set set layers width inducing batch samples steps budget until-converged")

// TestRecordedConfigurations compares the configurations of random command lines, and the errors about wrong
// ones, with recorded ones.
func TestRecordedConfigurations(t *testing.T) {
	isolate(t)
	back := inFolder(t)
	if err := os.WriteFile("own.csv", []byte("a,c,y\n1,u,2\n2,v,3\n3,u,5\n4,v,1\n5,u,9\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	m := &lineMaker{golden.NewTypicalFiller(31), 0}
	var sums golden.Sums
	for range 700 {
		m.wrong = golden.Pick(m.Filler, 0, 0, 30)
		args := m.flags(golden.Pick(m.Filler, 3, 6, 12), settingFlags, settingNames...)
		line := strings.Join(args, " ")
		config, err := parsed(args)
		if err != nil {
			sums.Add("parse errors", line, oneLine(err))
			continue
		}
		full := withDefaults(config)
		sums.Add("configurations", line, fmt.Sprint(config), commandLine(full))
		if err := check(&cobra.Command{Use: "train"}, full); err != nil {
			sums.Add("errors", oneLine(err), oneLine(blame(&cobra.Command{Use: "train"}, full, err)))
		}
	}
	for range 300 {
		m.wrong = golden.Pick(m.Filler, 0, 0, 30)
		args := m.flags(4, map[string][]string{"family": {"svgp", "star,svgp", "gp, star", "stars"},
			"inducing": {"8,16", "8", ",", "many"}, "layers": {"2,3"}, "width": {"3"}, "batch": {"64"},
			"samples": {"2"}, "set": {"kernel=rbf,matern32", "inducing=8,9", "layers=2", "svgp.inducing=4",
				"x"},
			"rows": {"100", "100,200", "x"}, "inputs": {"3", "0"}, "outputs": {"2"},
			"preset": {"default", "gone"}, "seconds": {"1", "0", "x"}, "all": nil},
			"family", "inducing", "layers", "width", "batch", "samples", "set", "set", "rows", "inputs",
			"outputs",
			"preset", "seconds", "all")
		f := &benchFlags{options: bench.Defaults(), axes: map[string]*string{}}
		cmd := &cobra.Command{Use: "bench"}
		f.register(cmd)
		if err := cmd.ParseFlags(args); err != nil {
			sums.Add("parse errors", oneLine(flagError(cmd, err)))
			continue
		}
		plan, err := f.plan(cmd)
		if err != nil {
			sums.Add("errors of bench", oneLine(err))
			continue
		}
		sums.Add("benchmarks", fmt.Sprint(plan.Options, plan.N, plan.Len()))
	}
	back()
	sums.Check(t, "configurations")
}

// inFolder changes to a new folder. back returns to the folder of the package.
func inFolder(t *testing.T) (back func()) {
	t.Helper()
	was, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	return func() { t.Chdir(was) }
}

// scriptedRuns writes runs, sweeps and a table, and returns names of runs and sweeps, some of them wrong.
func scriptedRuns(t *testing.T) (names []string, back func()) {
	t.Helper()
	isolate(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	back = inFolder(t)
	ids := kittest.WriteGrid(t, []string{"star", "svgp", "linear"}, []string{"boston", "wine_red"}, 2, 2)
	for i, id := range ids {
		switch i {
		case 0:
			mustRun(t, "runs", "rename", id, "best")
			mustRun(t, "runs", "tag", id, "paper", "fig3")
		case 5:
			mustRun(t, "runs", "note", id, "two\nlines")
		case 7:
			mustRun(t, "runs", "rename", id, "twice")
		case 8:
			mustRun(t, "runs", "rename", id, "twice")
		}
	}
	mustRun(t, tinySweep("--name", "first", "--on", "none")...)
	mustRun(t, "sweep", "--dataset", "steps", "--family", "svgp,star", "--set", "inducing=4,6,8,12",
		"--name", "second", "--on", "none")
	if err := os.WriteFile("own.csv", []byte("a;c;y\n1,5;u;2\n2;v;3\n3;u;\n4;v;1\n5;u;9\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	return []string{ids[0], ids[1], ids[3], ids[6], ids[9], ids[11], "best", "best", "first", "second", "20",
		"nothing",
		"latest", "latest~1", "twice", "family:svgp", "dataset:boston"}, back
}

// commandLine returns a random command line with names of runs and sweeps.
func (m *lineMaker) commandLine(names []string) []string {
	f := m.Filler
	query := func() string {
		return golden.Pick(f, "star", "family:svgp", "log_lik>-2.5", "-tag:paper", "famly:x", "seed:1",
			"steps>x", "or",
			"note:two", "created>2030")
	}
	some := func(most int) (list []string) {
		for range 1 + f.IntN(most) {
			list = append(list, golden.Pick(f, names...))
		}
		return list
	}
	form := m.flags(8, map[string][]string{}, "json", "csv", "markdown")
	json := m.flags(3, map[string][]string{}, "json")
	switch f.IntN(18) {
	case 0, 1:
		return append(append([]string{"runs", query()}, m.flags(2, map[string][]string{"sort": {"log_lik",
			"seed", "id",
			"famly", "inducing"}, "reverse": nil}, "sort", "reverse")...), json...)
	case 2:
		return append([]string{"runs", "show", golden.Pick(f, names...)}, json...)
	case 3:
		return append(append([]string{"runs", "diff"}, some(3)...), json...)
	case 4:
		return append([]string{"runs", golden.Pick(f, "tag", "untag"), golden.Pick(f, names...)},
			golden.Pick(f, []string{"paper"}, []string{"new", "fig3"}, []string{"a b"}, nil)...)
	case 5:
		return []string{"runs", golden.Pick(f, "rename", "note"), golden.Pick(f, names...), golden.Pick(f, "",
			"good one",
			"bad\nname", "latest", "note")}
	case 6:
		return append([]string{"runs", golden.Pick(f, "delete", "restore", "trash", "shwo")},
			golden.Pick(f, some(2), some(1), nil)...)
	case 7, 8, 9:
		args := m.flags(3, map[string][]string{"metric": {"log_lik", "rmse,log_lik", "rmsee", "seconds"},
			"ranks-by": {"dataset", "split", "seed"}, "against": {"svgp", "star", "linear", "stars"},
			"svg": {"ranks.svg"}, "unmatched": nil}, "metric", "ranks-by", "against", "svg", "unmatched")
		return append(append(append([]string{"compare"}, some(6)...), args...), form...)
	case 10:
		return append([]string{"sweep", golden.Pick(f, "show", "list", "cancel", "retry", "lsit"),
			golden.Pick(f, "first", "second", "secnd", golden.Pick(f, names...))}, json...)
	case 11:
		return append([]string{"sweep", "--dry-run"}, m.flags(2, map[string][]string{"family": {"svgp,star",
			"linear", "x"},
			"dataset": {"steps", "own.csv", "steps,mountaincar"}, "set": {"inducing=4,6", "inducing=4..9",
				"svgp.inducing=3", "inducing=0", "x=1"}, "seed": {"0..2", "1", "x"}, "random": {"2", "0"},
			"halving": {"2", "1"}, "rungs": {"2", "1"}, "name": {"third", "bad name", "first"}, "jobs": {"2",
				"0"},
			"on": {"local", "none", "slurm.x", "moon"}, "resume": {"first", "gone"}, "baseline": nil},
			"family", "dataset", "set", "seed", "random", "halving", "rungs", "name", "jobs", "on",
			"baseline")...)
	case 12:
		return append([]string{"datasets", "show", golden.Pick(f, "steps", "own.csv", "letters", "leters",
			"no.csv")},
			m.flags(2, map[string][]string{"target": {"y", "a", "c:class"}, "missing": {"drop", "no"},
				"columns": {"0-1",
					"1", "all", "x"}, "log": {"a", "z"}, "json": nil}, "target", "missing", "columns", "log",
				"json")...)
	case 13:
		return append([]string{"families", golden.Pick(f, "star", "svgp", "linear", "stars")}, json...)
	case 14:
		return append([]string{"export", golden.Pick(f, names...)}, m.flags(2, map[string][]string{
			"figure": {"curves", "calibration", "maps", "x"}, "format": {"csv", "svg,csv", "gif"},
			"out":  {"figures"},
			"json": nil}, "figure", "format", "out", "json")...)
	case 15:
		return append([]string{golden.Pick(f, "predict", "suggest"), golden.Pick(f, names...)}, m.flags(2,
			map[string][]string{"quantiles": {"5,95", "x"}, "draws": {"3", "-1", "x"}, "unknown": {"ignore",
				"x"},
				"out": {"out.csv"}, "candidates": {"lhs:4", "own.csv", "lhs:x"}, "count": {"2", "0"},
				"goal": {"maximum",
					"x"}, "criterion": {"x"}}, "quantiles", "draws", "unknown", "out", "candidates", "count",
			"goal")...)
	case 16:
		return append([]string{"train", golden.Pick(f, "--resume", "--from") + "=" + golden.Pick(f,
			names...)},
			m.flags(4, map[string][]string{"steps": {"x", "5"}, "family": {"stars"}, "set": {"inducing=0",
				"x=1"},
				"name": {"bad\nname"}, "repair": nil}, "steps", "family", "set", "name", "repair")...)
	}
	return append([]string{"reproduce", golden.Pick(f, "meng2024/table2", "wilson2012/jura",
		"meng2024/table3"),
		"--results"}, m.flags(3, map[string][]string{"only": {"boston", "x"}, "splits": {"0..1", "x"},
		"csv": nil, "markdown": nil}, "only", "splits", "csv", "markdown")...)
}

// moments matches times at which sweeps were created.
var moments = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ][0-9:.#+Z-]*`)

// TestRecordedCommandLines compares what random command lines do to scripted runs with recorded results.
func TestRecordedCommandLines(t *testing.T) {
	names, back := scriptedRuns(t)
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	m := &lineMaker{rundirtest.NewFiller(32), 0}
	var sums golden.Sums
	for range 450 {
		m.wrong = golden.Pick(m.Filler, 0, 40)
		args := m.commandLine(names)
		o := dgplab(t, args...)
		group := args[0]
		if group == "runs" || group == "sweep" {
			group += " " + strings.Split(args[1], ":")[0]
		}
		if strings.HasPrefix(group, "runs") && args[1] != "show" && args[1] != "diff" {
			group = "runs"
		}
		text := fmt.Sprintf("%d\n%s\n%s", o.status, o.out, o.err)
		text = moments.ReplaceAllString(strings.ReplaceAll(scrubSweep(text), folder, "FOLDER"), "MOMENT")
		for _, name := range []string{"DGPLAB_RUNS", "DGPLAB_CACHE", "XDG_CONFIG_HOME"} {
			text = strings.ReplaceAll(text, os.Getenv(name), name)
		}
		sums.Add(group, strings.Join(args, " "), text)
	}
	back()
	sums.Check(t, "command_lines")
}

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
	names, _ := scriptedRuns(t)
	m := &lineMaker{rundirtest.NewFiller(33), 0}
	failed := 0
	for range 150 {
		args := m.commandLine(names)
		if args[0] == "export" || args[0] == "train" {
			continue
		}
		counted := &writerThatFails{at: 1 << 30}
		if runInto(counted, args) != statusOK || counted.calls == 0 {
			continue
		}
		for at := range min(counted.calls, 4) {
			failed++
			if status := runInto(&writerThatFails{at: at}, args); status != statusFailed {
				t.Errorf("%q without write %d of %d: status %d", args, at+1, counted.calls, status)
			}
		}
	}
	if failed < 30 {
		t.Errorf("only %d failures", failed)
	}
}
