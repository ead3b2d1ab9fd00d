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
		snapshot := &session.Snapshot{Summary: s, State: session.Ended, Steps: 2000, CheckpointStep: 1234}
		if s.Stop == rundir.StopFailed {
			snapshot.Err = errors.New("no space")
		}
		if text := StopReason(snapshot); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
	failed := &session.Snapshot{State: session.Ended, CheckpointStep: 10}
	failed.Stop, failed.Step = rundir.StopFailed, 20
	if text := StopReason(failed); text != "failed; checkpoint at step 10 kept" {
		t.Errorf("%q", text)
	}
}

// The place of a run has its time limits. Only running tasks have a speed and a remaining time.
func TestPlacesOfRuns(t *testing.T) {
	running := &sweep.Placement{Place: sweep.PlaceRunning, Timeouts: 4, Most: 3}
	pending := &sweep.Placement{Place: sweep.PlacePending}
	if got := Place(running); got != "running (3 of 3)" {
		t.Errorf("%q", got)
	}
	if got := Place(pending); got != "pending" {
		t.Errorf("%q", got)
	}
	all := &sweep.Placements{Cells: []*sweep.Placement{running, pending, nil, pending}}
	if got := Places(all); got != "1 running, 2 pending" {
		t.Errorf("%q", got)
	}
	cell := &sweep.CellState{Step: 500, Steps: 2000, Seconds: 10}
	if steps, rate, left := PlaceProgress(cell, running); rate != "50" || left != "30s" || steps == "" {
		t.Errorf("running: %q, %q, %q", steps, rate, left)
	}
	if _, rate, left := PlaceProgress(cell, pending); rate != "" || left != "" {
		t.Errorf("pending: %q, %q", rate, left)
	}
	cell.Seconds = 0
	if steps, rate, left := PlaceProgress(cell, running); steps != "500/2,000" || rate != "" || left != "" {
		t.Errorf("without a speed: %q, %q, %q", steps, rate, left)
	}
	if steps, _, _ := PlaceProgress(new(sweep.CellState), pending); steps != "" {
		t.Errorf("before the start: %q", steps)
	}
}
