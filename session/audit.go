package session

import (
	"fmt"
	"math"

	"dgplab/session/rundir"
)

// audit follows the report lines of a run and notes where they are not all that the run
// wrote: those of settings.reports, ascending. Lines that only begin a phase are not missed.
type audit struct {
	settings
	last int // step of the last line
	end  int // lines up to this step count
	// checkpoint is the step of it, whose line may be one that the end of a run wrote.
	checkpoint int
	gaps       []rundir.Span // where lines are missing
	known      []rundir.Span // gaps that a repair left
	err        error         // a line that cannot be where it is
}

// take takes the next line, which perhaps begins a phase, and says whether it counts. That
// of an end does not.
func (a *audit) take(p rundir.Point, turns bool) bool {
	reports := a.reports(p.Step) || turns
	switch {
	case p.Step <= a.last: // The reader refuses it; a repair drops it.
		return false
	case !reports && p.Step < a.checkpoint:
		a.err = fmt.Errorf("its line of step %d is none that the run wrote", p.Step)
		return false
	case !reports:
		return false
	}
	a.reach(p.Step - 1)
	a.last = p.Step
	return true
}

// close says that there are no further lines.
func (a *audit) close() { a.reach(a.end) }

// reach says that there was no further line up to a step.
func (a *audit) reach(step int) {
	first := a.next(a.last)
	if first > step {
		return
	}
	a.gaps = append(a.gaps, rundir.Span{first, step})
}

// next returns the first step after another one that has a report line whatever happens.
func (s settings) next(step int) int {
	if step < 1 {
		return 1
	}
	multiple := func(every int) int {
		if step > math.MaxInt-every {
			return math.MaxInt
		}
		return (step/every + 1) * every
	}
	return min(multiple(s.metricsEvery), multiple(s.validationEvery))
}

// missing returns the first gap that was not known, if there is one.
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

// overdue follows the report lines of a run that has no checkpoint, and says whether
// there must have been one: a later line shows that the run went on when it was due.
type overdue struct {
	settings
	due bool
	was bool // there was a line of a step at which it was due, or behind one
}

func (o *overdue) take(p rundir.Point) {
	o.was = o.was || o.due
	o.due = o.due || o.checkpointEvery > 0 && p.Step >= o.checkpointEvery ||
		o.checkpointSeconds > 0 && p.Seconds >= o.checkpointSeconds
	o.was = o.was || o.checkpointEvery > 0 && p.Step > o.checkpointEvery
}
