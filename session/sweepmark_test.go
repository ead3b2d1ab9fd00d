package session

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"dgplab/session/rundir"
)

// The name of the sweep is in the run directory, even after resuming.
func TestWithSweep(t *testing.T) {
	w := newWorld(t)
	r, err := Start(context.Background(), config(), withEnvironment(w.environment()), WithSweep("grid"))
	if err != nil {
		t.Fatal(err)
	}
	wait(t, r, rundir.StopSteps)
	wait(t, w.start(t, config()), rundir.StopSteps)
	again, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment()), WithSteps(70))
	if err != nil {
		t.Fatal(err)
	}
	wait(t, again, rundir.StopSteps)
	list, err := rundir.List()
	if err != nil || len(list) != 2 {
		t.Fatalf("%d runs, %v", len(list), err)
	}
	for _, info := range list {
		want := ""
		if info.ID == r.ID() {
			want = "grid"
		}
		if info.Sweep != want {
			t.Errorf("%s belongs to sweep %q, want %q", info.ID, info.Sweep, want)
		}
	}
}

func TestComplete(t *testing.T) {
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err == nil {
		err = os.WriteFile("table.csv", []byte("a,b\n1,2\n"), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ dataset, split, wantDataset, wantSplit string }{
		{"steps", "", "steps", "interpolation:0"},
		{"steps", "extrapolation", "steps", "extrapolation:0"},
		{"steps", "interpolation:007", "steps", "interpolation:7"},
		{"table.csv", "", filepath.Join(here, "table.csv"), "interpolation:0"},
		{"boston", "", "", ""}, // not fetched
		{"other.csv", "", "", ""},
		{"steps", "half", "", ""},
	}
	for _, tt := range tests {
		got, err := Complete(rundir.Config{Dataset: tt.dataset, Family: "svgp", Split: tt.split})
		if (err != nil) != (tt.wantDataset == "") {
			t.Errorf("%s, %q: error %v", tt.dataset, tt.split, err)
		}
		if err == nil && (got.Dataset != tt.wantDataset || got.Split != tt.wantSplit) {
			t.Errorf("%s, %q: %s, %q; want %s, %q",
				tt.dataset, tt.split, got.Dataset, got.Split, tt.wantDataset, tt.wantSplit)
		}
	}
}
