package dash

import (
	"dgplab/tui/board"
	"encoding/json"
)

// kept is the state of a dashboard that is kept across restarts of the program: the settings, and
// the runs that were shown.
type kept struct {
	Page int `json:"page"`
	board.Settings
	Runs []string `json:"runs,omitempty"`
}

// Keep returns the state to remember.
func (d *Dash) Keep() any {
	k := kept{Page: d.page, Settings: d.Settings()}
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
	k := kept{Settings: board.FirstSettings}
	if json.Unmarshal(state, &k) != nil {
		return
	}
	if k.Page >= 0 && k.Page < len(d.Pages) {
		d.page = k.Page
	}
	d.Use(k.Settings)
	d.remembered = k.Runs
}
