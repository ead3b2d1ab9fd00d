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
	drift   *drift.Watch
}

// newHistory returns that of a run without lines, which maximises o. The data may
// not be known yet.
func newHistory(o family.Objective, data *rundir.DataFacts) history {
	h := history{newCurve(curveCap), newWatcher(o, 0), &drift.Watch{Wanders: o.Sampled()}}
	if data != nil {
		h.setData(data.N)
	}
	return h
}

// setData says that there are n training points.
func (h *history) setData(n int) {
	h.watcher.setData(n)
	h.drift.Points = n
}

// add takes a report line; steps ascend. A line of the last step again has only its
// validation anew.
func (h *history) add(p rundir.Point) {
	h.drift.Add(drift.Values{Step: p.Step, Phase: p.Phase, Validation: p.ValLogLik, Objective: p.Objective, Noise: p.Reading(noiseReading)})
	if h.curve.replace(p) {
		h.watcher.validation.add(p.Step, p.ValLogLik)
		return
	}
	h.curve.add(p)
	h.watcher.add(p)
}
