package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// experimentText is an experiment that trains in no time.
const experimentText = `
title = "Scores of two models"
source = "A paper"
place = "Table 1"
metric = "log_lik"
repetitions = 10
splits = "interpolation:0..1"
differs = ["few steps"]

[set]
steps = "20"
inducing = "4"

[[method]]
name = "sparse GP"
family = "svgp"

[[method]]
name = "line"
family = "linear"

[[data]]
name = "steps"
[data.published]
"sparse GP" = [1000.0, 0.1]
"line" = [-1.0, 1.0]
`

// writeExperiment writes the experiment to a file named mine.toml.
func writeExperiment(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(path, []byte(experimentText), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// The list names all experiments in every format that it has.
func TestExperimentList(t *testing.T) {
	isolate(t)
	for _, format := range []string{"", "--json", "--markdown", "--latex"} {
		o := dgplab(t, append([]string{"reproduce"}, strings.Fields(format)...)...)
		if o.status != statusOK || !strings.Contains(o.out, "lindinger2020/table1") {
			t.Errorf("reproduce %s: %v", format, o)
		}
	}
}

// The first command trains all runs, and later commands train only the missing runs.
func TestReproduce(t *testing.T) {
	isolate(t)
	file := writeExperiment(t)
	o := dgplab(t, "reproduce", "--file", file, "--dry-run")
	if o.status != statusOK || !strings.Contains(o.err, "4 runs, of which 0 exist") ||
		!strings.Contains(o.err, "based on the first steps") || !strings.Contains(o.out, "20 steps") {
		t.Fatal(o)
	}
	o = dgplab(t, "reproduce", "--file", file, "--only", "steps", "--splits", "1")
	if o.status != statusOK || !strings.Contains(o.out, "2 of 2 runs done") {
		t.Fatal(o)
	}
	more := filepath.Join(t.TempDir(), "more.toml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(more, append(text, "\n[[data]]\nname = \"energy\"\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--dry-run", "--results"} {
		o = dgplab(t, "reproduce", "--file", more, "--only", "steps", flag)
		if o.status != statusOK || strings.Contains(o.String(), "energy") {
			t.Errorf("%s speaks of energy, which is not downloaded and not selected: %v", flag, o)
		}
	}
	page := filepath.Join(t.TempDir(), "mine.html")
	o = dgplab(t, "reproduce", "--file", file, "--html", page)
	if o.status != statusOK || !strings.Contains(o.err, "4 runs, of which 2 exist") ||
		!strings.Contains(o.out, "4 of 4 runs done") || !strings.Contains(o.out, "!") {
		t.Fatal(o)
	}
	text, err = os.ReadFile(page)
	if err != nil || !strings.Contains(string(text), "0 of 1 results differ") {
		t.Errorf("%v\n%s", err, text)
	}
	o = dgplab(t, "reproduce", "--file", file, "--json")
	var shown struct {
		Done, Wanted int
		Results      []struct {
			Column     string
			N          int
			Difference float64
			Apart      bool
			Undecided  string
		}
	}
	if err := json.Unmarshal([]byte(o.out), &shown); err != nil {
		t.Fatalf("%v: %v", err, o)
	}
	first := shown.Results[0]
	if shown.Done != 4 || shown.Wanted != 4 || first.N != 2 || first.Apart ||
		first.Undecided != "runs that had not settled" || first.Difference > -2 {
		t.Errorf("%+v", shown)
	}
	for _, format := range []string{"--csv", "--markdown", "--latex"} {
		o := dgplab(t, "reproduce", "--file", file, "--results", format)
		if o.status != statusOK || !strings.Contains(o.out, "sparse GP") {
			t.Errorf("%s: %v", format, o)
		}
	}
	o = dgplab(t, "reproduce", "--file", file, "--set", "svgp.steps=10", "--html", page)
	if o.status != statusOK || !strings.Contains(o.err, "4 runs, of which 2 exist") ||
		!strings.Contains(o.out, "svgp.steps=10") {
		t.Fatal(o)
	}
	text, err = os.ReadFile(page)
	if err != nil || !strings.Contains(string(text), "--set svgp.steps=10") {
		t.Errorf("%v\n%s", err, text)
	}
	entries, err := filepath.Glob(filepath.Join(os.Getenv("DGPLAB_RUNS"), "2*"))
	if err != nil || len(entries) != 6 {
		t.Errorf("%d runs, %v", len(entries), err)
	}
}

// A budget ends the training, and the command continues it.
func TestReproduceBudget(t *testing.T) {
	isolate(t)
	file := writeExperiment(t)
	o := dgplab(t, "reproduce", "--file", file, "--budget", "1ns")
	if o.status != statusInterrupted || !strings.Contains(o.err, "repeat the command to continue") ||
		!strings.Contains(o.out, "of 4 runs done") {
		t.Fatal(o)
	}
	o = dgplab(t, "reproduce", "--file", file)
	if o.status != statusOK || !strings.Contains(o.out, "4 of 4 runs done") {
		t.Error(o)
	}
}
