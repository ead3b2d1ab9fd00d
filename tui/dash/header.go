package dash

import (
	"fmt"
	"math"

	"dgplab/session"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// header draws the runs with their state and speed in h lines of w cells.
func (d *Dash) header(w, h int) []string {
	th, r := d.Theme, d.current()
	switch {
	case h <= 0:
		return nil
	case r == nil:
		return th.Box([]string{" " + th.Dim.Render("dgplab  no run yet")}, w, h)
	case len(d.Runs) > 1:
		return th.Box(d.list(w, h), w, h)
	}
	state := d.state(r)
	if h == 1 || w < 40 {
		return th.Box(d.terse(r, state, w, h), w, h)
	}
	lines := []string{th.Sides(d.what(r, w), state, w-2)}
	switch {
	case r.Snapshot == nil:
		lines = append(lines, th.Dim.Render(d.waitingLong(r)))
	case !r.Snapshot.State.Going():
		lines = append(lines, d.outcome(r.Snapshot, w-2, h-1)...)
	default:
		lines = append(lines, d.progress(r.Snapshot, w-2), d.facts(r, w-2))
	}
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return th.Box(lines, w, h)
}

// state returns the glyph and the word for the state of a run, with an alarm glyph if there is an alarm.
func (d *Dash) state(r *watched) string {
	glyph, word, tone := d.standing(r)
	text := d.Theme.Tone(tone).Render(glyph + " " + word)
	if alarm, _ := d.alarm(r); alarm != "" {
		text += " " + d.Theme.Warn.Render("!")
	}
	return text
}

// standing returns the glyph, the word and the tone for the state of a run.
func (d *Dash) standing(r *watched) (glyph, word string, tone kit.Tone) {
	g := d.Theme.Glyphs
	if r.Snapshot == nil && r.own == nil {
		return g.Preparing, "reading", kit.Calm
	}
	return g.StateSign(metric.OfSnapshot(r.Snapshot))
}

// waitingLong returns a phrase for the state of a run without a snapshot.
func (d *Dash) waitingLong(r *watched) string {
	if r.own == nil {
		return "reading the run directory"
	}
	return "preparing the data and the model"
}

// alarm returns the first alarm of a run and the step at which it began. Both are "" if there is
// none.
func (d *Dash) alarm(r *watched) (text, since string) {
	if r.err != nil {
		return "cannot be read: " + r.err.Error(), ""
	}
	if r.Snapshot == nil || len(r.Snapshot.Alarms) == 0 {
		return "", ""
	}
	first := r.Snapshot.Alarms[0]
	return first.Text, ", since step " + report.Grouped(first.Since)
}

// alarmLine returns the alarm of the selected run, or else of the first run with one, in at most w
// cells. It is empty if there is none.
func (d *Dash) alarmLine(w int) string {
	for k := range d.Runs {
		r := d.watched[(d.Chosen+k)%len(d.watched)]
		text, since := d.alarm(r)
		if text == "" {
			continue
		}
		sign := "! alarm: "
		if r.Snapshot != nil && r.err == nil && len(r.Snapshot.Alarms) > 1 {
			sign = fmt.Sprintf("! %d alarms: ", len(r.Snapshot.Alarms))
		}
		line := sign + text + since
		if len(d.Runs) > 1 {
			line = sign + d.Mark(r.Run) + " " + r.Label + ": " + text + since
			if kit.Cells(line) > w {
				line = sign + d.Mark(r.Run) + " " + text + since
			}
		}
		return d.Theme.Warn.Render(d.Theme.Cut(line, w))
	}
	return ""
}

// what returns the data set, family, split, seed and ID of a run.
func (d *Dash) what(r *watched, w int) string {
	th := d.Theme
	sep := th.Separator()
	if r.Snapshot == nil {
		return th.Dim.Render("dgplab") + "  " + th.Title.Render(r.ID)
	}
	run := th.Title.Render(metric.DatasetName(r.Snapshot.Dataset)) + sep + th.Title.Render(r.Snapshot.Family)
	if w < 64 {
		return run
	}
	split := ""
	if r.Snapshot.Split != "" {
		split = th.Dim.Render(r.Snapshot.Split)
	}
	return th.Dim.Render("dgplab") + "  " +
		kit.JoinFitting(w-36, sep, run, split, th.Dim.Render(fmt.Sprintf("seed %d", r.Snapshot.Seed)),
			th.Dim.Render(r.ID))
}

// terse returns as much of the state of a run as fits into h lines of w cells.
func (d *Dash) terse(r *watched, state string, w, h int) []string {
	s, th := r.Snapshot, d.Theme
	if s == nil {
		return []string{state}
	}
	percent := fmt.Sprintf("%3.0f%%", 100*share(s))
	parts := []string{state, th.Text.Render(percent)}
	for _, reading := range report.Readings(metric.OfSnapshot(s), "objective", "val.best") {
		parts = append(parts, th.Text.Render(reading))
	}
	rate, _ := pace(s)
	parts = append(parts, th.Dim.Render(rate+"/s"))
	if !s.State.Going() {
		parts = []string{state, th.Text.Render("step " + report.Grouped(s.Step)),
			th.Text.Render(scoreLine(s, w))}
		if s.Err != nil {
			parts = []string{state, th.Bad.Render(s.Err.Error())}
		}
	}
	if w < 24 && h > 1 {
		return parts
	}
	return []string{kit.JoinFitting(w, " ", parts...)}
}

// share returns the fraction of the steps that a run has done.
func share(s *session.Snapshot) float64 {
	if s.Steps <= 0 {
		return 0
	}
	return math.Min(float64(s.Step)/float64(s.Steps), 1)
}

// pace returns the steps per second and the remaining time. They are "-" if they are unknown and while the
// run is paused.
func pace(s *session.Snapshot) (rate, left string) {
	rate, left = "-", "-"
	if s.State == rundir.Paused || s.StepsPerSecond == 0 {
		return rate, left
	}
	if s.Remaining > 0 {
		left = report.Duration(s.Remaining)
	}
	return report.Number(float64(s.StepsPerSecond)), left
}

// progress draws the bar, the steps, the speed and the remaining time. Numbers are padded to their final
// width, so that the line does not move.
func (d *Dash) progress(s *session.Snapshot, w int) string {
	th := d.Theme
	steps := outOf(s.Step, s.Steps)
	if done, limit := s.Epochs(); limit > 0 {
		steps += th.Dim.Render("  epoch " + outOf(int(done), limit))
	}
	rate, left := pace(s)
	text := kit.JoinFitting(w-min(w/3, 28), "  ", th.Text.Render(steps),
		th.Dim.Render(report.Padded(rate, 6)+" steps/s"), th.Dim.Render("ETA "+report.Padded(left, 7)),
		th.Dim.Render("after "+report.Padded(report.Seconds(s.Seconds), 7)))
	room := w - kit.Cells(text) - 2
	return tables.ProgressBar(th.VizStyle(), share(s), min(max(room, 4), 48)) + "  " + text
}

// outOf formats a number of steps or epochs, padded to the width of the limit, and the limit.
func outOf(done, limit int) string {
	all := report.Grouped(limit)
	return report.Padded(report.Grouped(done), len(all)) + " / " + all
}

// facts returns a line with the alarm, the warnings, the best validation score, and the sizes of the data and
// the model.
func (d *Dash) facts(r *watched, w int) string {
	s, th := r.Snapshot, d.Theme
	sep := th.Separator()
	parts := []string{d.alarmLine(w)}
	if len(s.Warnings) > 0 {
		text := "! " + s.Warnings[0]
		if more := len(s.Warnings) - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more)", more)
		}
		parts = append(parts, th.Warn.Render(text))
	}
	if phase := s.Last.Phase; phase != "" && s.State.Going() {
		text := report.Printable(phase)
		if s.DecayAfter > 0 && s.Drift.Stable() {
			text = "stable rate until step " + report.Grouped(s.DecayAfter)
		}
		parts = append(parts, th.Text.Render(text))
	}
	if r.own == nil {
		parts = append(parts, th.Dim.Render("trained by a sweep or another process"))
	}
	for _, best := range report.Readings(metric.OfSnapshot(s), "val.best") {
		parts = append(parts, th.Good.Render(best+" at step "+report.Grouped(s.BestStep)))
	}
	if !s.State.Going() && s.KeptStep > 0 && s.KeptStep < s.Step {
		parts = append(parts, th.Text.Render("scored at step "+report.Grouped(s.KeptStep)))
	}
	if s.Evaluation != nil {
		parts = append(parts, th.Text.Render(evaluation(s)+" at step "+report.Grouped(s.Evaluation.Step)))
	}
	if text := s.DriftText(); text != "" {
		parts = append(parts, th.Dim.Render(text))
	}
	if s.Data.N > 0 {
		parts = append(parts, th.Dim.Render(fmt.Sprintf("N %s + %s validation + %s test points",
			report.Grouped(s.Data.N), report.Grouped(s.Data.Validation), report.Grouped(s.Data.Test))),
			th.Dim.Render(fmt.Sprintf("D %d", s.Data.D)))
	}
	if s.Variational > 0 {
		parts = append(parts, th.Dim.Render(report.Grouped(s.Variational)+" variational parameters"))
	}
	return kit.JoinFitting(w, sep, parts...)
}

