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

// newHistory returns an empty history for the objective o. data is nil if it is not known yet.
func newHistory(o family.Objective, data *rundir.DataFacts) history {
	h := history{newCurve(curveCap), watch.New(o, 0)}
	if data != nil {
		h.setData(data.N)
	}
	return h
}

// setData sets the number of training points.
func (h *history) setData(n int) { h.watcher.SetData(n) }

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
