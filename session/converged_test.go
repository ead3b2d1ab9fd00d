package session

import (
	"context"
	"math"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// A converged run ends with test scores and a report line for its last step, and cannot be resumed.
func TestConvergedRunEnds(t *testing.T) {
	w := newWorld(t)
	w.convergesAt = 23 // between two report lines
	s := wait(t, w.start(t, fakeConfig()), rundir.StopConverged)
	if s.Step != 23 || s.Test == nil || s.CheckpointStep != 23 || s.Stop.Word() != "converged" {
		t.Errorf("step %d, test %v, checkpoint at step %d, %q",
			s.Step, s.Test, s.CheckpointStep, s.Stop.Word())
	}
	if last := s.Curve[len(s.Curve)-1]; last.Step != 23 || last.Objective != s.Last.Objective ||
		math.IsNaN(last.ValLogLik) {
		t.Errorf("the last report line is %+v", last)
	}
	record, err := rundir.FindReadOnly(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	if record.Status() != "converged" || record.Resumable {
		t.Errorf("the record is %s, resumable %v", record.Status(), record.Resumable)
	}
	_, err = Resume(context.Background(), s.ID, withEnvironment(w.environment()), WithSteps(100))
	if err == nil || !strings.Contains(err.Error(), "has converged at step 23") {
		t.Errorf("resumed: %v", err)
	}
}

// Stop interrupts a long step and keeps the state before it.
func TestStopEndsALongStep(t *testing.T) {
	w := newWorld(t)
	w.endlessAt, w.inEndless = 31, make(chan struct{})
	r := w.start(t, fakeConfig())
	<-w.inEndless
	r.Stop()
	s := wait(t, r, rundir.StopAsked)
	if s.Step != 30 || s.CheckpointStep != 30 || s.Test == nil {
		t.Errorf("step %d, checkpoint at step %d, test %v", s.Step, s.CheckpointStep, s.Test)
	}
	w.endlessAt = 0
	resumed, err := Resume(context.Background(), s.ID, withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	end := wait(t, resumed, rundir.StopSteps)
	straight := wait(t, newWorld(t).start(t, fakeConfig()), rundir.StopSteps)
	if end.Last.Objective != straight.Last.Objective {
		t.Errorf("objective %v after the interruption, %v without it",
			end.Last.Objective, straight.Last.Objective)
	}
}