// outcome returns the reason why the run ended and its test scores in h lines.
func (d *Dash) outcome(s *session.Snapshot, w, h int) []string {
	rows := kit.Paragraph(d.Theme.Tone(d.stopTone(s)), report.StopReason(s), w)
	score := scoreLine(s, w)
	if score == "" || h < 2 && s.Err != nil {
		return rows
	}
	if h < 2 {
		return []string{d.Theme.Title.Render(score)} // The footer shows the reason.
	}
	return []string{rows[0], d.Theme.Title.Render(score)}
}

// stopTone returns the tone of the reason why a run ended.
func (d *Dash) stopTone(s *session.Snapshot) kit.Tone {
	_, _, tone := d.Theme.Glyphs.StateSign(metric.OfSnapshot(s))
	return tone
}

// evaluation formats the objective over all points.
func evaluation(s *session.Snapshot) string {
	e := s.Evaluation
	return s.ObjectiveIs.Name + ", all points " + report.WithError(float64(e.Objective), float64(e.SE))
}

// scoreLine returns the test scores that fit in w cells, or "" before there are any.
func scoreLine(s *session.Snapshot, w int) string {
	m := s.Test
	if m == nil {
		return ""
	}
	parts := report.Readings(metric.OfSnapshot(s), "log_lik", "rmse", "crps", "error_rate", "accuracy",
		"log_loss", "brier", "ece", "coverage50", "coverage90", "coverage95")
	parts = append(parts, report.Plural(m.N, "test point", "test points"))
	if s.Evaluation != nil {
		parts = append(parts, evaluation(s))
	}
	return kit.JoinFitting(w, "  ", parts...)
}
