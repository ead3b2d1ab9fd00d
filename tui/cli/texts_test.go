package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/datasets/task"
	"dgplab/session"
	"dgplab/session/bench"
	"dgplab/session/compare"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
)

// An error about a flag describes the values that the flag accepts and uses the notation of the command line.
func TestFlagTexts(t *testing.T) {
	flags := pflag.NewFlagSet("x", pflag.ContinueOnError)
	flags.Int("int", 0, "")
	flags.Uint64("uint64", 0, "")
	flags.Float64("float64", 0, "")
	flags.Bool("bool", false, "")
	flags.String("string", "", "")
	flags.Var(new(columnRange), "range", "")
	for name, want := range map[string]string{"int": "a whole number", "uint64": "a whole number from 0",
		"float64": "a number", "bool": "true or false", "string": "text",
		"range": "FIRST-LAST (column numbers from 0) or all"} {
		if got := wantedBy(flags.Lookup(name)); got != want {
			t.Errorf("--%s wants %q, not %q", name, got, want)
		}
	}
	cmd := &cobra.Command{}
	cmd.Flags().Int("learning-rate", 0, "")
	if err := cmd.ParseFlags([]string{"--learning-rate", "3"}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"learning_rate": "--learning-rate", "width": "--set width",
		rundir.TargetsField: "--target", rundir.ColumnsField: "", rundir.SeedField: "--seed"} {
		if got := flagOf(cmd, name); got != want {
			t.Errorf("%s is written %q, want %q", name, got, want)
		}
	}
}

// The levels of a column are listed with their shares, at most twenty of them.
func TestLevelTexts(t *testing.T) {
	column := table.Column{Name: "town"}
	for i := range 22 {
		column.Levels = append(column.Levels, table.Level{Name: fmt.Sprintf("t%d", i), Count: i + 1})
	}
	var list facts
	new(console).levelFacts(&list, column, 200)
	lines := strings.Split(strings.TrimSpace(list.String()), "\n")
	if len(lines) != 21 || lines[0] != "town  t0: 1 row (0.5 %)" ||
		lines[19] != "      t19: 20 rows (10.0 %)" || lines[20] != "      and 2 more" {
		t.Errorf("22 levels:\n%s", list.String())
	}
	column.Levels = column.Levels[:20]
	list = facts{}
	new(console).levelFacts(&list, column, 200)
	if text := list.String(); strings.Count(text, "\n") != 20 || strings.Contains(text, "more") {
		t.Errorf("20 levels:\n%s", text)
	}
	for delimiter, want := range map[string]string{",": "commas", ";": "semicolons", "|": "bars",
		"\t": "tabs", " ": "blanks"} {
		if got := delimiterName(delimiter); got != want {
			t.Errorf("%q separates by %s, want %s", delimiter, got, want)
		}
	}
}

