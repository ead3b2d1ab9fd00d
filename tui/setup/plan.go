package setup

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"dgplab/datasets/table"
	"dgplab/models"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// planRows returns the data, the size and the cost of the run.
func (s *Setup) planRows(w int) []string {
	th := s.theme
	sep := th.Separator()
	var rows []string
	p := s.plan.Known
	switch {
	case s.question() != nil:
		rows = kit.Paragraph(th.Warn, "? "+s.questionText(s.question()), w)
		return rows[:min(len(rows), 3)]
	case s.isAbsent():
		return []string{th.Dim.Render(s.absentText())}
	case errors.Is(s.plan.Err, errNoPath):
		return []string{th.Dim.Render(errNoPath.Error())}
	case s.plan.Err != nil:
		rows = kit.Paragraph(th.Bad, th.Glyphs.Cross+" "+s.trouble(), w)
		return rows[:min(len(rows), 3)]
	case p == nil:
		return []string{th.Dim.Render("reading the data" + th.Glyphs.Ellipsis)}
	default:
		style := th.Text
		if s.plan.Running {
			style = th.Dim // The plan belongs to the configuration before the last change.
		}
		n := style.Render(fmt.Sprintf("N %s + %s validation + %s test points",
			report.Grouped(p.Data.N), report.Grouped(p.Data.Validation), report.Grouped(p.Data.Test)))
		if kit.Cells(n) > w {
			n = style.Render(fmt.Sprintf("N %s + %s + %s",
				report.Grouped(p.Data.N), report.Grouped(p.Data.Validation), report.Grouped(p.Data.Test)))
		}
		d := style.Render(fmt.Sprintf("D %d", p.Data.D))
		if p.Data.P > 1 {
			d += sep + style.Render(report.Plural(p.Data.P, "output", "outputs"))
		}
		if k := len(p.Data.Classes); k > 2 {
			d += sep + style.Render(report.Plural(k, "class", "classes"))
		}
		rows = append(rows, kit.JoinFitting(w, sep, n, d),
			kit.JoinFitting(w, sep,
				style.Render("parameters "+report.Parameters(p.Size.Parameters, p.Size.Variational)),
				style.Render("memory about "+report.Bytes(int64(p.MemoryBytes)))))
	}
	rows = append(rows, s.costRow(w))
	return append(rows, th.NoteRows(table.Texts(s.plan.Known.Notes),
		table.Texts(s.plan.Known.Warnings))...)
}

// leastScoring is the least time of scoring in seconds that is shown.
const leastScoring = 1

// costRow returns the time of a step, of all steps and of scoring the test set, if a run of the same family
// or a timing of some steps has measured it. For a long run it also suggests settings that cost less.
func (s *Setup) costRow(w int) string {
	th, source, least := s.theme, "measured", ""
	scoring := 0.0
	stepTime := time.Duration(s.host.SecondsPerStep(s.config()) * float64(time.Second))
	if stepTime <= 0 {
		stepTime = time.Duration(s.plan.Known.SecondsPerStep * float64(time.Second))
		source = "estimated from an earlier run"
	}
	if timed := s.timing.Known; stepTime <= 0 && timed != nil {
		stepTime = time.Duration(timed.Seconds * float64(time.Second))
		source = "estimated from " + report.Plural(timed.Steps, "step", "steps")
		switch {
		case timed.Converged:
			return th.Text.Render("converges in about " + report.Seconds(timed.Seconds*float64(timed.Steps)))
		case timed.Steps == 0:
			source, least = "the first has not ended", "over "
		}
		scoring = timed.Scoring
	}
	switch {
	case stepTime > 0:
	case s.timing.Running:
		return th.Dim.Render("time per step: timing a few steps" + th.Glyphs.Ellipsis)
	default:
		return th.Dim.Render("time per step: unknown before the first run of this family")
	}
	plan := *s.plan.Known
	plan.Steps = s.steps()
	all := stepTime.Seconds() * float64(plan.Steps)
	total := plan.Seconds(stepTime.Seconds())
	perStep := least + report.StepText(stepTime) + " per step"
	steps := report.Grouped(plan.Steps) + " steps"
	if session.Long(total) && plan.Budget == 0 {
		parts := []string{th.Warn.Render(fmt.Sprintf("! %s%s for %s", least, report.Seconds(total), steps))}
		remedy := report.Remedy(&plan, stepTime.Seconds(), func(name, value string) string {
			return name + "=" + value
		})
		link := "; try "
		for _, setting := range strings.Split(remedy, " or ") {
			parts = append(parts, th.Warn.Render(link+setting))
			link = " or "
		}
		return kit.JoinFitting(w, "", append(parts, th.Dim.Render(" ("+perStep+", "+source+")"))...)
	}
	text := perStep
	switch {
	case plan.Steps == 0:
	case total < all:
		text += ", fewer than " + steps + " in the budget of " + report.Seconds(total)
	default:
		text += ", " + least + report.Seconds(total) + " for " + steps
	}
	if scoring >= leastScoring {
		text += ", then " + report.Seconds(scoring) + " for the test set"
	}
	return kit.JoinFitting(w, " ", th.Text.Render(text), th.Dim.Render("("+source+")"))
}

// steps returns the number of steps that is set, or the number of steps in the epochs on the inspected data.
// It returns 0 if the setting is invalid.
func (s *Setup) steps() int {
	v := models.Values{}
	for _, name := range rundir.LengthSettings() {
		v[name] = s.form.Value(name)
	}
	return rundir.StepLimit(v, s.plan.Known.Data.N)
}
