package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ownFile writes a typical table of a user.
func ownFile(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("id;colour;sold;when;size;grade\n")
	for i := range 60 {
		size := fmt.Sprintf("%d,25", i)
		if i%10 == 0 {
			size = ""
		}
		fmt.Fprintf(&text, "u%d;%s;%s;%02d.04.2021;%s;%d\n", i, []string{"red", "blue", "green"}[i*i%3],
			[]string{"yes", "No"}[i%2], i%28+1, size, i%4)
	}
	path := filepath.Join(t.TempDir(), "own.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Open questions about a file are printed last and determine the exit status.
func TestShowColumns(t *testing.T) {
	isolate(t)
	path := ownFile(t)
	o := dgplab(t, "datasets", "show", path)
	if want := "own.csv, line 2, column 5 (size): the cell is missing"; o.status != statusFailed ||
		!strings.Contains(o.err, "6 (grade)") && !strings.Contains(o.err, want) ||
		!strings.Contains(o.out, "target ?") {
		t.Errorf("status %d, %s%s", o.status, o.out, o.err)
	}
	o = mustRun(t, "datasets", "show", path, "--missing", "drop", "--target", "grade:number")
	for _, want := range []string{"60, 6 of them dropped because of missing cells", "0  id      text",
		"category of 2", "date, days since 1970", "2021-04-01", "1 (regression)",
		"id is ignored: every row has a different text"} {
		if !strings.Contains(o.out, want) {
			t.Errorf("no %q in\n%s", want, o.out)
		}
	}
	var table struct {
		Rows, D int
		Task    string
		Notes   []string
	}
	o = mustRun(t, "datasets", "show", path, "--missing", "mean", "--target", "colour", "--ignore", "id",
		"--ignore", "grade", "--json")
	if err := json.Unmarshal([]byte(o.out), &table); err != nil || table.D != 3 || table.Task != "binary" ||
		table.Rows != 60 || len(table.Notes) != 2 {
		t.Errorf("%+v, %v from %s", table, err, o.out)
	}
	o = dgplab(t, "datasets", "show", path, "--missing", "mode")
	if o.status != statusUsage ||
		!strings.Contains(o.err, "bad value: --missing=mode: want error, drop or mean") {
		t.Errorf("status %d, %s", o.status, o.err)
	}
}

// Column choices are stored with a run and inherited by its forks, which can extend them.
func TestTrainWithColumns(t *testing.T) {
	isolate(t)
	path := ownFile(t)
	t.Setenv("HOME", filepath.Dir(path))
	o := dgplab(t, "train", "--dataset", path, "--family", "linear")
	if o.status != statusUsage ||
		!strings.Contains(o.err, "--target grade:class, --target grade:number or --target grade:count") {
		t.Errorf("status %d, %s", o.status, o.err)
	}
	o = mustRun(t, "train", "--dataset=~/own.csv", "--family", "linear", "--target", "grade:number",
		"--missing", "drop", "--json")
	if !strings.Contains(o.err,
		"6 rows of 60 dropped for missing cells; 6 columns: 2 numbers, 1 boolean, 1 category of 2 levels, "+
			"1 date in days since 1970, 1 ignored (id)") {
		t.Errorf("not said: %s", o.err)
	}
	runs, err := os.ReadDir(os.Getenv("DGPLAB_RUNS"))
	if err != nil || len(runs) == 0 {
		t.Fatal(err)
	}
	id := runs[len(runs)-1].Name()
	o = mustRun(t, "train", "--from", id, "--ignore", "when", "--missing", "mean", "--json")
	if !strings.Contains(o.err, "columns missing=drop to ignore=when,missing=mean") {
		t.Errorf("the fork: %s", o.err)
	}
	o = dgplab(t, "train", "--resume", id, "--ignore", "when")
	if o.status != statusUsage || !strings.Contains(o.err, "--ignore cannot be used with --resume") {
		t.Errorf("resumed with a choice: %d, %s", o.status, o.err)
	}
	o = mustRun(t, "sweep", "--dataset", path, "--family", "linear", "--target", "-1:number", "--split",
		"interpolation:0,interpolation:1", "--missing", "drop", "--name", "s", "--json")
	if !strings.Contains(o.out, `"missing":"drop"`) {
		t.Errorf("the sweep does not show its choices: %s", o.out)
	}
	o = mustRun(t, "sweep", "--resume", "s", "--dry-run")
	if !strings.Contains(o.out, "2 of them already done") {
		t.Errorf("the sweep is not recognised: %s", o.out)
	}
}

// By default the first hundred columns are printed; --columns selects others.
func TestManyColumnsArePaged(t *testing.T) {
	isolate(t)
	var text strings.Builder
	for row := range 4 {
		for column := range 250 {
			if column > 0 {
				text.WriteByte(',')
			}
			if row == 0 {
				fmt.Fprintf(&text, "c%d", column)
			} else {
				fmt.Fprint(&text, row*(column+1)%7)
			}
		}
		text.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "wide.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		columns     string
		first, last string
		count       int
		more        string
	}{
		{"", "c0", "c99", 100,
			"150 more columns; use --columns 100-199 for the next ones, or --columns all\n"},
		{"100-199", "c100", "c199", 100, "50 more columns; use --columns 200-249 for"},
		{"200-300", "c200", "c249", 50, ""},
		{"248", "c248", "c248", 1, "1 more column; use --columns 249-249 for"},
		{"all", "c0", "c249", 250, ""},
		{"250-260", "", "", 0, ""},
	} {
		args := []string{"datasets", "show", path}
		if c.columns != "" {
			args = append(args, "--columns", c.columns)
		}
		out := mustRun(t, args...).out
		rows := regexp.MustCompile(`(?m)^ *\d+  (c\d+) `).FindAllStringSubmatch(out, -1)
		if len(rows) != c.count || c.count > 0 && (rows[0][1] != c.first || rows[c.count-1][1] != c.last) {
			t.Errorf("%q: %d rows, want %d\n%s", c.columns, len(rows), c.count, out)
		}
		if strings.Contains(out, " more column") != (c.more != "") || !strings.Contains(out, c.more) {
			t.Errorf("%q: want %q\n%s", c.columns, c.more, out)
		}
	}
	for _, wrong := range []string{"x", "5-2", "-3", "1-", ""} {
		if o := dgplab(t, "datasets", "show", path, "--columns", wrong); o.status != statusUsage ||
			!strings.Contains(o.err, "FIRST-LAST") {
			t.Errorf("%q: status %d, %s", wrong, o.status, o.err)
		}
	}
	var all struct{ Columns []struct{ Name string } }
	if err := json.Unmarshal([]byte(mustRun(t, "datasets", "show", path, "--json").out), &all); err != nil ||
		len(all.Columns) != 250 {
		t.Errorf("JSON has %d columns, %v", len(all.Columns), err)
	}
}
