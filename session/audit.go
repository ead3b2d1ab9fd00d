package session

import (
	"fmt"

	"dgplab/session/config"
	"dgplab/session/rundir"
)

// audit compares the report lines of a run with the lines that the run must have written (see
// config.Settings.Reports) and records the gaps. A missing line at the beginning of a phase is not
// detected.
type audit struct {
	config.Settings
	last int // step of the last line
	end  int // last step to check
	// checkpoint is the step of the checkpoint. Its line may have been written only because the run ended
	// there.
	checkpoint int
	gaps       []rundir.Span // spans of missing lines
	known      []rundir.Span // gaps left by an earlier repair
	err        error         // a line at a step without a report
}

// take adds the next line and reports whether it belongs to the report. beginsPhase is true if the line
// begins a phase. A line that was written only because the run ended does not belong to the report.
func (a *audit) take(p rundir.Point, beginsPhase bool) bool {
	reports := a.Reports(p.Step) || beginsPhase
	switch {
	case p.Step <= a.last: // Readers reject this line and repairs drop it.
		return false
	case !reports && p.Step < a.checkpoint:
		a.err = fmt.Errorf("unexpected report line at step %d", p.Step)
		return false
	case !reports:
		return false
	}
	a.reach(p.Step - 1)
	a.last = p.Step
	return true
}

// reach records a gap if a line is missing between the last line and the given step. After the last line it
// is called with the last step to check.
func (a *audit) reach(step int) {
	first := a.NextReport(a.last)
	if first > step {
		return
	}
	a.gaps = append(a.gaps, rundir.Span{first, step})
}

// missing returns the first unknown gap, if there is one.
func (a *audit) missing() (rundir.Span, bool) {
	for _, gap := range a.gaps {
		covered := false
		for _, old := range a.known {
			covered = covered || old[0] <= gap[0] && gap[1] <= old[1]
		}
		if !covered {
			return gap, true
		}
	}
	return rundir.Span{}, false
}

// overdue checks the report lines of a run without a checkpoint. missed is true if the run continued after a
// checkpoint was due, so that one must have existed.
type overdue struct {
	config.Settings
	due    bool
	missed bool // a line follows the step at which a checkpoint was due
}

func (o *overdue) take(p rundir.Point) {
	o.missed = o.missed || o.due
	o.due = o.due || o.CheckpointEvery > 0 && p.Step >= o.CheckpointEvery ||
		o.CheckpointSeconds > 0 && p.Seconds >= o.CheckpointSeconds
	o.missed = o.missed || o.CheckpointEvery > 0 && p.Step > o.CheckpointEvery
}
