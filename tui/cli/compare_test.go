package cli

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/session/compare"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/figure"
	"dgplab/viz/golden"
	"dgplab/viz/tables"
)

// The comparison of three methods, and of two single runs, in each output format.
func TestCompareGolden(t *testing.T) {
	isolate(t)
	three := kittest.WriteGrid(t, []string{"star", "mean-field", "svgp"},
		[]string{"boston", "wine_red"}, 4, 2)
	two, single := three[:2*16], []string{"dataset:boston split:standard:0 seed=0 family:star,mean-field"}
	for _, c := range []struct {
		name string
		runs []string
		args string
	}{
		{"compare_text", three, ""},
		{"compare_single", single, ""},
		{"compare_json", two, "--metric test.rmse --json"},
		{"compare_csv", single, "--csv"},
		{"compare_markdown", two, "--markdown --metric log_lik"},
		{"compare_latex", two, "--latex --metric log_lik"},
	} {
		o := mustRun(t, append(append([]string{"compare"}, c.runs...), strings.Fields(c.args)...)...)
		golden.Check(t, c.name, o.String())
	}
	few := append([]string{three[0]}, two[16:20]...)
	for _, c := range []struct {
		what string
		runs []string
		args string
		want []string
	}{
		{"two methods", two, "",
			[]string{"Direct comparison of A (star) and B (mean-field)", "Wilcoxon 0.500"}},
		{"against svgp", three, "--against svgp", []string{
			"Direct comparison of A (svgp) with each other method (B)", "\nwine_red  mean-field "}},
		{"ranks by split", two, "--ranks-by split", []string{"8 splits; p: ",
			"ranks are over splits, which share rows within a data set, so rank tests are optimistic"}},
		{"unmatched runs", few, "--unmatched", []string{"over            1-2 splits",
			"the means are not all over the same test points"}},
		{"left-out runs", few, "", []string{
			"excluded: 20250101-000010-boston-mean-field-000000: some methods have no run on its " +
				"test points (boston, standard:1)"}},
	} {
		args := append([]string{"compare", "--metric", "log_lik"}, c.runs...)
		o := mustRun(t, append(args, strings.Fields(c.args)...)...)
		for _, want := range c.want {
			if !strings.Contains(o.out, want) {
				t.Errorf("%s: want %q, found\n%v", c.what, want, o)
			}
		}
	}
}

// A method that is worse than the baseline is reported in text and JSON.
func TestCompareWithTheBaseline(t *testing.T) {
	isolate(t)
	ids := kittest.WriteGrid(t, []string{"linear", "star"}, []string{"boston"}, 3, 1)
	if o := mustRun(t, append([]string{"compare"},
		ids...)...); !strings.Contains(o.out, "worse than linear on boston: star by ") ||
		strings.Contains(o.out, "no baseline") {
		t.Errorf("got\n%v", o)
	}
	var got struct {
		Tables []struct {
			Below []compare.Below `json:"below_baseline"`
			Notes []string
		}
	}
	if err := json.Unmarshal([]byte(mustRun(t, append([]string{"compare", "--json"}, ids...)...).out),
		&got); err != nil {
		t.Fatal(err)
	}
	if b := got.Tables[0].Below; len(b) != 1 || b[0].Method != "star" || !(b[0].Difference < 0) ||
		len(got.Tables[0].Notes) < 2 {
		t.Errorf("%+v", got)
	}
}

