package panel

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Health draws how sound the arithmetic is: the alarms of all runs on top, then the
// matrices, layers, gradient and times of the chosen run, one line for each other
// run, and last every matrix by itself. What is estimated is marked by "~". What does
// not fit is reached by top, the first line that is shown; it is returned within its
// bounds. The lines are exactly h of w cells.
func Health(th *kit.Theme, runs []Run, top, w, h int) (lines []string, first int) {
	if w < 1 || h < 1 {
		return nil, 0
	}
	if len(runs) == 0 {
		return th.Centred("no run yet", w, h), 0
	}
	at := chosen(runs)
	alarms := alarmLines(th, runs, w)
	health := runs[at].matrices()
	mixing := chainLines(th, runs[at], w)
	if health == nil && len(alarms) == 0 && len(mixing) == 0 && len(runs) == 1 {
		return th.Centred(noHealth(runs[at]), w, h), 0
	}
	all := append(append(alarms, headLine(th, runs[at], w)), mixing...)
	if health != nil {
		all = append(all, body(th, runs[at], w)...)
	}
	for i, r := range runs {
		if i != at {
			all = append(all, otherLine(th, r, w))
		}
	}
	if health != nil {
		all = append(all, everyMatrix(th, runs, at, w)...)
	}
	if len(all) > h {
		all = slices.DeleteFunc(all, func(line string) bool { return strings.TrimSpace(line) == "" })
	}
	first = max(0, min(top, len(all)-h))
	lines = th.Box(all[first:], w, h)
	if below := len(all) - first - h; below > 0 && h > 1 {
		lines[h-1] = th.Fit(th.Dim.Render(kit.Plural(below+1, "line", "lines")+" below"), w)
	}
	return lines, first
}

// matrices returns what a run says about its arithmetic, nil if it says nothing.
func (r Run) matrices() *view.Matrices {
	if r.Snapshot == nil || r.Snapshot.Diagnostics == nil {
		return nil
	}
	return r.Snapshot.Diagnostics.Matrices
}

// noHealth says why a run has no report.
func noHealth(r Run) string {
	switch s := r.Snapshot; {
	case s == nil:
		return "waiting for the run to begin"
	case s.Diagnostics != nil && s.Diagnostics.Chains != nil:
		return "this family has no matrices to watch"
	case s.Diagnostics != nil:
		return "this family does not report its health"
	case s.State == session.Ended:
		return "no health was kept of this run"
	}
	return "waiting for the first look at the matrices"
}

// alarmLines lists what goes wrong in the runs, the chosen one first.
func alarmLines(th *kit.Theme, runs []Run, w int) (lines []string) {
	list := slices.Clone(runs)
	slices.SortStableFunc(list, func(a, b Run) int { return order(b.Chosen, a.Chosen) })
	for _, r := range list {
		if r.Snapshot == nil {
			continue
		}
		for _, a := range r.Snapshot.Alarms {
			text := fmt.Sprintf("alarm since step %s: %s", kit.Grouped(a.Since), clean(th, a.Text))
			if len(runs) > 1 {
				text = cut(th, r.Label, 16) + ", " + text
			}
			for i, row := range kit.Wrap(text, w-4) {
				head := "    "
				if i == 0 {
					head = th.Bad.Bold(true).Render("!") + " " + th.Marker(r.Index) + " "
				}
				lines = append(lines, head+th.Bad.Render(row))
			}
		}
	}
	return lines
}

// headLine names the chosen run, and says what its health is of.
func headLine(th *kit.Theme, r Run, w int) string {
	parts := []string{named(th, r, max(w/3, 8))}
	if r.matrices() == nil {
		return parts[0] + "  " + th.Dim.Render(noHealth(r))
	} else {
		parts = append(parts, th.Dim.Render("health at step "+kit.Grouped(r.Snapshot.Diagnostics.Step)),
			th.Dim.Render("~ estimated"),
			th.Dim.Render(kit.Plural(r.Snapshot.Rescues, "rescue", "rescues")+" in all"))
	}
	return kit.JoinFitting(w, "  ", parts...)
}

// otherLine sums up a run that is not the chosen one.
func otherLine(th *kit.Theme, r Run, w int) string {
	parts := []string{named(th, r, max(w/4, 8))}
	h := r.matrices()
	if h == nil {
		return parts[0] + "  " + th.Dim.Render(noHealth(r))
	}
	worst := -1
	for i, m := range h.Matrices {
		if harmful(m) && (worst < 0 || m.Condition > h.Matrices[worst].Condition) {
			worst = i
		}
	}
	if n := len(r.Snapshot.Alarms); n > 0 {
		parts = append(parts, th.Bad.Render("! "+kit.Plural(n, "alarm", "alarms")))
	}
	if worst >= 0 {
		m := h.Matrices[worst]
		parts = append(parts,
			th.Text.Render("worst condition "+conditionText(m.Condition)+" of "+clean(th, m.Name)))
	}
	parts = append(parts, th.Text.Render(kit.Plural(r.Snapshot.Rescues, "rescue", "rescues")))
	if len(h.KLByLayer) > 0 {
		parts = append(parts, th.Text.Render("KL "+kit.Number(sum(h.KLByLayer))))
	}
	parts = append(parts, th.Dim.Render("at step "+kit.Grouped(r.Snapshot.Diagnostics.Step)))
	return kit.JoinFitting(w, "  ", parts...)
}

func sum(values []rundir.Number) (total float64) {
	for _, v := range values {
		total += float64(v)
	}
	return total
}

// larger is the larger of two numbers, of which NaN is not known.
func larger(a, b rundir.Number) rundir.Number {
	if a != a || b > a {
		return b
	}
	return a
}

// smaller is the smaller one.
func smaller(a, b rundir.Number) rundir.Number { return -larger(-a, -b) }
