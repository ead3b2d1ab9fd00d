package session

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"dgplab/session/config"
	"dgplab/session/rundir"
)

// A run with until_converged ends once it has settled and can be extended. The summary, its file
// and the report lines agree, and an interrupted run ends at the same step.
func TestRunsEndWhenSettled(t *testing.T) {
	w := newWorld(t)
	w.stepCost = 0
	c := fakeConfig("steps=20000", "until_converged=on", "early_stopping=off", "checkpoint_every=100")
	s := wait(t, w.start(t, c), rundir.StopSettled)
	if s.Step >= 20000 || s.Step < 500 || s.Drift.Verdict != rundir.Settled || s.StillImproving() != "" {
		t.Fatalf("step %d, %+v", s.Step, s.Drift)
	}
	record, err := rundir.FindReadOnly(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(Open(record).Drift, s.Drift) ||
		!reflect.DeepEqual(record.Results.Drift, s.Drift) {
		t.Errorf("live %+v, from the lines %+v, from the summary %+v",
			s.Drift, Open(record).Drift, record.Results.Drift)
	}
	if record.Resumable || !record.Extendable() || record.Results.ExtendedSteps() <= s.Step {
		t.Errorf("resumable %v, extendable %v", record.Resumable, record.Extendable())
	}
	if _, err := Resume(context.Background(), s.ID, withEnvironment(w.environment())); err == nil ||
		!strings.Contains(err.Error(), "has settled") {
		t.Errorf("it was resumed without more steps: %v", err)
	}
	more, err := Resume(context.Background(), s.ID, withEnvironment(w.environment()),
		WithSteps(record.Results.ExtendedSteps()))
	if err != nil {
		t.Fatal(err)
	}
	if end := wait(t, more, rundir.StopSteps); end.Step != record.Results.ExtendedSteps() ||
		end.Config.Set[config.UntilConverged] != "off" {
		t.Errorf("step %d, %v", end.Step, end.Config.Set)
	}

	again := newWorld(t)
	again.stepCost = 0
	again.onStep = func(step int) error {
		if step == 333 {
			return os.ErrDeadlineExceeded
		}
		return nil
	}
	failed := wait(t, again.start(t, c), rundir.StopFailed)
	again.onStep = nil
	resumed, err := Resume(context.Background(), failed.ID, withEnvironment(again.environment()))
	if err != nil {
		t.Fatal(err)
	}
	if end := wait(t, resumed, rundir.StopSettled); end.Step != s.Step ||
		!reflect.DeepEqual(end.Drift, s.Drift) {
		t.Errorf("interrupted: step %d, %+v; uninterrupted: step %d, %+v",
			end.Step, end.Drift, s.Step, s.Drift)
	}
}

// The drift of a run that ends before it has converged is recorded.
func TestImprovingRunIsRecorded(t *testing.T) {
	w := newWorld(t)
	w.stepCost = 0
	s := wait(t, w.start(t, fakeConfig("steps=200", "validation_every=1", "metrics_every=1")),
		rundir.StopSteps)
	text := s.StillImproving()
	if !s.Drift.Improving() || !strings.Contains(text, "noise variance still fell by") ||
		s.DriftText() != text {
		t.Errorf("%+v, %q", s.Drift, text)
	}
	lines, err := os.ReadFile(filepath.Join(s.Dir, "metrics.jsonl"))
	if err != nil || bytes.Count(lines, []byte(`"noise_variance":0.`)) != 200 {
		t.Errorf("%v\n%.300s", err, lines)
	}
	var none *rundir.Summary
	if none.StillImproving() != "" || none.ExtendedSteps() != 0 {
		t.Error("a run without a summary is still improving")
	}
}
