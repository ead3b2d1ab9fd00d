package dash

import (
	"fmt"
	"slices"

	"dgplab/session/metric"
	"dgplab/tui/board"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
)

// list draws several runs in h lines of w cells: a line for each run and, if there is one more, a
// line about the selected run. With less room it draws the selected run and the states of the others.
func (d *Dash) list(w, h int) []string {
	if d.ManyRuns() {
		return d.groupRows(w, h)
	}
	if h >= len(d.Runs) {
		lines := make([]string, 0, h)
		names := d.names(max(w*2/5, 4))
		widest := 0
		for _, name := range names {
			widest = max(widest, kit.Cells(name))
		}
		for i, name := range names {
			lines = append(lines, d.row(i, d.Theme.Fit(name, widest), w))
		}
		if h > len(d.Runs) && w >= 40 {
			lines = append(lines, " "+d.detail(w-2))
		}
		return lines
	}
	chosen := d.row(d.Chosen, d.names(max(w/3, 4))[d.Chosen], w)
	if h == 1 {
		signs := d.signs()
		if room := w - kit.Cells(signs) - 1; room >= 16 {
			return []string{d.Theme.Sides(chosen, signs, w)}
		}
		return []string{chosen}
	}
	return []string{chosen, " " + d.others(w-2)}
}

// names returns the names of the runs in at most w cells: all in full, or all in brief if a name is too long.
func (d *Dash) names(w int) []string {
	full := !slices.ContainsFunc(d.Runs, func(r *board.Run) bool { return kit.Cells(r.Label) > w })
	names := make([]string, len(d.Runs))
	for i, r := range d.Runs {
		names[i] = r.Label
		if !full {
			names[i] = canvas.Shorten(r.Brief, w)
		}
	}
	return names
}

// row returns the line of a run: focus glyph, marker, name, state, progress and scores, as far as they fit.
func (d *Dash) row(i int, name string, w int) string {
	th, r := d.Theme, d.watched[i]
	style, sign := th.Text, " "
	if i == d.Chosen {
		style, sign = th.Title, th.FocusTitle.Render(th.Glyphs.Focus)
	}
	line := sign + d.Marker(r.Run) + " " + style.Render(name) + "  "
	room := w - kit.Cells(line)
	if room <= 0 {
		return line
	}
	return line + kit.JoinFitting(room, "  ", d.standingParts(r)...)
}

// standingParts returns the parts of the state of a run, the most important first. Numbers are padded to
// their final width, so that the columns do not move.
func (d *Dash) standingParts(r *watched) []string {
	th, s := d.Theme, r.Snapshot
	const widest = 15 // "! interrupted"
	parts := []string{th.Fit(d.state(r), widest)}
	if s == nil {
		return parts
	}
	parts = append(parts, th.Text.Render(outOf(s.Step, s.Steps)))
	best := ""
	for _, reading := range report.Readings(metric.OfSnapshot(s), "val.best") {
		best = th.Dim.Render(reading + " at " + report.Grouped(s.BestStep))
	}
	if !s.State.Going() {
		for _, score := range report.Readings(metric.OfSnapshot(s), "log_lik") {
			parts = append(parts, th.Title.Render(score))
		}
		return append(parts, best)
	}
	rate, left := pace(s)
	return append(parts, th.Dim.Render(report.Padded(rate, 5)+" steps/s"),
		th.Dim.Render("ETA "+report.Padded(left, 7)), best)
}

// detail returns a line about the selected run, or the alarm of any run.
func (d *Dash) detail(w int) string {
	r := d.current()
	if alarm := d.alarmLine(w); alarm != "" {
		return alarm
	}
	switch {
	case r.Snapshot == nil:
		return d.Theme.Dim.Render(d.waitingLong(r))
	case !r.Snapshot.State.Going():
		return d.outcome(r.Snapshot, w, 1)[0]
	}
	return d.facts(r, w)
}

// others returns the markers, states and names of the runs that are not selected.
func (d *Dash) others(w int) string {
	var parts []string
	for i, r := range d.watched {
		if i == d.Chosen {
			continue
		}
		glyph, word, tone := d.standing(r)
		parts = append(parts, d.Marker(r.Run)+" "+d.Theme.Dim.Render(r.Label)+" "+
			d.Theme.Tone(tone).Render(glyph+" "+word))
	}
	room := (w - 3*(len(parts)-1)) / max(len(parts), 1)
	for i := range parts {
		parts[i] = d.Theme.Cut(parts[i], max(room, 4))
	}
	return kit.JoinFitting(w, "   ", parts...)
}

// signs returns the markers and states of all runs in a few cells, followed by the number of the selected
// run.
func (d *Dash) signs() string {
	text := ""
	for _, r := range d.watched {
		glyph, _, tone := d.standing(r)
		text += d.Marker(r.Run) + d.Theme.Tone(tone).Render(glyph) + " "
	}
	return text + d.Theme.Dim.Render(fmt.Sprintf("%d/%d", d.Chosen+1, len(d.Runs)))
}
