package board

import (
	"slices"
	"strings"

	"dgplab/models"
	"dgplab/session/metric"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// height returns the number of lines of the whole table: headings, rows, details and legend.
func (t *table) height(w int) int {
	n := 1 + len(t.runs) + len(t.details(w))
	if t.legend(w) != "" {
		n++
	}
	return n
}

// lines returns at most h lines, where h is at least 2: the headings, the rows around the selected run, its
// values in omitted columns, and a legend of the symbols.
func (t *table) lines(w, h int) []string {
	n := len(t.runs)
	details := t.details(w)
	keep := 0 // lines kept free below the rows
	if len(details) > 0 && h >= 3 {
		keep = 1
	}
	var out []string
	if h >= 3+keep || h > n+keep {
		out = append(out, t.head())
	}
	at := slices.Index(t.order, t.chosen)
	first, shown := tables.Window(n, at, h-len(out)-keep)
	for _, k := range t.order[first : first+shown] {
		out = append(out, t.row(k))
	}
	if hidden := n - shown; hidden > 0 && shown > 1 {
		// The number of hidden rows replaces the row farthest from the selected run.
		last := len(out) - 1
		if first+shown-1 == at {
			last = len(out) - shown
		}
		out[last] = t.th.Dim.Render(report.Plural(hidden+1, "run", "runs") + " not shown")
	}
	free := h - len(out)
	legend := t.legend(w)
	if free > len(details) && free > 1 && legend != "" {
		details = append(details, legend)
	} else if len(details) == 0 && legend != "" {
		details = []string{legend}
	}
	return append(out, details[:min(len(details), max(free, 0))]...)
}

// details returns the values of the selected run in the columns that were left out, in lines of w
// cells. There are none if all columns are shown.
func (t *table) details(w int) []string {
	var parts []string
	for _, i := range t.byImportance() {
		if !t.shown(i) {
			parts = append(parts, t.part(i))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return t.flow(append([]string{runName(t.th, t.runs[t.chosen], max(w/3, 10))}, parts...), w)
}

// part returns the title of column i and the value of the selected run there.
func (t *table) part(i int) string {
	text := strings.TrimSpace(t.text(i, t.chosen))
	if t.best[i][t.chosen] {
		text += " best"
	}
	return t.th.Dim.Render(t.list[i].title+" ") + t.look(i, t.chosen).Render(text)
}

// flow arranges parts in lines of w cells.
func (t *table) flow(parts []string, w int) []string {
	const gap = "  "
	var lines []string
	line := ""
	for _, p := range parts {
		switch {
		case line == "":
			line = p
		case kit.Cells(line)+len(gap)+kit.Cells(p) <= w:
			line += gap + p
		default:
			lines = append(lines, line)
			line = p
		}
	}
	return append(lines, line)
}

// byImportance returns the columns by drop, the most important first.
func (t *table) byImportance() []int {
	order := make([]int, len(t.list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return t.list[a].drop - t.list[b].drop })
	return order
}

// short returns the most important values of the selected run in one line of w cells.
func (t *table) short(w int) string {
	line := runName(t.th, t.runs[t.chosen], max(w/3, min(w, 10)))
	for _, i := range t.byImportance() {
		next := line + "  " + t.part(i)
		if !t.values[i][t.chosen].missing() && kit.Cells(next) <= w {
			line = next
		}
	}
	return line
}

// legend explains the symbols that occur, the most important first.
func (t *table) legend(w int) string {
	var moving, missing, best bool
	for i := range t.list {
		best = best || slices.Contains(t.best[i], true)
		for _, v := range t.values[i] {
			moving, missing = moving || v.moving, missing || v.missing()
		}
	}
	var parts []string
	add := func(yes bool, text string) {
		if yes {
			parts = append(parts, t.th.Dim.Render(text))
		}
	}
	add(!t.same, "different data or splits: scores are not compared")
	if names := belowBaseline(t.runs); len(names) > 0 {
		parts = append(parts,
			t.th.Warn.Render("test LL worse than "+models.BaselineFamily+": "+
				cutText(t.th, strings.Join(names, ", "), max(w/2, 10))))
	}
	add(moving, "~ training, or still improving at the end")
	add(best, t.th.Glyphs.Star+" best of these runs (no verdict)")
	add(missing, "- not measured")
	objective := metric.Get("objective").Among(runViews(t.runs))
	add(true, objective.Short+": "+objective.Note)
	add(t.thinned(), metric.Get("val.best").Short+": on part of the points")
	return kit.JoinFitting(w, "  ", parts...)
}

// thinned reports whether a run was validated on only a part of its validation split.
func (t *table) thinned() bool {
	return slices.ContainsFunc(t.runs, func(r *Run) bool {
		return r.Snapshot != nil && r.Snapshot.ValPoints > 0 &&
			r.Snapshot.ValPoints < r.Snapshot.Data.Validation
	})
}
