package session

import (
	"context"
	"testing"

	"dgplab/session/rundir"
)

// The run directory contains the name of the sweep, even after resuming.
func TestWithSweep(t *testing.T) {
	w := newWorld(t)
	r, err := Start(context.Background(), fakeConfig(), withEnvironment(w.environment()), WithSweep("grid"))
	if err != nil {
		t.Fatal(err)
	}
	wait(t, r, rundir.StopSteps)
	wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
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
