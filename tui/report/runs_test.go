package report

import (
	"errors"
	"testing"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
)

// The reason of the end names the step, the checkpoint and, after a failure, the error.
func TestStopReason(t *testing.T) {
	for want, s := range map[string]rundir.Summary{
		"all 2,000 steps done in 8.0s; checkpoint kept": {Stop: rundir.StopSteps},
		"stopped early at step 1,234: no improvement since step 1,000; checkpoint kept": {
			Stop: rundir.StopEarly, BestStep: 1000},
		"settled at step 1,234 in 8.0s: no further improvement; checkpoint kept": {
			Stop: rundir.StopSettled},
		"converged at step 1,234 in 8.0s; checkpoint kept": {Stop: rundir.StopConverged},
		"stopped at step 1,234; checkpoint kept":           {Stop: rundir.StopAsked},
		"stopped at the end of a rung, step 1,234 of 2,000; checkpoint kept": {
			Stop: rundir.StopRung},
		"failed: no space; checkpoint kept": {Stop: rundir.StopFailed},
	} {
		s.Step, s.Seconds = 1234, 8
		snapshot := &session.Snapshot{Summary: s, State: rundir.Ended, Steps: 2000, CheckpointStep: 1234}
		if s.Stop == rundir.StopFailed {
			snapshot.Err = errors.New("no space")
		}
		if text := StopReason(snapshot); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
	failed := &session.Snapshot{State: rundir.Ended, CheckpointStep: 10}
	failed.Stop, failed.Step = rundir.StopFailed, 20
	if text := StopReason(failed); text != "failed; checkpoint at step 10 kept" {
		t.Errorf("%q", text)
	}
}

// Tasks are counted, with some of their nodes and the reasons why they wait.
func TestTasksText(t *testing.T) {
	for _, c := range []struct {
		sweep.Tasks
		want string
	}{
		{sweep.Tasks{}, "none is pending or running"},
		{sweep.Tasks{Running: 2, Nodes: []string{"n1"}, Pending: 1000, Reasons: []string{"a", "b"}},
			"2 running on n1, 1,000 pending: a; b"},
		{sweep.Tasks{Running: 6, Nodes: []string{"1", "2", "3", "4", "5", "6"}},
			"6 running on 1, 2, 3, 4 and 2 more"},
	} {
		if got := Tasks(&c.Tasks); got != c.want {
			t.Errorf("%+v: %q, want %q", c.Tasks, got, c.want)
		}
	}
}

// Only running cells have a speed and a remaining time.
func TestCellProgress(t *testing.T) {
	for _, c := range []struct {
		sweep.CellState
		want string
	}{
		{sweep.CellState{Status: sweep.Running, Step: 500, Steps: 2000, Seconds: 10}, "500/2,000 50 30s"},
		{sweep.CellState{Status: sweep.Stopped, Step: 500, Steps: 2000, Seconds: 10}, "500/2,000  "},
		{sweep.CellState{Status: sweep.Running, Step: 500, Steps: 2000}, "500/2,000  "},
		{sweep.CellState{Status: sweep.Waiting}, "  "},
	} {
		steps, rate, left := CellProgress(&c.CellState)
		if got := steps + " " + rate + " " + left; got != c.want {
			t.Errorf("%s at step %d: %q, want %q", c.Status, c.Step, got, c.want)
		}
	}
}