// The origin of a run includes its classes, its preset and notes that cannot be read.
func TestOriginTexts(t *testing.T) {
	r := rundir.Info{NotesErr: errors.New("bad\nnotes"), Notes: rundir.Notes{Note: "one\ntwo\n"}}
	r.Config = rundir.Config{Family: "gone", Preset: "paper"}
	r.Data.Classes = []string{"cat", "dog"}
	r.Data.Counts = []int{3, 4}
	text := originFacts(r, &session.Snapshot{}).String()
	for _, want := range []string{"note     one\n         two\n", "notes    cannot be read: bad; notes\n",
		"classes  cat (3), dog (4)\n", "preset   paper\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	r.Config.Family = "star"
	if got := presetText(r); got != "paper (unknown to this version)" {
		t.Errorf("an unknown preset: %q", got)
	}
}

// The text about predictions mentions joint draws and unknown levels.
func TestPredictedTexts(t *testing.T) {
	done := &probe.Predicted{Run: "id", Step: 10, Rows: 5, Unknown: 1, Draws: 8}
	text := predictedText(done, "new.csv", "out.csv")
	for _, want := range []string{"1 row, marked in the column unknown\n",
		"8 functions drawn jointly over the rows\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	done.Draws, done.FewerDraws = 1, true
	var errs bytes.Buffer
	c := &console{Streams: Streams{Err: &errs}}
	if err := c.reportPredicted(nil, done, "new.csv", standard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"unknown levels: 1 row, marked in the column unknown\n",
		"draws: 1 function drawn jointly over the rows; the chains keep no more samples\n"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("no %q in\n%s", want, errs.String())
		}
	}
}

// The speed of predictions is shown after a second, and the line is redrawn only sometimes.
func TestPredictLine(t *testing.T) {
	var errs bytes.Buffer
	c := &console{Streams: Streams{Err: &errs}, getenv: func(string) string { return "" }}
	later := time.Now().Add(time.Hour) // However slow the machine is, less than a second has passed.
	l := predictLine{statusLine: &statusLine{console: c, rewrite: true}, began: later}
	l.show(3)
	l.shown = later
	l.show(4)
	if got := errs.String(); !strings.Contains(got, "3 rows predicted") || strings.Contains(got, "/s") ||
		strings.Contains(got, "4 rows") {
		t.Errorf("at first: %q", got)
	}
	l.began, l.shown = time.Now().Add(-10*time.Second), time.Time{}
	errs.Reset()
	if l.show(5050); !strings.Contains(errs.String(), "rows predicted, 50") {
		t.Errorf("after ten seconds: %q", errs.String())
	}
}

// Every remark is written once, notes before warnings, and names its flags.
func TestRemarkTexts(t *testing.T) {
	var errs bytes.Buffer
	c := &console{Streams: Streams{Err: &errs}}
	said := remarks{}
	for range 2 {
		said.of(c, []string{"small"}, []string{"slow"})
		said.ofData(c, []table.Note{{Text: "dates"}}, []table.Note{{Text: "constant"}})
	}
	want := "dgplab: note: small\ndgplab: warning: slow\ndgplab: note: dates\ndgplab: warning: constant\n"
	if errs.String() != want {
		t.Errorf("%q, want %q", errs.String(), want)
	}
}

// Values without JSON are errors, also within a list.
func TestJSONErrors(t *testing.T) {
	var out bytes.Buffer
	c := &console{Streams: Streams{Out: &out}}
	for name, err := range map[string]error{
		"value": c.json(math.NaN()),
		"list":  c.jsonList(func(visit func(any) error) error { return visit(math.NaN()) }),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "write JSON: ") || out.Len() > 0 {
			t.Errorf("%s: %v, wrote %q", name, err, out.String())
		}
	}
}

// A report file that cannot be read is a warning, because its lines can be read later.
func TestUnreadableReport(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "metrics.jsonl"), 0o755); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	c := &console{Streams: Streams{Out: &out, Err: &errs}}
	r := &jsonReporter{console: c, follower: rundir.Follow(dir)}
	if err := r.report(nil); err != nil || !strings.HasPrefix(errs.String(), "dgplab: warning: ") ||
		strings.Count(errs.String(), "\n") != 1 || out.Len() > 0 {
		t.Errorf("%v, wrote %q and %q", err, out.String(), errs.String())
	}
}

