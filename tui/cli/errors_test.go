package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
			"sweep show a", "sweep show a --json", "sweep cancel a", "sweep retry a", "sweep throttle a 3",
			"sweep task a --cells 0",
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
	for _, c := range []struct{ args, want string }{
		{"train --dataset steps --repair", "--repair needs --resume"},
		{"export latest --figure=", "missing value: --figure"},
		{"export latest --format=", "missing value: --format"},
		{"bench --set inducing", "bad value: --set "},
		{"bench --set star.inducing=4",
			"bad value: --set star.inducing=4; bench does not support values for single families"},
		{"sweep task a --cells 99999999999", "bad value: --cells=99999999999; a sweep has at most "},
		{"sweep cancel a --cells x", `bad value: --cells: "x" is not a whole number from 0`},
		{"sweep retry a", "a was not submitted; to continue it, run: "},
	} {
		o := dgplab(t, strings.Fields(c.args)...)
		if o.status != statusUsage || !strings.HasPrefix(o.err, "dgplab: "+c.want) ||
			strings.Count(o.err, "\n") != 1 {
			t.Errorf("%s: %v, want %s", c.args, o, c.want)
		}
	}
}
