package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// planRows says what the run would be: its data, its size, what a step costs.
func (s *setup) planRows(w int, stepTime time.Duration) []string {
	th := s.theme
	sep := th.dim.Render(" " + th.glyphs.dot + " ")
	var rows []string
	switch p := s.plan; {
	case s.planErr != nil:
		for i, row := range wrap(th.glyphs.cross+" "+s.planErr.Error(), w) {
			if i < 3 {
				rows = append(rows, th.bad.Render(row))
			}
		}
		return rows
	case p == nil:
		return []string{th.dim.Render("looking at the data" + th.glyphs.ellipsis)}
	default:
		style := th.text
		if s.planning {
			style = th.dim // Of the configuration before the last change.
		}
		n := style.Render(fmt.Sprintf("N %s training + %s validation + %s test", grouped(p.N), grouped(p.NumValidation), grouped(p.NumTest)))
		d := style.Render(fmt.Sprintf("D %d", p.D))
		if p.P > 1 {
			d += sep + style.Render(plural(p.P, "output", "outputs"))
		}
		rows = append(rows, joinFitting(w, sep, n, d),
			joinFitting(w, sep, style.Render(grouped(p.Variational)+" variational parameters"), style.Render(grouped(p.Parameters)+" in all")))
	}
	rows = append(rows, s.costRow(w, stepTime))
	if len(s.plan.Warnings) > 0 {
		rows = append(rows, th.warn.Render("! "+strings.Join(s.plan.Warnings, "; ")))
	}
	return rows
}

// costRow says what a step takes, and all steps together, once that is known
// from a run of the same family.
func (s *setup) costRow(w int, stepTime time.Duration) string {
	th, source := s.theme, "measured"
	if stepTime <= 0 {
		stepTime, source = time.Duration(s.plan.SecondsPerStep*float64(time.Second)), "estimated from an earlier run"
	}
	if stepTime <= 0 {
		return th.dim.Render("time per step: known after a first run of this family")
	}
	text := th.text.Render(stepText(stepTime) + " per step")
	if steps := s.steps(); steps > 0 {
		text += th.text.Render(", " + duration(time.Duration(steps)*stepTime) + " for " + grouped(steps) + " steps")
	}
	return text + th.dim.Render(" ("+source+")")
}

// steps returns the number of steps that is set, 0 if it is not a number.
func (s *setup) steps() int {
	for _, f := range s.form.fields {
		if f.Name == "steps" {
			n, _ := strconv.Atoi(f.text.Value())
			return n
		}
	}
	return 0
}
