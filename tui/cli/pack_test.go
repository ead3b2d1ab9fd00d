package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A packed model prints what its run prints, in a folder without runs and data, and an existing file stays
// unless --force is set.
func TestPackedModelReplacesRun(t *testing.T) {
	id, table := trained(t)
	predicted := mustRun(t, "predict", id, table).out
	suggested := mustRun(t, "suggest", id, "--count", "2").out
	shown := mustRun(t, "runs", "show", id).out
	o := mustRun(t, "pack", id, "model.dgp")
	for _, want := range []string{"run", id + ", step 8", "training rows", "written to  model.dgp"} {
		if !strings.Contains(o.out, want) {
			t.Errorf("want %q:\n%v", want, o)
		}
	}
	for _, c := range [][]string{
		{"model.dgp exists; --force replaces it", "pack", id, "model.dgp"},
		{"the name of a packed model ends in .dgp, not model.zip", "pack", id, "model.zip"},
		{"the predictions of linear depend on its training data", "pack", id, "model.dgp", "--force",
			"--without-data"},
		{"a packed model reads no data file; do without --data", "predict", "model.dgp", table,
			"--data", table},
		{"no such packed model: none.dgp", "predict", "none.dgp", table},
		{"want 2 arguments, a run and a file, not 1 argument", "pack", id},
		{"no run", "train", "--resume", "model.dgp"},
	} {
		if o := dgplab(t, c[1:]...); o.status == statusOK || !strings.Contains(o.err, c[0]) ||
			strings.Count(o.err, "\n") != 1 {
			t.Errorf("%v\nwant %s", o, c[0])
		}
	}
	var done packedModel
	text := mustRun(t, "pack", id, "model.dgp", "--force", "--json").out
	if err := json.Unmarshal([]byte(text), &done); err != nil || done.Run != id || done.Rows == 0 {
		t.Errorf("%s: %+v, %v", text, done, err)
	}

	model, err := filepath.Abs("model.dgp")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	isolate(t)
	t.Chdir(t.TempDir())
	if err := os.WriteFile(table, rows, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := mustRun(t, "predict", model, table).out; got != predicted {
		t.Errorf("predicted\n%s\nwant\n%s", got, predicted)
	}
	if got := mustRun(t, "suggest", model, "--count", "2").out; got != suggested {
		t.Errorf("suggested\n%s\nwant\n%s", got, suggested)
	}
	// The model has no curves and another place, but everything else.
	packed := mustRun(t, "runs", "show", model).out
	for _, line := range strings.Split(packed, "\n") {
		if !strings.Contains(shown, line) && !strings.Contains(line, model) {
			t.Errorf("the line %q is not in the text of the run", line)
		}
	}
	if o := mustRun(t, "datasets", "show", model); !strings.Contains(o.out, "width   input   number") {
		t.Errorf("%v", o)
	}
	if list, err := os.ReadDir("."); err != nil || len(list) != 1 {
		t.Errorf("the folder has %v (%v)", list, err)
	}
}

// A data file that has moved is found by --data, if it has the same data, by all commands that need it.
func TestDataFileThatMoved(t *testing.T) {
	id, table := trained(t)
	want := mustRun(t, "predict", id, table).out
	if err := os.Rename("old.csv", "moved.csv"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("moved.csv")
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(text), "3.1", "3.2", 1)
	if err := os.WriteFile("other.csv", []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	commands := map[string][]string{
		"predict": {"predict", id, table}, "suggest": {"suggest", id},
		"pack": {"pack", id, "m.dgp", "--force"}, "npz": {"export", id, "--format", "npz", "--out", "arrays"},
	}
	for name, command := range commands {
		o := dgplab(t, command...)
		if o.status == statusOK || !strings.Contains(o.err, "old.csv: no such file or directory") ||
			!strings.Contains(o.err, "--data PATH") {
			t.Errorf("%s: %v", name, o)
		}
		o = dgplab(t, append(command, "--data", "other.csv")...)
		if o.status == statusOK || !strings.Contains(o.err, "other.csv does not hold the data of the run") ||
			!strings.Contains(o.err, "old.csv had ") {
			t.Errorf("%s with other data: %v", name, o)
		}
		o = dgplab(t, append(command, "--data", "none.csv")...)
		if o.status != statusUsage || !strings.Contains(o.err, "no such file: none.csv") {
			t.Errorf("%s without data: %v", name, o)
		}
	}
	for name, command := range commands {
		o := mustRun(t, append(command, "--data", "moved.csv")...)
		if name == "predict" && o.out != want {
			t.Errorf("predicted\n%s\nwant\n%s", o.out, want)
		}
	}
	if o := dgplab(t, "train", "--data", "moved.csv"); !strings.Contains(o.err, "--data needs --resume") {
		t.Errorf("%v", o)
	}
}
