package dash

import (
	"encoding/json"

	"dgplab/session/metric"
)

// kept is the state of a dashboard that is kept across restarts of the program: the settings, and
// the runs that were shown.
type kept struct {
	Page int `json:"page"`
	curveSettings
	Sort        tableSort `json:"sort"`
	Predictions tableSort `json:"predictions"`
	Runs        []string  `json:"runs,omitempty"`
}

// Keep returns the state to remember.
func (d *Dash) Keep() any {
	k := kept{Page: d.page, curveSettings: d.curves.curveSettings, Sort: d.table.sort,
		Predictions: d.tested.sort}
	for _, r := range d.Runs {
		k.Runs = append(k.Runs, r.ID)
	}
	if len(k.Runs) == 0 {
		k.Runs = d.remembered
	}
	return k
}

// Restore restores the state from the JSON of Keep. Values that no longer exist get their defaults.
func (d *Dash) Restore(state []byte) {
	d.changed()
	k := kept{curveSettings: firstSettings}
	if json.Unmarshal(state, &k) != nil {
		return
	}
	if k.Page >= 0 && k.Page < len(d.Pages) {
		d.page = k.Page
	}
	if k.X < 0 || k.X.base() >= numXAxes {
		k.X = firstSettings.X
	}
	if k.Y < 0 || int(k.Y) >= len(yNames) {
		k.Y = firstSettings.Y
	}
	if k.Range < 0 || int(k.Range) >= len(rangeNames) {
		k.Range = firstSettings.Range
	}
	if k.Smoothing < 0 || k.Smoothing >= len(strengths) {
		k.Smoothing = firstSettings.Smoothing
	}
	if m, ok := metric.Find(k.Sort.Column); ok { // It may have been renamed.
		k.Sort.Column = m.Key
	}
	d.curves.curveSettings, d.table.sort, d.remembered = k.curveSettings, k.Sort, k.Runs
	d.tested.sort = k.Predictions
}
