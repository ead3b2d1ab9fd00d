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

// pace is the time of a step of the run.
type pace struct {
	step time.Duration
	// source tells how the time is known, for example "measured" or "estimated from 25 steps".
	source string
	// least is set if a step takes longer, because the first one has not ended.
	least bool
	// converged is the time in seconds within which the run converges, or 0 if it is unknown.
	converged float64
	scoring   float64 // the time of scoring the test set in seconds, or 0
}

// pace returns the time of a step as far as a run of the same family or a timing of some steps has measured
// it, and otherwise the zero value.
func (s *Setup) pace() pace {
	if seconds := s.host.SecondsPerStep(s.config()); seconds > 0 {
		return pace{step: duration(seconds), source: "measured"}
	}
	if seconds := s.plan.Known.SecondsPerStep; seconds > 0 {
		return pace{step: duration(seconds), source: "estimated from an earlier run"}
	}
	timed := s.timing.Known
	if timed == nil {
		return pace{}
	}
	p := pace{
		step:    duration(timed.Seconds),
		source:  "estimated from " + report.Plural(timed.Steps, "step", "steps"),
		scoring: timed.Scoring,
	}
	if timed.Converged {
		p.converged = timed.Seconds * float64(timed.Steps)
	}
	if timed.Steps == 0 {
		p.source, p.least = "the first has not ended", true
	}
	return p
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// costRow returns the time of a step, of all steps and of scoring the test set, as far as they are known. For
// a long run it also suggests settings that cost less.
func (s *Setup) costRow(w int) string {
	th, pace := s.theme, s.pace()
	switch {
	case pace.converged > 0:
		return th.Text.Render("converges in about " + report.Seconds(pace.converged))
	case pace.step > 0:
	case s.timing.Running:
		return th.Dim.Render("time per step: timing a few steps" + th.Glyphs.Ellipsis)
	default:
		return th.Dim.Render("time per step: unknown before the first run of this family")
	}
	least := ""
	if pace.least {
		least = "over "
	}
	plan := *s.plan.Known
	plan.Steps = s.steps()
	within, inducing := plan.Fit(pace.step.Seconds())
	total := plan.Seconds(pace.step.Seconds())
	perStep := least + report.StepText(pace.step) + " per step"
	steps := report.Grouped(plan.Steps) + " steps"
	if session.Long(total) && plan.Budget == 0 {
		parts := []string{th.Warn.Render(fmt.Sprintf("! %s%s for %s", least, report.Seconds(total), steps))}
		remedy := report.Remedy(&plan, pace.step.Seconds(), func(name, value string) string {
			return name + "=" + value
		})
		link := "; try "
		for _, setting := range strings.Split(remedy, " or ") {
			parts = append(parts, th.Warn.Render(link+setting))
			link = " or "
		}
		return kit.JoinFitting(w, "", append(parts, th.Dim.Render(" ("+perStep+", "+pace.source+")"))...)
	}
	parts := []string{perStep}
	switch {
	case plan.Steps == 0:
	case within < plan.Steps:
		parts = append(parts, report.About(within)+" of "+steps+" in "+report.Seconds(total))
		if inducing != "" {
			parts = append(parts, inducing+" inducing points")
		}
	default:
		parts = append(parts, least+report.Seconds(total)+" for "+steps)
	}
	if pace.scoring >= leastScoring {
		parts = append(parts, "then "+report.Seconds(pace.scoring)+" for the test set")
	}
	text := kit.JoinFitting(w, ", ", parts...)
	return kit.JoinFitting(w, " ", th.Text.Render(text), th.Dim.Render("("+pace.source+")"))
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
