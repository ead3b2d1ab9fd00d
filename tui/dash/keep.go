package dash

import (
	"encoding/json"

	"dgplab/session/metric"
)

// kept is what is remembered of a dashboard from one start of the program to the
// next: how a person likes it, and which runs were shown.
type kept struct {
	Page int `json:"page"`
	look
	Runs []string `json:"runs,omitempty"`
}

// Keep returns what to remember.
func (d *Dash) Keep() any {
	k := kept{Page: d.page, look: d.look}
	for _, r := range d.runs {
		k.Runs = append(k.Runs, r.id)
	}
	if len(k.Runs) == 0 {
		k.Runs = d.remembered
	}
	return k
}

// Restore takes what Keep returned; values that there are no longer are as at first.
func (d *Dash) Restore(state []byte) {
	k := kept{look: firstLook}
	if json.Unmarshal(state, &k) != nil {
		return
	}
	if k.Page >= 0 && k.Page < len(pages) {
		d.page = k.Page
	}
	if k.X < 0 || k.X.base() >= numXAxes {
		k.X = firstLook.X
	}
	if k.Y < 0 || int(k.Y) >= len(yNames) {
		k.Y = firstLook.Y
	}
	if k.Range < 0 || int(k.Range) >= len(rangeNames) {
		k.Range = firstLook.Range
	}
	if k.Smoothing < 0 || k.Smoothing >= len(strengths) {
		k.Smoothing = firstLook.Smoothing
	}
	if m, ok := metric.Find(k.Sort.Column); ok { // It may have been called something else.
		k.Sort.Column = m.Key
	}
	d.look, d.remembered = k.look, k.Runs
}
