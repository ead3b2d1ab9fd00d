package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// A run on an unusable file does not start, and the error phrases the remedies as settings.
func TestRunOnUnusableFile(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	path := filepath.Join(t.TempDir(), "f.csv")
	for text, want := range map[string]string{
		"a,b,y\n1,2,1.5\n2,,2.5\n3,4," +
			"3.5\n": "the cell is missing; only targets may be missing; set columns to missing=drop: " +
			"omits such rows; set columns to missing=mean: uses the mean",
		"a,y\n1,0\n2,1\n3,2\n4,0\n5,1\n6," +
			"2\n": "which may be classes or numbers; set targets to y:class: classes; set targets to " +
			"y:number: numbers; set targets to y:count: counts",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := new(workbench).Start(t.Context(), kit.Start{
			Config: rundir.Config{Dataset: path, Family: "linear"},
		})
		if err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "--") {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	if list, err := rundir.List(); err != nil || len(list) > 0 {
		t.Errorf("%d runs have started, %v", len(list), err)
	}
}
