package dash

import (
	"fmt"
	"strings"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// footer draws the numbers of the last step of the selected run, and the last line, which has keys or
// a note. If the header has no room for an alarm or for the whole outcome, they replace the
// numbers.
func (d *Dash) footer(w, h, headerRows int, last string) []string {
	if h <= 0 {
		return nil
	}
	lines := []string{" " + last}
	if h > 1 {
		lines = []string{" " + d.numbers(w-2), " " + last}
		if alarm := d.alarmLine(w - 2); alarm != "" && !d.headerHasAlarm(headerRows) {
			lines[0] = " " + alarm
		} else if rest := d.rest(w-2, headerRows-1); rest != "" {
			lines[0] = " " + rest
		}
	}
	return d.Theme.Box(lines, w, h)
}

// headerHasAlarm reports whether a header of the given height has a line for alarms.
func (d *Dash) headerHasAlarm(rows int) bool {
	if len(d.Runs) > 1 {
		return rows > d.Rows()
	}
	s := d.Snapshot()
	return rows > 2 && s != nil && s.State.Going()
}

// rest returns the part of the outcome that a header of the given height does not show: the reason if the
// header shows the scores instead, or the end of a long reason. It returns "" if nothing is left.
func (d *Dash) rest(w, rows int) string {
	s := d.Snapshot()
	if s == nil || s.State.Going() {
		return ""
	}
	if len(d.Runs) > 1 {
		rows = 1 // The list has one line about the selected run: its scores if there are any.
		if s.Test == nil {
			return ""
		}
	}
	style := d.Theme.Tone(d.stopTone(s))
	why := kit.Wrap(report.StopReason(s), w)
	switch {
	case rows < 2 && s.Test != nil && s.Err == nil:
		var clauses []string
		for i, clause := range strings.Split(report.StopReason(s), "; ") {
			if i > 0 {
				clause = "; " + clause
			}
			clauses = append(clauses, style.Render(clause))
		}
		return kit.JoinFitting(w, "", clauses...)
	case rows >= 1 && s.Err != nil && len(why) > rows:
		return style.Render(strings.Join(why[rows:], " "))
	}
	return ""
}

// numbers returns the quantities of the last step in columns of fixed width.
func (d *Dash) numbers(w int) string {
	s, th := d.Snapshot(), d.Theme
	if s == nil {
		return ""
	}
	item := func(name, value string) string {
		return th.Dim.Render(name+" ") + th.Text.Render(fmt.Sprintf("%-8s", value))
	}
	rescues := item("rescues", report.Grouped(s.Rescues))
	if s.Rescues > 0 {
		rescues = th.Dim.Render("rescues ") +
			th.Warn.Render(fmt.Sprintf("%-8s", report.Grouped(s.Rescues)+" !"))
	}
	noise := ""
	if v, ok := noiseVariance(s); ok {
		noise = item("noise", report.Number(v))
	}
	saved := "none"
	if s.CheckpointStep >= 0 {
		saved = "step " + report.Grouped(s.CheckpointStep)
	}
	whose := ""
	if len(d.Runs) > 1 {
		whose = d.Marker(d.Current())
	}
	parts := []string{whose, noise}
	add := func(list []rundir.Named) {
		for _, r := range list {
			parts = append(parts, item(r.Name, ofStep(s, r.Value)))
		}
	}
	terms := s.Last.Named(s.ObjectiveIs.Terms)
	gauges := s.Last.Named(s.ObjectiveIs.Gauges)
	first := min(1, len(gauges))
	add(terms[max(len(terms)-1, 0):])
	add(gauges[:first])
	parts = append(parts, rescues, item(s.ObjectiveIs.Name, ofStep(s, s.Last.Objective)))
	add(gauges[first:])
	return kit.JoinFitting(w, " ", append(parts, item("checkpoint", saved))...)
}

// ofStep formats a number of the last step, or returns "-" before the first step.
func ofStep(s *session.Snapshot, v float64) string {
	if s.Step == 0 {
		return "-"
	}
	return report.Number(v)
}

// noiseVariance returns the noise variance of the likelihood in standardised units.
func noiseVariance(s *session.Snapshot) (float64, bool) {
	for _, q := range s.Hyper {
		if q.Name == "likelihood.variance" && len(q.Value) > 0 {
			return q.Value[0], true
		}
	}
	return 0, false
}
