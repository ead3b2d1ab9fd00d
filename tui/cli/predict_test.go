package cli

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// trained returns the ID of a baseline run on a table with two inputs, and a table of new rows.
func trained(t *testing.T) (id, table string) {
	t.Helper()
	isolate(t)
	t.Chdir(t.TempDir())
	old := "width,height,load\n"
	for _, row := range []string{"1,2,3.1", "2,1,2.9", "3,5,8.2", "4,4,7.7", "5,9,14.5", "6,2,8.1",
		"7,7,13.8", "8,1,9.3", "9,3,11.6", "10,6,16.1", "11,8,19.4", "12,5,17.2"} {
		old += row + "\n"
	}
	for name, text := range map[string]string{
		"old.csv": old, "new.csv": "load,height,width\n12,6,6\n,2,3\n9.5,1,9\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mustRun(t, "train", "--dataset", "old.csv", "--family", "linear")
	list, err := rundir.List()
	if err != nil || len(list) != 1 {
		t.Fatalf("%d runs, %v", len(list), err)
	}
	return list[0].ID, "new.csv"
}

func TestPredict(t *testing.T) {
	id, table := trained(t)
	piped := mustRun(t, "predict", id, table)
	const head = "row,load,load_mean,load_sd,load_q5,load_q50,load_q95,log_lik,outside\n"
	if !strings.HasPrefix(piped.out, head+"1,12,") ||
		!strings.HasPrefix(strings.SplitN(piped.out, "\n", 4)[2], "2,,") ||
		!strings.Contains(piped.err,
			"dgplab: 3 rows of new.csv predicted by "+id+", step 8\ndgplab: 2 rows with targets: LL 0.0") ||
		strings.Count(piped.err, "\n") != 2 {
		t.Errorf("on standard output:\n%v", piped)
	}
	whole := mustRun(t, "predict", id[:12], table, "--out", "p.csv", "--quantiles", "2.5,97.5")
	for _, want := range []string{"3 of new.csv", "written to", "p.csv", "2 rows with targets", "  RMSE "} {
		if !strings.Contains(whole.out, want) || whole.err != "" {
			t.Errorf("into a file, want %q:\n%v", want, whole)
		}
	}
	text, err := os.ReadFile("p.csv")
	if err != nil || strings.Count(string(text), "\n") != 4 ||
		!strings.HasPrefix(string(text),
			"row,load,load_mean,load_sd,load_q2.5,load_q97.5,log_lik,outside\n") {
		t.Errorf("%s, %v", text, err)
	}
	if again := mustRun(t, "predict", filepath.Join(os.Getenv("DGPLAB_RUNS"), id),
		table); again.out != piped.out {
		t.Errorf("a second time:\n%s\nfirst\n%s", again.out, piped.out)
	}
	dir := os.Getenv("DGPLAB_RUNS")
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	if again := mustRun(t, "predict", filepath.Join(dir, id), table); again.out != piped.out {
		t.Errorf("of another folder:\n%s\nfirst\n%s", again.out, piped.out)
	}
	mustRun(t, "runs", "show", filepath.Join(dir, id))
	t.Setenv("DGPLAB_RUNS", dir)
	json := mustRun(t, "predict", id, table, "--out", "p.csv", "--json")
	if !strings.HasPrefix(json.out, `{"run":"`+id+`"`) || !strings.Contains(json.out, `"rows":3`) {
		t.Errorf("JSON %s", json.out)
	}
	rows := mustRun(t, "predict", id, table, "--json")
	lines := strings.Split(rows.out, "\n")
	if len(lines) != 5 || rows.err != "" ||
		!strings.HasPrefix(lines[1], `{"event":"row","row":2,"load":null,"load_mean":4.`) ||
		!strings.HasSuffix(lines[1], `,"log_lik":null,"outside":null}`) ||
		!strings.HasPrefix(lines[3], `{"event":"summary","run":"`+id+`"`) {
		t.Errorf("JSON rows:\n%v", rows)
	}
}

// Existing files are kept until their replacements are complete.
func TestPredictLeavesFilesAlone(t *testing.T) {
	id, table := trained(t)
	if err := os.WriteFile("p.csv", []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("bad.csv", []byte("width,height\n1,2\n3,tall\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("p.csv", "link.csv"); err != nil {
		t.Skip(err)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for want, o := range map[string]outcome{
		`dgplab: bad.csv, line 3, column 2 (height): "tall" is not a number`: dgplab(t, "predict", id,
			"bad.csv", "--out", "p.csv"),
		"dgplab: interrupted; nothing was written to p.csv": run(t, gone, "predict",
			id, table, "--out", "p.csv"),
		"dgplab: new.csv is the input file; write to another file": dgplab(t, "predict",
			id, table, "--out", table),
		"dgplab: . is a folder; give a file to write to": dgplab(t, "predict", id, table, "--out", "."),
		"dgplab: no such file: none.csv (see dgplab predict --help)": dgplab(t, "predict", id,
			"none.csv", "--out", "p.csv"),
	} {
		if o.status == statusOK || o.err != want+"\n" {
			t.Errorf("%v\nwant %s", o, want)
		}
	}
	entries, err := os.ReadDir(".")
	if text, _ := os.ReadFile("p.csv"); string(text) != "mine" || len(entries) != 5 || err != nil {
		t.Errorf("p.csv contains %q; the folder contains %v (%v)", text, entries, err)
	}
	mustRun(t, "predict", id, table, "--out", "link.csv")
	info, err := os.Lstat("link.csv")
	if text, _ := os.ReadFile("p.csv"); err != nil || info.Mode().IsRegular() ||
		!strings.HasPrefix(string(text), "row,") {
		t.Errorf("a link was replaced, or its target contains %q (%v)", text, err)
	}
	if o := mustRun(t, "predict", id, table, "--out", os.DevNull); !strings.Contains(o.out, "written to") {
		t.Errorf("to a device: %v", o)
	}
}

// Each call chooses the treatment of missing inputs, the copied columns, the limits, the digits and the
// format. Rows that are left out and columns with another name are said on standard error in one line each.
func TestPredictChoices(t *testing.T) {
	id, _ := trained(t)
	const text = "key,row,width,height\nA1,x,6,6\nB2,y,,3\n"
	if err := os.WriteFile("keyed.csv", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	keep := []string{"predict", id, "keyed.csv", "--keep", "key,row", "--quantiles", ""}
	o := dgplab(t, keep...)
	if o.status == statusOK || !strings.Contains(o.err, "line 3, column 3 (width): the cell is missing") {
		t.Errorf("a missing cell:\n%v", o)
	}
	o = mustRun(t, append(keep, "--missing", "drop", "--digits", "3", "--above", "10", "--above", "-5")...)
	dropped := regexp.MustCompile(`^row,key,row_data,load_mean,load_sd,load_above_-5,load_above_10,outside
1,A1,x,12\.\d,0\.\d{3},1,1,
$`) // three digits, and one row
	said := []string{"dgplab: left out: 1 row with missing inputs; --missing mean predicts them\n",
		"dgplab: columns of keyed.csv with names of predictions: row is row_data\n"}
	if !dropped.MatchString(o.out) || !strings.HasPrefix(o.err, strings.Join(said, "")) {
		t.Errorf("dropped:\n%v", o)
	}
	o = mustRun(t, append(keep, "--missing", "mean")...)
	if lines := strings.Split(o.out, "\n"); len(lines) != 4 || !strings.HasPrefix(lines[2], "2,B2,y,") ||
		strings.Contains(o.err, "left out") {
		t.Errorf("with the mean:\n%v", o)
	}
	o = mustRun(t, append(keep, "--missing", "drop", "--json")...)
	if strings.Count(o.out, `"row":`) != 1 || !strings.Contains(o.out, `"row_data":"x"`) ||
		!strings.Contains(o.out, `"dropped":1`) || !strings.Contains(o.err, "left out: 1 row") {
		t.Errorf("as JSON:\n%v", o)
	}
	for _, format := range rowFormats() {
		name := "p." + format
		mustRun(t, append(keep, "--missing", "mean", "--format", format, "--out", name)...)
		if written, err := os.ReadFile(name); err != nil || len(written) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for want, flags := range map[string][]string{
		"bad value: --missing=maybe; want mean, drop or error": {"--missing", "maybe"},
		`unknown format: "xlsx"`:                               {"--format", "xlsx"},
		"--format npz needs --out":                             {"--format", "npz"},
		"bad value: --digits=99; want 1 to 17":                 {"--digits", "99"},
		"rounds text": {"--format", "npz", "--out", "x",
			"--digits", "3"},
		"bad value: --above=+Inf; want a finite number": {"--above", "inf"},
		"it cannot be used with --format csv":           {"--json", "--format", "csv"},
		`no column "kee" to keep; did you mean key?`:    {"--keep", "kee"},
	} {
		o := dgplab(t, append(keep, flags...)...)
		if o.status == statusOK || !strings.Contains(o.err, want) || strings.Count(o.err, "\n") != 1 {
			t.Errorf("%v\nwant %s", o, want)
		}
	}
}

// Rows outside of the training range name their inputs in the column outside. They are counted on standard
// error, in the description of a written file and in the summary of JSON.
func TestPredictOutsideOfTheTrainingRange(t *testing.T) {
	id, _ := trained(t)
	if err := os.WriteFile("far.csv", []byte("width,height\n6,6\n-1,3\n40,90\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const count = "2 rows outside of the training range, marked in the column outside"
	o := mustRun(t, "predict", id, "far.csv", "--quantiles", "")
	want := regexp.MustCompile(`^row,load_mean,load_sd,outside\n1,.*,\n2,.*,width\n3,.*,width; height\n$`)
	if !want.MatchString(o.out) || !strings.Contains(o.err, "extrapolated: "+count+"\n") {
		t.Errorf("on standard output:\n%v", o)
	}
	o = mustRun(t, "predict", id, "far.csv", "--out", "p.csv")
	if !strings.Contains(o.out, "extrapolated") || !strings.Contains(o.out, count) {
		t.Errorf("into a file:\n%v", o)
	}
	mustRun(t, "pack", id, "m.dgp")
	o = mustRun(t, "predict", "m.dgp", "far.csv", "--json")
	if !strings.Contains(o.out, `"outside":"width; height"`) || !strings.Contains(o.out, `"outside":2`) {
		t.Errorf("a packed model:\n%v", o)
	}
}