// Unfinished runs on Slurm are listed, failed ones first, with the ends of their logs.
func TestUnfinishedRuns(t *testing.T) {
	log := filepath.Join(t.TempDir(), "task.log")
	if err := os.WriteFile(log, []byte("loading\nout of\tmemory\x1b[0m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &sweep.State{}
	for i := range unfinishedShown + 3 {
		c := sweep.CellState{Step: i, Steps: 100, Status: sweep.Waiting}
		c.Config = rundir.Config{Family: "star", Seed: uint64(i)}
		s.Cells = append(s.Cells, c)
	}
	s.Cells[1].Status = sweep.Done
	s.Cells[2].Status, s.Cells[2].Node = sweep.Running, "node7"
	s.Cells[3].Status, s.Cells[3].Err, s.Cells[3].Log = sweep.Failed, errors.New("no\nmemory"), log
	s.Cells[4].Status, s.Cells[4].Log = sweep.Stopped, log+"-none"
	if got := fmt.Sprint(unfinished(s)[:4]); got != "[3 4 2 0]" {
		t.Errorf("the order is %s", got)
	}
	tasks := &sweep.Tasks{Err: errors.New("no\ncontroller")}
	var out bytes.Buffer
	c := &console{Streams: Streams{Out: &out}, getenv: func(string) string { return "" }}
	for all, want := range map[bool]string{false: "\nand 2 more; --cells lists all\n",
		true: "waiting         22/100"} {
		text := c.submittedText(s, tasks, all)
		for _, part := range []string{"no; controller; the states follow from the files alone\n", want,
			"running  node7", "no; memory"} {
			if !strings.Contains(text, part) {
				t.Errorf("all runs: %v, no %q in\n%s", all, part, text)
			}
		}
		if strings.Contains(text, "more") == all {
			t.Errorf("all runs: %v, in\n%s", all, text)
		}
		if end := log + "\n    loading\n    out of memory[0m\n"; !strings.HasSuffix(text, end) {
			t.Errorf("no %q in\n%s", end, text)
		}
	}
	for i := range s.Cells {
		s.Cells[i] = s.Cells[3]
	}
	if n := strings.Count(c.submittedText(s, tasks, true), "    loading\n"); n != 5 {
		t.Errorf("the ends of %d logs are shown, want 5", n)
	}
}

// If no task is left although runs are, the newest log explains it.
func TestTasksThatDoNotBegin(t *testing.T) {
	s := &sweep.State{Dir: t.TempDir(), Cells: make([]sweep.CellState, 1)}
	s.Cells[0].Status = sweep.Waiting
	log := filepath.Join(s.Dir, "lists", "001", "logs", "7_0.log")
	if err := errors.Join(os.MkdirAll(filepath.Dir(log), 0o755),
		os.WriteFile(log, []byte("module: command not found\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	c := &console{Streams: Streams{Out: &bytes.Buffer{}}, getenv: func(string) string { return "" }}
	for pending, want := range map[int]string{0: log + "\n    module: command not found\n", 1: ""} {
		text := c.submittedText(s, &sweep.Tasks{Pending: pending}, false)
		if !strings.HasSuffix(text, want) || strings.Contains(text, "module") != (want != "") {
			t.Errorf("%d tasks, want %q at the end of\n%s", pending, want, text)
		}
	}
}

// A submission is shown as text or as events in JSON.
func TestSubmissionTexts(t *testing.T) {
	plan := &sweep.Plan{Script: "#!/bin/sh\n", Path: "/jobs/script"}
	plan.Cells, plan.Tasks, plan.Job = 5, 3, "101"
	var out bytes.Buffer
	s := &submission{console: &console{Streams: Streams{Out: &out}}, state: &sweep.State{Name: "depth"}}
	if err := errors.Join(s.printPlan(plan), s.printSubmitted(plan)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n/jobs/script:\n\n#!/bin/sh\n\nsbatch --parsable --array=0-2 /jobs/script\n",
		"submitted  5 runs in 3 tasks\n", "job        101\n", "watch      dgplab sweep show depth\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	out.Reset()
	s.json = true
	if err := errors.Join(s.printPlan(plan), s.printSubmitted(plan)); err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var got struct {
			Event, Script string
			Cells         int
		}
		err := json.Unmarshal([]byte(line), &got)
		if err != nil || got.Event != []string{"script", "submitted"}[i] || i == 1 && got.Cells != 5 ||
			got.Script != []string{plan.Script, plan.Path}[i] {
			t.Errorf("event %d: %s, %v", i, line, err)
		}
	}
}

// Runs that are not submitted are counted by the reason.
func TestNotSubmitted(t *testing.T) {
	s := &submission{state: &sweep.State{}}
	for _, status := range []sweep.Status{sweep.Done, sweep.Running, sweep.Failed, sweep.Done,
		sweep.Waiting} {
		s.state.Cells = append(s.state.Cells, sweep.CellState{Status: status})
	}
	for retry, want := range map[bool]string{true: "2 done, 1 running",
		false: "2 done, 1 running, 1 failed (--retry trains them again)"} {
		s.retry = retry
		if got := s.notSubmitted(nil); got != want {
			t.Errorf("retry %v: %q, want %q", retry, got, want)
		}
	}
}

// The grid of a sweep names its preset, and the settings that all or some runs of a family lack.
func TestGridTexts(t *testing.T) {
	s := &sweep.State{Name: "s", Grid: sweep.Grid{Families: []string{"svgp", "star"}, Preset: "paper",
		Datasets: []string{"steps"},
		Seeds:    []uint64{0},
		Set: []sweep.Axis{{Name: "inducing", Values: []string{"4", "8"}},
			{Name: "kernel", Values: []string{"rbf"}}}}}
	for _, set := range []map[string]string{{"inducing": "4"}, {"inducing": "8", "kernel": "rbf"}} {
		for _, family := range s.Grid.Families {
			c := sweep.CellState{}
			c.Config = rundir.Config{Family: family, Set: set}
			if family == "star" {
				c.Config.Set = map[string]string{"inducing": set["inducing"]}
			}
			s.Cells = append(s.Cells, c)
		}
	}
	var rows facts
	rows.grid(s)
	for _, want := range []string{"preset    paper\n",
		"left out  kernel for some runs of svgp, kernel for star\n"} {
		if !strings.Contains(rows.String(), want) {
			t.Errorf("no %q in\n%s", want, rows.String())
		}
	}
}

// A shown sweep ends with the command that continues it, unless its runs are done, failed for good or active.
func TestContinuationTexts(t *testing.T) {
	out := &sweep.State{Name: "s", Phase: sweep.Over, Grid: sweep.Grid{Seeds: []uint64{0},
		Families: []string{"svgp"}, Datasets: []string{"steps"}}, Cells: make([]sweep.CellState, 2)}
	out.Cells[0].Status = sweep.Stopped
	c := &console{Streams: Streams{Out: &bytes.Buffer{}}, getenv: func(string) string { return "" }}
	for _, e := range []struct {
		tasks *sweep.Tasks
		want  string
	}{
		{nil, "\nto continue, run: dgplab sweep --resume s\n"},
		{&sweep.Tasks{}, "\nto continue, run: dgplab sweep retry s\n"}, {&sweep.Tasks{Pending: 1}, ""},
	} {
		text := c.sweepText(out, e.tasks, false)
		if !strings.HasSuffix(text, e.want) || strings.Contains(text, "to continue") != (e.want != "") {
			t.Errorf("no %q at the end of\n%s", e.want, text)
		}
	}
}

// Suggestions name the points that their criterion is averaged over, and the note of the criterion.
func TestSuggestionTexts(t *testing.T) {
	c := &console{Streams: Streams{Out: &bytes.Buffer{}}, getenv: func(string) string { return "" }}
	s := &probe.Suggestions{Run: "id", Criterion: "imse", Candidates: 1200, References: 1, Draws: 8}
	for note, want := range map[string]string{"": "covariance  estimated from 8 joint draws\n",
		"exact": "note       exact\n"} {
		s.Note = note
		text := c.suggestionsText(s, "")
		if !strings.Contains(text, "imse of 1,200 candidates, averaged over 1 point\n") ||
			!strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Notes are one line, and their absence is stated.
func TestNotesLines(t *testing.T) {
	for want, n := range map[string]rundir.Notes{"no notes": {},
		"name a; tags x, y; note two lines": {Name: "a", Tags: []string{"x", "y"}, Note: "two\n lines\n"}} {
		if got := notesLine(n); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The text and the JSON of a data set list its classes and its official splits.
func TestDatasetTexts(t *testing.T) {
	ds := &datasets.Dataset{Name: "pets", X: mat.NewDense(4, 1, nil),
		Y:      mat.NewDense(4, 1, []float64{-1, 1, 1, 1}),
		Inputs: []string{"size"}, Targets: []string{"kind"}, Classes: []string{"cat", "dog"},
		TestRows: [][]int{{0}, {1}, {2}}, Task: task.Binary}
	text := datasetText(ds)
	for _, want := range []string{"rows      4\n",
		"classes   cat: 1 row (25.0 %)\n          dog: 3 rows (75.0 %)\n",
		"splits    3 official splits\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if got := newDatasetJSON(ds); got.N != 4 || got.Splits != 3 ||
		fmt.Sprint(got.Classes) != "[{cat 1} {dog 3}]" {
		t.Errorf("%+v", got)
	}
}

// The grown quantity is an axis of the network unless another axis is measured.
func TestScalingNotes(t *testing.T) {
	for axis, want := range map[string]string{
		"width": "grow as M, L or the width to these powers, with\nthe others held",
		"batch": "grow as the value on the axis to these powers, with\nall others held"} {
		got := scalingNote([]bench.Exponent{{Axis: "layers"}, {Axis: axis}})
		if !strings.Contains(got, want) {
			t.Errorf("%s: no %q in %q", axis, want, got)
		}
	}
}

// The columns of a file become flags again, with quotes where they are needed.
func TestColumnArguments(t *testing.T) {
	var c table.Choices
	for _, pair := range [][2]string{{"ignore", "a b"}, {"missing", "drop"}} {
		if err := c.Set(pair[0], pair[1]); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(columnArguments(c), " "); got != "--ignore 'a b' --missing drop" {
		t.Errorf("%q", got)
	}
}

// The runs are ordered by their methods. Two runs of one method keep their order.
func TestJointRuns(t *testing.T) {
	for methods, want := range map[[2]int][2]int{{0, 1}: {0, 1}, {1, 0}: {1, 0}, {0, 0}: {0, 1}} {
		set := &compare.Set{Runs: []compare.Run{{Method: methods[0]}, {Method: methods[1]}}}
		a, b := (&compared{Report: &compare.Report{Set: set}}).jointRuns()
		if a != want[0] || b != want[1] {
			t.Errorf("methods %v: runs %d and %d", methods, a, b)
		}
	}
}

// Each data set is fetched once, and "all" means every data set that can be fetched.
func TestWantedDatasets(t *testing.T) {
	c := &console{Streams: Streams{Err: &bytes.Buffer{}}}
	all := len(fetchableNames())
	for args, want := range map[string]int{"yacht yacht": 1, "yacht steps": 1, "yacht all": all} {
		list, err := c.wanted(&cobra.Command{}, strings.Fields(args))
		if err != nil || len(list) != want {
			t.Errorf("%s: %v, %v", args, list, err)
		}
	}
}

// A curve needs two points, and the validation curve is shown on request.
func TestPictures(t *testing.T) {
	c := &console{Streams: Streams{Out: &bytes.Buffer{}}, getenv: func(string) string { return "" }}
	s := &session.Snapshot{Curve: []rundir.Point{{Step: 1, Objective: -3, ValLogLik: -1}}}
	if got := c.pictures(s, false); got != "" {
		t.Errorf("one point:\n%s", got)
	}
	s.Curve = append(s.Curve, rundir.Point{Step: 2, Objective: -2, ValLogLik: -0.5})
	plain := c.pictures(s, false)
	if lines := strings.Count(plain, "\n"); lines != curveHeight {
		t.Errorf("two points have %d lines:\n%s", lines, plain)
	}
	if got := c.pictures(s, true); !strings.HasPrefix(got, plain+"\n") {
		t.Errorf("with the validation:\n%s", got)
	}
}
