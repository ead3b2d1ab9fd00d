package dash

import (
	"encoding/json"

	"dgplab/session/metric"
	"dgplab/tui/panel"
)

// kept is what is remembered of a dashboard from one start of the program to the
// next: how a person likes it, and which runs were shown.
type kept struct {
	Page      int        `json:"page"`
	X         xAxis      `json:"x_axis"`
	Y         yAxis      `json:"y_axis"`
	Smoothing int        `json:"smoothing"`
	Clip      bool       `json:"clip"`
	PerPoint  bool       `json:"per_point"`
	Grouped   bool       `json:"grouped"`
	Sort      panel.Sort `json:"sort"`
	Runs      []string   `json:"runs,omitempty"`
}

// Keep returns what to remember. What belongs to one run, such as the zoom, is not.
func (d *Dash) Keep() any {
	l := d.look
	k := kept{Page: d.page, X: l.x, Y: l.y, Smoothing: l.smoothing, Clip: l.clip, PerPoint: l.perPoint, Grouped: l.grouped, Sort: l.sort}
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
	k := kept{Smoothing: firstLook.smoothing}
	if json.Unmarshal(state, &k) != nil {
		return
	}
	l := &d.look
	if k.Page >= 0 && k.Page < len(pages) {
		d.page = k.Page
	}
	if k.X >= 0 && k.X < numXAxes {
		l.x = k.X
	}
	if k.Y >= 0 && k.Y < numYAxes {
		l.y = k.Y
	}
	if k.Smoothing >= 0 && k.Smoothing < len(strengths) {
		l.smoothing = k.Smoothing
	}
	if m, ok := metric.Find(k.Sort.Column); ok { // It may have been called something else.
		k.Sort.Column = m.Key
	}
	l.clip, l.perPoint, l.grouped, l.sort = k.Clip, k.PerPoint, k.Grouped, k.Sort
	d.remembered = k.Runs
}
