package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/tui/kit/kittest"
)

// No command prints escape sequences from run directories, sweeps and files.
func TestNothingThatIsPrintedCommandsTheTerminal(t *testing.T) {
	isolate(t)
	runs := os.Getenv("DGPLAB_RUNS")
	file := filepath.Join(t.TempDir(), "data"+kittest.Poison+".csv")
	if err := os.WriteFile(file, []byte("a"+kittest.Poison+",b\n"+strings.Repeat("1,2\n2,3\n3,5\n4,4\n", 20)),
		0o644); err != nil {
		t.Fatal(err)
	}
	o := dgplab(t, "sweep", "--dataset", "steps", "--family", "svgp", "--set", "inducing=4,5", "--set",
		"test_samples=5", "--steps", "3", "--name", "grid")
	outputs := []outcome{o}
	names, err := filepath.Glob(filepath.Join(runs, "2*"))
	if err != nil || len(names) != 2 {
		t.Fatalf("runs %q, %v; %s", names, err, o.err)
	}
	id := filepath.Base(names[0])
	outputs = append(outputs, dgplab(t, "runs", "tag", id, "good"), dgplab(t, "runs", "note", id, "a note"))
	kittest.PoisonCopies(t, names[0])
	if all, err := filepath.Glob(filepath.Join(runs, "2*")); err != nil || len(all) < 20 {
		t.Fatalf("only %d run directories (%v)", len(all), err)
	}
	lines := [][]string{
		{"runs"}, {"runs", "--json"}, {"sweep", "list"}, {"sweep", "list", "--json"},
		{"sweep", "show", "grid"}, {"sweep", "show", "grid", "--json"},
		{"compare", "grid"}, {"__complete", "runs", "show", ""}, {"__complete", "sweep", "show", ""},
		{"train", "--dataset", file, "--steps", "2"}, {"train", "--dataset", file, "--steps", "2", "--json"},
		{"train", "--family", kittest.Poison},
		{"train", "--resume", id + "-all"}, {"train", "--from", id + "-all", "--json"},
		{"runs", "show", kittest.Poison}, {"runs", "show", id + "-all", "--json"},
		{"runs", "show", id + "-name" + kittest.Poison, "--json"}, {"runs", "diff", id, id + "-all"},
		{"compare", id + "-all", id, "--unmatched"}, {"compare", id + "-all", id, "--csv"},
	}
	for _, format := range []string{"--csv", "--json", "--latex", "--markdown", "--unmatched"} {
		lines = append(lines, []string{"compare", "grid", format})
	}
	all, err := os.ReadDir(runs)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if strings.HasPrefix(e.Name(), id) {
			lines = append(lines, []string{"runs", "show", e.Name()})
		}
	}
	for _, args := range lines {
		o := dgplab(t, args...)
		for _, text := range []string{o.out, o.err} {
			if bad := kittest.Harmful(text); bad != "" {
				t.Errorf("%q prints %q", args, bad)
			}
		}
		if args[len(args)-1] == "--json" {
			for line := range strings.Lines(o.out) {
				if !json.Valid([]byte(line)) && !json.Valid([]byte(o.out)) {
					t.Errorf("%q prints invalid JSON: %q", args, line)
				}
			}
		}
	}
	for _, o := range outputs {
		if bad := kittest.Harmful(o.out + o.err); bad != "" {
			t.Errorf("before: %q", bad)
		}
	}
}
