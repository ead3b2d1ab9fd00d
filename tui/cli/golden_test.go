package cli

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"dgplab/viz/golden"
)

// The normal outputs of commands that do not train. Other tests have those of compare, sweep, runs and train.
func TestOutputs(t *testing.T) {
	isolate(t)
	for _, c := range []struct{ name, args string }{
		{"help", "help"},
		{"train_help", "train --help"},
		{"families", "families"},
		{"families_star", "families star"},
		{"datasets", "datasets"},
		{"datasets_show", "datasets show letters"},
		{"sweep_dry_run",
			"sweep --dataset steps --set inducing=8,16 --seed 0..2 --split interpolation:0..4 --jobs 2 " +
				"--dry-run"},
		{"sweep_halving", "sweep --dataset steps --family star --set layers=2,3 --inducing 8,16,32 " +
			"--halving 2 --seed 0..1 --dry-run"},
		{"reproduce_plan", "reproduce lindinger2020/table1 --set mean-field.steps=100 --dry-run"},
		{"reproduce_results", "reproduce wilson2012/jura --results"},
	} {
		golden.Check(t, c.name, "$ dgplab "+c.args+"\n"+scrub(mustRun(t, strings.Fields(c.args)...).String()))
	}
}

// A command without anything to list or fetch reports that on standard error. With --json it prints an empty
// list instead.
func TestShortAnswers(t *testing.T) {
	isolate(t)
	for _, c := range []struct{ args, out, err string }{
		{"version", "dgplab VERSION, GO, PLATFORM\n", ""},
		{"runs", "", "dgplab: no runs in $DGPLAB_RUNS\n"},
		{"runs state:running", "", "dgplab: no runs in $DGPLAB_RUNS\n"},
		{"runs --json", "[]\n", ""},
		{"runs trash", "", "dgplab: the trash is empty\n"},
		{"runs trash --json", "[]\n", ""},
		{"sweep list", "", "dgplab: no sweeps\n"},
		{"sweep list --json", "[]\n", ""},
		{"datasets fetch steps", "", "dgplab: steps is built in, nothing to fetch\n"},
	} {
		o := mustRun(t, strings.Fields(c.args)...)
		if out, err := scrub(o.out), scrub(o.err); out != c.out || err != c.err {
			t.Errorf("dgplab %s: want %q and %q, found %q and %q", c.args, c.out, c.err, out, err)
		}
	}
}

// A data set that cannot be downloaded is an error with its address, after a line that says what is fetched.
// A published table without its data is shown, with the command that downloads them.
func TestDataThatAreNotHere(t *testing.T) {
	isolate(t)
	o := dgplab(t, "datasets", "fetch", "yacht")
	said := strings.SplitAfter(o.err, "\n")
	if o.status != statusFailed || len(said) != 3 ||
		said[0] != "dgplab: yacht: fetching 24 files, 13.8 kB\n" ||
		!strings.HasPrefix(said[1], "dgplab: fetch yacht: open /nowhere/") {
		t.Errorf("fetch from a mirror that does not exist: found %v", o)
	}
	o = mustRun(t, "reproduce", "wilson2012/jura")
	want := "dgplab: not downloaded: jura; run: dgplab datasets fetch jura\n"
	if !strings.HasSuffix(o.err, want) || !strings.Contains(o.out, "0 of 6 runs done\n") {
		t.Errorf("reproduce without data: want %q, found %v", want, o)
	}
}

// field returns the value at a path of names and indices in a JSON value, as text.
func field(value any, path string) string {
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(v) {
				return "no such field"
			}
			value = v[i]
		default:
			return "no such field"
		}
	}
	return fmt.Sprint(value)
}

// checkFields compares fields of JSON text, given as words of the form path=value.
func checkFields(t *testing.T, what, text, want string) {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%s: %v in %s", what, err, text)
	}
	for word := range strings.FieldsSeq(want) {
		path, wanted, _ := strings.Cut(word, "=")
		if got := field(value, path); got != wanted {
			t.Errorf("%s: want %s=%s, found %s", what, path, wanted, got)
		}
	}
}

// The JSON of commands that do not train has these fields.
func TestJSONFields(t *testing.T) {
	isolate(t)
	for _, c := range []struct{ args, want string }{
		{"families --json", "0.name=mean-field 1.name=star"},
		{"families svgp --json", "name=svgp hyperparameters.0.name=inducing hyperparameters.0.default=128 " +
			"hyperparameters.0.kind=int hyperparameters.0.min=1 hyperparameters.0.max=4096 " +
			"hyperparameters.1.name=kernel hyperparameters.1.choices.1=matern12"},
		{"datasets --json", "0.name=mountaincar 0.kind=built-in 0.task=regression 0.n=2000 0.d=2 0.p=1 " +
			"0.cached=true 0.default=true 1.name=steps 1.default=false 5.task=count"},
		{"datasets show mountaincar --json", "name=mountaincar task=regression n=2000 inputs.0=position " +
			"inputs.1=velocity targets.0=value splits=0"},
		{"sweep --dataset steps --set inducing=8 --dry-run --json", "event=plan runs=1 counts.waiting=1 " +
			"counts.done=0 estimate.runs=1 estimate.unknown=1 grid.datasets.0=steps grid.families.0=star " +
			"grid.seeds.0=0 grid.set.0.name=inducing grid.set.0.values.0=8"},
	} {
		checkFields(t, "dgplab "+c.args, mustRun(t, strings.Fields(c.args)...).out, c.want)
	}
}
