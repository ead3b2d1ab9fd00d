package session

import (
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// history is the report lines of a run: those that are shown, and what goes wrong
// by them.
type history struct {
	curve   *curve
	watcher *watcher
}

// newHistory returns that of a run without lines, which maximises o. The data may
// not be known yet.
func newHistory(o family.Objective, data *rundir.DataFacts) history {
	h := history{newCurve(curveCap), newWatcher(o, 0)}
	if data != nil {
		h.watcher.setData(data.N)
	}
	return h
}

// add takes a report line; steps ascend. A line of the last step again has only its
// validation anew.
func (h *history) add(p rundir.Point) {
	if h.curve.replace(p) {
		h.watcher.validation.add(p.Step, p.ValLogLik)
		return
	}
	h.curve.add(p)
	h.watcher.add(p)
}
