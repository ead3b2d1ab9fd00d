package session

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// epochsConfig returns a run with the given number of epochs and a batch size of 60.
func epochsConfig(epochs string) rundir.Config {
	return rundir.Config{Dataset: "steps", Family: "svgp", Seed: 2, Set: map[string]string{
		"epochs": epochs, "batch": "60", "inducing": "8", "test_samples": "2",
		"validation_every": "4", "metrics_every": "3",
	}}
}

// A run whose length is set in epochs ends with the last step of the last epoch. It can be resumed and
// extended.
func TestRunsOfEpochs(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	start := func(epochs string) *Snapshot {
		t.Helper()
		r, err := Start(context.Background(), epochsConfig(epochs))
		if err != nil {
			t.Fatal(err)
		}
		if s := r.Latest(); s.Steps != 0 && s.Data.N == 0 {
			t.Errorf("%d steps before the data are loaded", s.Steps)
		}
		return wait(t, r, rundir.StopSteps)
	}
	whole := start("3")
	want := (3*whole.Data.N + 59) / 60
	if whole.Data.N%60 == 0 || whole.Step != want || whole.Steps != want {
		t.Fatalf("%d of %d steps for 3 epochs of %d points, want %d",
			whole.Step, whole.Steps, whole.Data.N, want)
	}
	if done, limit := whole.Epochs(); limit != 3 || done < 3 || done >= 3+60/float64(whole.Data.N) {
		t.Errorf("%v of %d epochs", done, limit)
	}
	info, err := rundir.Find(whole.ID)
	if err != nil || info.Steps != want {
		t.Errorf("the directory records %d steps, %v", info.Steps, err)
	}
	plan, err := new(Inspector).Inspect(context.Background(), epochsConfig("3"))
	if err != nil || plan.Steps != want {
		t.Errorf("planned are %d steps, %v", plan.Steps, err)
	}

	part := start("1")
	if _, err := Resume(context.Background(), part.ID); err == nil ||
		!strings.Contains(err.Error(), "request more steps") {
		t.Errorf("resumed at its end: %v", err)
	}
	again, err := Resume(context.Background(), part.ID, WithSteps(want))
	if err != nil {
		t.Fatal(err)
	}
	got := wait(t, again, rundir.StopSteps)
	if _, limit := got.Epochs(); limit != 0 || got.Set["steps"] == "" || got.Step != want {
		t.Errorf("extended: %d epochs, %v", limit, got.Set)
	}
	if lines(t, got.Dir) != lines(t, whole.Dir) ||
		!bytes.Equal(parameters(t, got.Dir), parameters(t, whole.Dir)) {
		t.Error("the extended run differs from a run with the same number of epochs")
	}
}
