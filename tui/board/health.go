package board

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"dgplab/models/view"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/figure"
)

// healthView is the state of the health panel.
type healthView struct {
	cursorless
	top int // the first line on the screen
}

// Move scrolls.
func (h *healthView) Move(_ Screen, across, down int) (message string, taken bool) {
	h.top = max(h.top+down, 0)
	return "", across == 0
}

// Act does nothing.
func (*healthView) Act(Screen, kit.Action) (message string, taken bool) { return "", false }

// Point scrolls.
func (h *healthView) Point(_ Screen, _ kit.Rect, _, wheel int) (taken bool) {
	h.top = max(h.top+wheel, 0)
	return true
}

// newHealthPanel returns the panel of the numerical health of the selected run. It scrolls.
func newHealthPanel(h *healthView) *Panel {
	return &Panel{
		Name: "Health", short: "Health",
		Guide: healthGuide,
		lead:  func(b *Board) []string { return []string{b.whichRun()} },
		draw: func(b *Board, width, height int) (lines []string) {
			// The result keeps top within bounds.
			lines, h.top = drawHealth(b, h.top, width, height)
			return lines
		},
		All:   true,
		Mover: h,
		figures: func(b *Board) []report.Figure {
			m := b.views().Matrices
			if m == nil || len(m.Matrices) == 0 {
				return nil
			}
			return []report.Figure{{Name: "matrices",
				CSV: func(w io.Writer) error { return matricesCSV(w, m.Matrices) }}}
		},
	}
}

// drawHealth draws the alarms of all runs, then the matrices, layers, gradient and times of the
// selected run, the same or one line for each other run, and finally each matrix. Estimates are marked
// with "~". The report may be longer than the panel: top is the first line to show, and first is top
// moved within the report. There are exactly h lines of w cells.
func drawHealth(b *Board, top, w, h int) (lines []string, first int) {
	th, runs := b.Theme, b.representativeRuns()
	if w < 1 || h < 1 {
		return nil, 0
	}
	if len(runs) == 0 {
		return th.Centred("no run yet", w, h), 0
	}
	at := slices.Index(runs, b.Current())
	if r := runs[at]; len(runs) == 1 && r.matrices() == nil && len(alarmLines(th, runs, at, w)) == 0 &&
		len(chainLines(th, r, w)) == 0 {
		return th.Centred(noHealth(r), w, h), 0
	}
	all := healthLines(th, runs, at, w, true)
	if len(all) > h {
		all = healthLines(th, runs, at, w, false)
	}
	if len(all) > h {
		all = slices.DeleteFunc(all, func(line string) bool { return strings.TrimSpace(line) == "" })
	}
	first = max(0, min(top, len(all)-h))
	lines = th.Box(all[first:], w, h)
	if below := len(all) - first - h; below > 0 && h > 1 {
		lines[h-1] = th.Fit(th.Dim.Render(report.Plural(below+1, "line", "lines")+" below"), w)
	}
	return lines, first
}

// healthLines returns the report on the selected run, which has the index at, and on the other runs: the same
// details, or one line each.
func healthLines(th *kit.Theme, runs []*Run, at, w int, details bool) []string {
	lines := append(alarmLines(th, runs, at, w), headLine(th, runs[at], w))
	lines = append(lines, chainLines(th, runs[at], w)...)
	if runs[at].matrices() != nil {
		lines = append(lines, healthBody(th, runs[at], w)...)
	}
	for i, r := range runs {
		switch {
		case i == at:
		case details && r.matrices() != nil:
			lines = append(lines, headLine(th, r, w))
			lines = append(lines, chainLines(th, r, w)...)
			lines = append(lines, healthBody(th, r, w)...)
		default:
			lines = append(lines, otherLine(th, r, w))
		}
	}
	if runs[at].matrices() != nil {
		lines = append(lines, everyMatrix(th, runs, at, w)...)
	}
	return lines
}

// matrices returns the matrices of a run, or nil if it has none.
func (r *Run) matrices() *view.Matrices {
	if r.Snapshot == nil || r.Snapshot.Diagnostics == nil {
		return nil
	}
	return r.Snapshot.Diagnostics.Matrices
}

