package dash

import (
	"strings"
	"testing"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// The resume key resumes a run that has ended, with more steps if it has done all of its steps.
func TestResumeKey(t *testing.T) {
	d, _ := newDesk(kittest.Training(someConfig, 10), 120, 40)
	d.Keys("R")
	if len(d.Starts) > 0 || d.Note != "the run has not ended" {
		t.Errorf("%+v, %q", d.Starts, d.Note)
	}
	for _, c := range []struct {
		stop  rundir.Stop
		steps int // -1 if it cannot continue
	}{{rundir.StopSteps, 300}, {rundir.StopSettled, 300}, {rundir.StopAsked, 0}, {rundir.StopEarly, -1},
		{rundir.StopConverged, -1}} {
		s := *kittest.Ended(someConfig, c.stop)
		s.Step = 200
		d, _ := newDesk(&s, 120, 40)
		d.Keys("R")
		switch {
		case c.steps < 0 && (len(d.Starts) > 0 || !strings.Contains(d.Note, "nothing to resume")):
			t.Errorf("%s: %+v, %q", c.stop, d.Starts, d.Note)
		case c.steps >= 0 &&
			(len(d.Starts) != 1 || d.Starts[0].Resume != "fake-1" || d.Starts[0].Steps != c.steps):
			t.Errorf("%s: %+v, %q", c.stop, d.Starts, d.Note)
		}
	}
}

func TestForkKey(t *testing.T) {
	s := *kittest.Training(someConfig, 10)
	s.CheckpointStep = -1
	d, _ := newDesk(&s, 120, 40)
	d.Keys("F")
	if len(d.Visits) > 0 || !strings.Contains(d.Note, "no checkpoint") {
		t.Errorf("%+v, %q", d.Visits, d.Note)
	}
	s.CheckpointStep, s.State = 5, rundir.Paused
	d, _ = newDesk(&s, 120, 40)
	d.Keys("F")
	if len(d.Visits) != 1 || d.Visits[0].To != kit.Setup {
		t.Fatalf("%+v", d.Visits)
	}
	fill := d.Visits[0].Payload.(kit.Fill)
	if fill.Config.Set[rundir.WarmStartSetting] != s.ID || fill.Parent != s.ID ||
		s.Config.Set[rundir.WarmStartSetting] != "" {
		t.Errorf("%+v", fill)
	}
}
