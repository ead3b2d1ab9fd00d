package cli

import (
	"fmt"

	"dgplab/datasets/table"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/report"
)

// remarks writes each remark to standard error only once.
type remarks map[string]bool

// say writes a remark unless it was written before.
func (r remarks) say(c *console, kind, remark, words string) {
	if !r[remark] {
		r[remark] = true
		c.say("%s: %s", kind, words)
	}
}

// of writes notes and warnings as remarks.
func (r remarks) of(c *console, notes, warnings []string) {
	for _, text := range notes {
		r.say(c, "note", text, text)
	}
	for _, text := range warnings {
		r.say(c, "warning", text, text)
	}
}

// ofTime warns once that a planned run takes long, and names the settings that shorten it.
func (r remarks) ofTime(c *console, s *session.Snapshot, plan *session.Preview) {
	left := s.Remaining.Seconds()
	if plan == nil || plan.Budget > 0 || !session.Long(left) || s.StepsPerSecond <= 0 {
		return
	}
	remedy := report.Remedy(plan, 1/float64(s.StepsPerSecond), func(name, value string) string {
		if name == rundir.BudgetSetting {
			return "--" + name + " " + value
		}
		return "--set " + name + "=" + value
	})
	r.say(c, "warning", "long", fmt.Sprintf("about %s for %s steps at this speed; to shorten it, use %s",
		report.Seconds(left), report.Grouped(s.Steps), remedy))
}

// ofData writes notes and warnings about data, with the flags that address them.
func (r remarks) ofData(c *console, notes, warnings []table.Note) {
	for _, note := range notes {
		r.say(c, "note", note.Text, note.String())
	}
	for _, w := range warnings {
		r.say(c, "warning", w.Text, w.String())
	}
}