// noHealth returns the text for a run without a report.
func noHealth(r *Run) string {
	s := r.Snapshot
	switch {
	case s == nil:
		return "waiting for the run to start"
	case s.Diagnostics != nil && s.Diagnostics.Chains != nil:
		return "this family has no matrices to report"
	case s.Diagnostics != nil:
		return "this family does not report its health"
	case !s.State.Going():
		return "no health data were saved for this run"
	}
	return "waiting for the first diagnostics"
}

// alarmLines lists the alarms of the runs, beginning with the selected run, which has the index at.
func alarmLines(th *kit.Theme, runs []*Run, at, w int) (lines []string) {
	for _, r := range slices.Concat(runs[at:at+1], runs[:at], runs[at+1:]) {
		if r.Snapshot == nil {
			continue
		}
		for _, a := range r.Snapshot.Alarms {
			text := fmt.Sprintf("alarm since step %s: %s", report.Grouped(a.Since), cleanText(th, a.Text))
			if len(runs) > 1 {
				text = cutText(th, r.Brief, 16) + ", " + text
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

// headLine returns the name of the selected run and the step at which its health was measured.
func headLine(th *kit.Theme, r *Run, w int) string {
	parts := []string{runName(th, r, max(w/3, 8))}
	if r.matrices() == nil {
		return parts[0] + "  " + th.Dim.Render(noHealth(r))
	} else {
		parts = append(parts, th.Dim.Render("health at step "+report.Grouped(r.Snapshot.Diagnostics.Step)),
			th.Dim.Render("~ estimated"),
			th.Dim.Render(report.Plural(r.Snapshot.Rescues, "rescue", "rescues")+" in total"))
	}
	return kit.JoinFitting(w, "  ", parts...)
}

// otherLine summarises a run that is not selected.
func otherLine(th *kit.Theme, r *Run, w int) string {
	parts := []string{runName(th, r, max(w/4, 8))}
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
		parts = append(parts, th.Bad.Render("! "+report.Plural(n, "alarm", "alarms")))
	}
	if worst >= 0 {
		m := h.Matrices[worst]
		parts = append(parts,
			th.Text.Render("worst condition "+conditionText(m.Condition)+" of "+cleanText(th, m.Name)))
	}
	parts = append(parts, th.Text.Render(report.Plural(r.Snapshot.Rescues, "rescue", "rescues")))
	if len(h.KLByLayer) > 0 {
		parts = append(parts, th.Text.Render("KL "+report.Number(sumOf(h.KLByLayer))))
	}
	parts = append(parts, th.Dim.Render("at step "+report.Grouped(r.Snapshot.Diagnostics.Step)))
	return kit.JoinFitting(w, "  ", parts...)
}

func sumOf(values []rundir.Number) (total float64) {
	for _, v := range values {
		total += float64(v)
	}
	return total
}

// larger returns the larger number. NaN means unknown.
func larger(a, b rundir.Number) rundir.Number {
	if a != a || b > a {
		return b
	}
	return a
}

// smaller returns the smaller number. NaN means unknown.
func smaller(a, b rundir.Number) rundir.Number { return -larger(-a, -b) }

// matricesCSV writes the matrices of a run.
func matricesCSV(w io.Writer, list []view.Matrix) error {
	t := figure.NewTable(w, "name", "kind", "layer", "gp", "condition", "smallest_pivot", "jitter", "rescues")
	for _, m := range list {
		t.Row(m.Name, string(m.Kind), counted(m.Layer), counted(m.GP), figure.Exact(float64(m.Condition)),
			figure.Exact(float64(m.SmallestPivot)), figure.Exact(float64(m.Jitter)), strconv.Itoa(m.Rescues))
	}
	return t.Close()
}

// counted formats an index as a number counted from 1. It returns "" for -1, which stands for all.
func counted(k int) string {
	if k < 0 {
		return ""
	}
	return strconv.Itoa(k + 1)
}
