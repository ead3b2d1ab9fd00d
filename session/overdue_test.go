package session

import (
	"testing"

	"dgplab/session/config"
	"dgplab/session/rundir"
)

func TestOverdueCheckpoints(t *testing.T) {
	bySteps := config.Settings{CheckpointEvery: 10}
	byTime := config.Settings{CheckpointSeconds: 5}
	at := func(steps int, seconds float64) rundir.Point {
		return rundir.Point{Step: steps, Seconds: seconds}
	}
	for name, c := range map[string]struct {
		settings    config.Settings
		lines       []rundir.Point
		due, missed bool
	}{
		"no lines":               {bySteps, nil, false, false},
		"never saved":            {config.Settings{}, []rundir.Point{at(50, 9), at(99, 99)}, false, false},
		"one step before":        {bySteps, []rundir.Point{at(8, 9), at(9, 99)}, false, false},
		"at the step":            {bySteps, []rundir.Point{at(9, 0), at(10, 0)}, true, false},
		"a step after":           {bySteps, []rundir.Point{at(11, 0)}, true, true},
		"at the step and after":  {bySteps, []rundir.Point{at(10, 0), at(11, 0)}, true, true},
		"before the time":        {byTime, []rundir.Point{at(100, 4.9)}, false, false},
		"at the time":            {byTime, []rundir.Point{at(1, 4), at(2, 5)}, true, false},
		"after the time":         {byTime, []rundir.Point{at(1, 60)}, true, false},
		"at the time and after":  {byTime, []rundir.Point{at(1, 5), at(2, 6)}, true, true},
		"still due after a line": {byTime, []rundir.Point{at(1, 5), at(2, 1), at(3, 1)}, true, true},
	} {
		o := overdue{Settings: c.settings}
		for _, line := range c.lines {
			o.take(line)
		}
		if o.due != c.due || o.missed != c.missed {
			t.Errorf("%s: due %v, missed %v; want %v, %v", name, o.due, o.missed, c.due, c.missed)
		}
	}
}