// Runs with different objectives are not compared by the objective.
func TestCompareByObjectivesOfDifferentMeaning(t *testing.T) {
	isolate(t)
	ids := kittest.WriteGrid(t, []string{"star", "svgp"}, []string{"boston"}, 2, 1)
	maximise := func(id, is string) {
		path := filepath.Join(os.Getenv("DGPLAB_RUNS"), id, "summary.json")
		text, err := os.ReadFile(path)
		if err == nil {
			other := `"objective": -5, "objective_is": ` + is
			changed := strings.Replace(string(text), `"objective_is": `+kittest.WrittenObjective, other, 1)
			err = os.WriteFile(path, []byte(changed), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, id := range ids {
		maximise(id,
			[]string{`{"name": "ELBO", "kind": "bound"}`,
				`{"name": "log marginal likelihood", "kind": "evidence"}`}[i/2])
	}
	o := dgplab(t, append([]string{"compare", "--metric", "objective"}, ids...)...)
	want := "dgplab: cannot compare runs by objective: they have different objectives: " +
		"ELBO (bound), log marginal likelihood (evidence)\n"
	if o.status != statusFailed || o.out != "" || o.err != want {
		t.Errorf("got\n%v", o)
	}
	if o := mustRun(t, append([]string{"compare", "--metric", "objective"},
		ids[:2]...)...); !strings.Contains(o.out, "ELBO") {
		t.Errorf("got\n%v", o)
	}
}

// comparisonJSON is the output of compare --json.
type comparisonJSON struct {
	Methods []compare.Method
	Tables  []struct {
		Metric string
		Cells  []compare.Cell
		Ranks  compare.Ranking
	}
	Direct []compare.Comparison
	Runs   []struct{ ID, Method, Dataset, Split string }
	Notes  []string
}

// The JSON output agrees with the text and can be parsed.
func TestCompareJSON(t *testing.T) {
	isolate(t)
	ids := kittest.WriteGrid(t, []string{"star", "svgp"}, []string{"boston"}, 3, 1)
	o := mustRun(t, append([]string{"compare", "--json", "--ranks-by", "split"}, ids...)...)
	var got comparisonJSON
	if err := json.Unmarshal([]byte(o.out), &got); err != nil {
		t.Fatal(err)
	}
	d := got.Direct[0]
	if len(got.Tables) != 2 || got.Tables[0].Ranks.N != 3 || d.N != 3 || d.Over != compare.OverSplits ||
		len(d.Pairs) != 3 || d.Pairs[0].Points != 8 {
		t.Errorf("%+v", got)
	}
	if len(got.Runs) != 6 || got.Runs[5].Method != got.Methods[1].Label || got.Tables[0].Metric != "log_lik" {
		t.Errorf("runs %+v of methods %+v by %s", got.Runs, got.Methods, got.Tables[0].Metric)
	}
	cells := got.Tables[0].Cells
	if !cells[0].Best || cells[1].N != 3 ||
		math.Abs(float64(cells[0].Mean-cells[1].Mean-d.Difference)) > 1e-12 {
		t.Errorf("cells %+v, difference %v", cells, d.Difference)
	}
}

// writeUnfinished writes a run that has not done all of its steps, and returns its ID.
func writeUnfinished(t *testing.T, seed int, why rundir.Stop) string {
	t.Helper()
	run := kittest.WrittenRun{
		Dataset: "boston",
		Family:  "star",
		Split:   1,
		Seed:    seed,
		LogLik:  []float64{-2},
		Stop:    why,
	}
	run.Write(t)
	return run.ID()
}

func removeTestPoints(t *testing.T, id string) {
	t.Helper()
	if err := os.Remove(filepath.Join(os.Getenv("DGPLAB_RUNS"), id, "test_points.csv")); err != nil {
		t.Fatal(err)
	}
}

// A run without test points is still included in the tables.
func TestCompareWithoutPoints(t *testing.T) {
	isolate(t)
	ids := kittest.WriteGrid(t, []string{"star", "svgp"}, []string{"boston"}, 2, 1)
	removeTestPoints(t, ids[0])
	stopped := writeUnfinished(t, 5, rundir.StopAsked)
	failed := writeUnfinished(t, 6, rundir.StopFailed)
	o := mustRun(t, append([]string{"compare", stopped, failed}, ids...)...)
	for _, want := range []string{
		"no direct comparison on boston: " + ids[0], "excluded: " + failed + ": failed",
		"note: " + stopped + " was stopped by request at step 100 of 100", "Test log-likelihood",
	} {
		if !strings.Contains(o.out, want) {
			t.Errorf("%q is missing:\n%s", want, o.out)
		}
	}
}

// If a data set has no test points, the direct comparison covers the others. For other formats, left-out runs
// are reported on standard error.
func TestCompareWithoutSomePoints(t *testing.T) {
	isolate(t)
	ids := kittest.WriteGrid(t, []string{"star", "svgp"}, []string{"boston", "wine_red"}, 1, 1)
	removeTestPoints(t, ids[0])
	failed := writeUnfinished(t, 6, rundir.StopFailed)
	args := append([]string{"compare", failed}, ids...)
	var got comparisonJSON
	if err := json.Unmarshal([]byte(mustRun(t, append(args, "--json")...).out), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Direct) != 1 || got.Direct[0].Dataset != "wine_red" || len(got.Notes) != 2 ||
		!strings.HasPrefix(got.Notes[1], "no direct comparison on boston: ") {
		t.Errorf("%+v; %q", got.Direct, got.Notes)
	}
	o := mustRun(t, append(args, "--csv")...)
	for _, want := range []string{"dgplab: no direct comparison on boston: ",
		"dgplab: excluded: " + failed + ": failed"} {
		if !strings.Contains(o.err, want) {
			t.Errorf("%q is missing:\n%s", want, o.err)
		}
	}
}

func TestCompareSVG(t *testing.T) {
	isolate(t)
	ids := kittest.WriteGrid(t, []string{"star", "svgp", "chain"}, []string{"boston"}, 3, 1)
	path := filepath.Join(t.TempDir(), "ranks.svg")
	mustRun(t, append([]string{"compare", "--svg", path, "--csv", "--ranks-by", "split"}, ids...)...)
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "Average ranks by test log-likelihood") ||
		!strings.Contains(string(text), "chain (") {
		t.Errorf("%v\n%.300s", err, text)
	}
	for name, args := range map[string][]string{
		"nothing to rank": {"compare", "--svg", path, ids[0]},
		"one data set":    append([]string{"compare", "--svg", path}, ids...),
		"no such folder": append([]string{"compare", "--svg", filepath.Join(path, "x.svg"), "--ranks-by",
			"split"}, ids...),
	} {
		if o := dgplab(t, args...); o.status != statusFailed ||
			strings.Count(o.err, "\n") != 1 || o.out != "" {
			t.Errorf("%s:\n%v", name, o)
		}
	}
	err = writeSVG(io.Discard, tables.RankDiagram{}, figure.Options{})
	if !errors.Is(err, figure.ErrNothing) {
		t.Errorf("an empty diagram: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".tmp-*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// The name of a sweep selects its runs.
func TestCompareSweep(t *testing.T) {
	isolate(t)
	mustRun(t, "sweep", "--dataset", "steps", "--family", "star,svgp", "--set", "inducing=5", "--set",
		"steps=3", "--set", "test_samples=3",
		"--split", "interpolation:0..1", "--name", "small", "--jobs", "1")
	var rows [][]string
	o := mustRun(t, "compare", "small", "--csv", "--metric", "rmse")
	rows, err := csv.NewReader(strings.NewReader(o.out)).ReadAll()
	if err != nil || len(rows) != 5 || rows[1][0] != "star" || rows[4][0] != "svgp" || rows[1][6] != "rmse" {
		t.Errorf("%v\n%s", err, o.out)
	}
}

// When an output is held out, compare scores the methods on that output. The table marks the methods that
// were trained only on rows in which it is observed.
func TestCompareOnAHeldOutOutput(t *testing.T) {
	isolate(t)
	t.Chdir(t.TempDir())
	text := "place,Cd,Ni\n"
	for i := range 40 {
		x := float64(i) / 10
		text += fmt.Sprintf("%.1f,%.3f,%.3f\n", x, math.Sin(2*x), 20+5*math.Sin(2*x)+0.2*float64(3*i%7-3))
	}
	if err := os.WriteFile("metals.csv", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"gprn --steps 10", "svgp --inducing 4 --steps 5"} {
		mustRun(t, strings.Fields("train --dataset metals.csv --target Cd --target Ni --split outputs:Cd "+
			"--family "+method)...)
	}
	o := mustRun(t, "compare", "latest", "latest~1", "--metric", "mae.Cd")
	for _, want := range []string{"Test MAE of Cd", "gprn", "svgp", "trained on the rows that have Cd"} {
		if !strings.Contains(o.out, want) {
			t.Errorf("want %q, found\n%v", want, o)
		}
	}
}

func TestCompareErrors(t *testing.T) {
	isolate(t)
	ids := kittest.WriteGrid(t, []string{"star"}, []string{"boston"}, 1, 1)
	running := kittest.WrittenRun{Dataset: "boston", Family: "star", Seed: 3, Stop: rundir.StopFailed}
	running.Write(t)
	for _, f := range []failure{
		{"compare", statusUsage, "want runs, a sweep or a query"},
		{"compare famly:star", statusUsage, "did you mean family?"},
		{"compare family:svgp", statusUsage, "no run matches family:svgp"},
		{"compare nothing", statusUsage, `no run "nothing"`},
		{"compare --metric rsme " + ids[0], statusUsage, "did you mean rmse?"},
		{"compare --metric accuracy " + ids[0], statusFailed, "no run has a value for accuracy"},
		{"compare --json --csv " + ids[0], statusUsage, "mutually exclusive"},
		{"compare --metric= " + ids[0], statusUsage, "missing value: --metric"},
		{"compare --ranks-by rows " + ids[0], statusUsage, "want dataset or split"},
		{"compare --against sta " + ids[0], statusUsage,
			"unknown method: --against=sta; did you mean star?"},
		{"compare " + running.ID(), statusFailed, "the run cannot be compared: RUNID: failed"},
	} {
		f.check(t)
	}
}
