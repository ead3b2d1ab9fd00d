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
	at     int // the selected light
	lights int // the number of lights at the last drawing
	list   kit.List
	each   *Choice // whether to show each matrix or the worst ones
}

// Move selects another light. Beyond the first and the last one it scrolls.
func (h *healthView) Move(_ Screen, across, down int) (message string, taken bool) {
	next := max(min(h.at+down, h.lights-1), 0)
	if next == h.at {
		h.list.Scroll(down)
	}
	h.at = next
	return "", across == 0
}

// Act does nothing.
func (*healthView) Act(Screen, kit.Action) (message string, taken bool) { return "", false }

// Point scrolls.
func (h *healthView) Point(_ Screen, _ kit.Rect, _, wheel int) (taken bool) {
	h.list.Scroll(wheel)
	return true
}

// newHealthPanel returns the panel of the numerical health of the selected run. It has a cursor on the lights
// and scrolls.
func newHealthPanel(h *healthView) *Panel {
	h.each = &Choice{
		name: "matrices", position: new(position), action: ActMatrices,
		Count: func(b *Board) int {
			m := b.views().Matrices
			if m == nil || len(worstOfLayers(m.Matrices)) == len(m.Matrices) {
				return 1
			}
			return 2
		},
		label: func(_ *Board, i int) string { return []string{"worst of each layer", "every matrix"}[i] },
		note: func(b *Board) string {
			if b.Value(h.each) == 1 {
				return "every matrix"
			}
			return b.Key(ActMatrices) + " shows every matrix"
		},
	}
	return &Panel{
		Name: "Health", short: "Health",
		Guide:   healthGuide,
		Choices: []*Choice{h.each},
		lead:    func(b *Board) []string { return []string{b.whichRun(), b.atStep()} },
		heading: func(b *Board) (title string, notes []string) {
			if b.views().Matrices != nil {
				notes = append(notes, "~ estimated")
			}
			if key := b.Key(ActGuide); key != "" && len(lightsOf(b.Current())) > 0 {
				notes = append(notes, key+" explains the selected light")
			}
			return "", notes
		},
		draw: h.draw,
		guide: func(b *Board) (title, text string) {
			list := lightsOf(b.Current())
			if len(list) == 0 {
				return "", ""
			}
			l := list[min(h.at, len(list)-1)]
			return "Health: " + l.name, l.guide
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

// draw draws the report on the selected run: the verdict, the alarms, and lights, layers, matrices, gradient
// and times. Reports on the other runs follow, of one line if there is little room. Estimates are marked with
// "~". The report may be longer than the panel. There are exactly height lines of width cells.
func (h *healthView) draw(b *Board, width, height int) []string {
	th, runs := b.Theme, b.representativeRuns()
	if width < 1 || height < 1 {
		return nil
	}
	if len(runs) == 0 {
		return th.Centred("no run yet", width, height)
	}
	at := slices.Index(runs, b.Current())
	if r := runs[at]; len(runs) == 1 && r.matrices() == nil && len(alarmLines(th, r, width)) == 0 &&
		len(lightsOf(r)) == 0 {
		return th.Centred(noHealth(r), width, height)
	}
	h.lights = len(lightsOf(runs[at]))
	h.at = max(min(h.at, h.lights-1), 0)
	all, first := h.report(b, runs, at, width, true)
	if len(all) > height {
		all, first = h.report(b, runs, at, width, false)
	}
	lines := h.list.Lines(all, first+h.at, width, height)
	for i, line := range lines {
		lines[i] = th.Fit(line, width)
	}
	if below := len(all) - h.list.Top() - height; below > 0 && height > 1 {
		lines[height-1] = th.Fit(th.Dim.Render(report.Plural(below+1, "line", "lines")+" below"), width)
	}
	return lines
}

// report returns the report on the selected run, which has the index at, and on the other runs, with all
// details or with one line and alarms. first is the line of the first light.
func (h *healthView) report(b *Board, runs []*Run, at, w int, details bool) (lines []string, first int) {
	th := b.Theme
	lines = append(verdictLines(th, runs[at], w), alarmLines(th, runs[at], w)...)
	if details {
		lines = append(lines, "")
	}
	first = len(lines) + 1 // below the titles of the columns
	if runs[at].diagnosed() {
		lines = append(lines, healthBody(th, runs[at], h.at, w, b.Value(h.each) == 1)...)
	}
	for i, r := range runs {
		if i == at {
			continue
		}
		lines = append(lines, verdictLines(th, r, w)...)
		lines = append(lines, alarmLines(th, r, w)...)
		if details && r.diagnosed() {
			lines = append(lines, healthBody(th, r, -1, w, false)...)
		}
	}
	if !details {
		lines = slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
	}
	return lines, first
}

// diagnosed reports whether a run has diagnostics of its health.
func (r *Run) diagnosed() bool {
	return r.matrices() != nil || len(lightsOf(r)) > 0
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

// alarmLines lists the alarms of a run.
func alarmLines(th *kit.Theme, r *Run, w int) (lines []string) {
	if r.Snapshot == nil {
		return nil
	}
	for _, a := range r.Snapshot.Alarms {
		text := fmt.Sprintf("alarm since step %s: %s", report.Grouped(a.Since), cleanText(th, a.Text))
		for i, row := range kit.Wrap(text, w-2) {
			head := "  "
			if i == 0 {
				head = th.Bad.Bold(true).Render("!") + " "
			}
			lines = append(lines, head+th.Bad.Render(row))
		}
	}
	return lines
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
