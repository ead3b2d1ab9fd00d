package session

import (
	"dgplab/models/family"
	"dgplab/session/drift"
	"dgplab/session/rundir"
)

// history is the report lines of a run: those that are shown, and what goes wrong
// by them.
type history struct {
	curve   *curve
	watcher *watcher
	drift   *drift.Watch // that of the watcher
}

// newHistory returns that of a run without lines, which maximises o. The data may
// not be known yet.
func newHistory(o family.Objective, data *rundir.DataFacts) history {
	w := newWatcher(o, 0)
	h := history{newCurve(curveCap), w, w.drift}
	if data != nil {
		h.setData(data.N)
	}
	return h
}

// setData sets the number of training points.
func (h *history) setData(n int) { h.watcher.setData(n) }

// add takes a report line; steps ascend. A line of the last step again has only its
// validation anew.
func (h *history) add(p rundir.Point) {
	if h.curve.replace(p) {
		h.watcher.addDrift(p)
		return
	}
	h.curve.add(p)
	h.watcher.add(p)
}
