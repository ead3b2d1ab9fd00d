package session

import (
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/session/watch"
)

// history holds the report lines of a run for display, and the watchers that derive alarms from
// them.
type history struct {
	curve   *curve
	watcher *watch.Watcher
}

// newHistory returns an empty history of a run with the objective o and n training points, or 0 if
// n is unknown.
func newHistory(o family.Objective, n int) history {
	return history{newCurve(curveCap), watch.New(o, n)}
}

// add adds a report line. Steps must ascend. A repeated line of the last step adds only its
// validation.
func (h *history) add(p rundir.Point) {
	if h.curve.replace(p) {
		h.watcher.Drift.Add(p)
		return
	}
	h.curve.add(p)
	h.watcher.Add(p)
}
