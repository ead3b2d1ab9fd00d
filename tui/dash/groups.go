package dash

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/session/compare"
	"dgplab/session/config"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

// manyRuns reports whether there are more runs than are shown individually. Runs that differ only in seed and
// split then form a group, with one line (mean and band), one row in the header and one colour. Pictures of
// single runs show one run of each group.
func (b *Board) manyRuns() bool { return len(b.runs) > mostShown }

// rows returns the number of header lines about runs.
func (b *Board) rows() int {
	if b.manyRuns() {
		return len(b.groups)
	}
	return len(b.runs)
}

// grouped reports whether curves are drawn by groups.
func (b *Board) grouped() bool { return b.curves.Grouped || b.manyRuns() }

// variesInGroup reports whether runs of a group may differ in a field.
func (b *Board) variesInGroup(field string) bool {
	return field == "seed" || b.manyRuns() && field == "split"
}

// colorGroups gives all runs of a group the same colour. If there are few runs again, each gets its own
// colour.
func (b *Board) colorGroups() {
	if !b.manyRuns() && !b.mixed {
		return
	}
	for i, r := range b.runs {
		r.index = i
	}
	b.mixed = b.manyRuns()
	if b.mixed {
		for g, members := range b.groups {
			for _, i := range members {
				b.runs[i].index = g
			}
		}
	}
}

// representatives returns the indices of the runs that pictures of single runs show: all runs or,
// of each group, the selected run or else the first one that has begun.
func (b *Board) representatives() (list []int) {
	if !b.manyRuns() {
		for i := range b.runs {
			list = append(list, i)
		}
		return list
	}
	for _, g := range b.groups {
		at := max(slices.IndexFunc(g, func(i int) bool { return b.runs[i].snap != nil }), 0)
		if k := slices.Index(g, b.chosen); k >= 0 {
			at = k
		}
		list = append(list, g[at])
	}
	return list
}

// comparedRuns returns the runs for reports about several runs.
func (s scene) comparedRuns() []comparedRun {
	list := make([]comparedRun, len(s.runs))
	for i, r := range s.runs {
		list[i] = comparedRun{Snapshot: r.snap, Index: r.index, Label: s.label(r), Chosen: i == s.chosen}
	}
	return list
}

// representativeRuns is comparedRuns for the representatives.
func (s scene) representativeRuns() (list []comparedRun) {
	all := s.comparedRuns()
	for _, i := range s.representatives() {
		list = append(list, all[i])
	}
	return list
}

// memberNoun returns "seeds", "splits" or "runs", depending on the differences within a group.
func (b *Board) memberNoun(g []int) string {
	var splits []string
	for _, i := range g {
		if s := b.runs[i].snap; s != nil && !slices.Contains(splits, s.Split) {
			splits = append(splits, s.Split)
		}
	}
	switch {
	case len(splits) == len(g):
		return "splits"
	case len(splits) > 1:
		return "runs"
	}
	return "seeds"
}

// groupRows draws a row for each group and, if there is one more line, a line about the selected run.
func (d *Dash) groupRows(w, h int) (lines []string) {
	labels, label, standing := d.groupLabels(), 0, 0
	for i, g := range d.groups {
		label = max(label, kit.Cells(labels[i]))
		standing = max(standing, kit.Cells(d.standings(g)))
	}
	label = min(label, max(w*2/5, 4))
	first, shown := d.groupWindow(h)
	for i, g := range d.groups[first : first+shown] {
		lines = append(lines, d.groupRow(g, d.theme.Fit(canvas.Shorten(labels[first+i], label), label),
			standing, w))
	}
	if more := len(d.groups) - shown; more > 0 && h > shown {
		lines = append(lines,
			d.theme.Dim.Render("   "+d.theme.Glyphs.Ellipsis+" "+
				report.Plural(more, "more group", "more groups")))
	}
	if h > len(d.groups) && w >= 40 {
		lead := ""
		if d.alarmLine(w-2) == "" { // An alarm line names its run.
			lead = d.theme.Dim.Render(canvas.Shorten(d.current().label, w/4) + ": ")
		}
		lines = append(lines, " "+lead+d.detail(w-2-kit.Cells(lead)))
	}
	return lines
}

// groupWindow returns the groups with a row in h lines. They include the group of the selected run.
// If some groups have no row, one line is kept for their number.
func (b *Board) groupWindow(h int) (first, shown int) {
	n := len(b.groups)
	if n > h && h > 1 {
		h--
	}
	at := slices.IndexFunc(b.groups, func(g []int) bool { return slices.Contains(g, b.chosen) })
	return tables.Window(n, at, h)
}

// groupRow returns the row of a group: the focus symbol, the marker, the label, the number of runs
// in each state, and the mean of the test scores with its standard error.
func (d *Dash) groupRow(g []int, label string, standing, w int) string {
	th := d.theme
	name, sign := th.Text, " "
	if slices.Contains(g, d.chosen) {
		name, sign = th.Title, th.FocusTitle.Render(th.Glyphs.Focus)
	}
	line := sign + d.marker(d.runs[g[0]]) + " " + name.Render(label) + "  "
	var parts []string
	for _, key := range []string{"log_lik", "val.best"} {
		if text := d.meanOf(g, key); text != "" {
			parts = append(parts, th.Title.Render(text))
			break
		}
	}
	return line + kit.JoinFitting(w-kit.Cells(line), "  ",
		append([]string{th.Fit(d.standings(g), standing)}, parts...)...)
}

// standings returns a text with the number of runs of a group in each state and the number of runs with
// alarms.
func (d *Dash) standings(g []int) string {
	th := d.theme
	type standing struct {
		glyph, word string
		tone        kit.Tone
	}
	var list []standing
	var count []int
	alarms := 0
	for _, i := range g {
		glyph, word, tone := d.standing(d.runs[i])
		at := slices.Index(list, standing{glyph, word, tone})
		if at < 0 {
			at = len(list)
			list = append(list, standing{glyph, word, tone})
			count = append(count, 0)
		}
		count[at]++
		if alarm, _ := d.alarm(d.runs[i]); alarm != "" {
			alarms++
		}
	}
	var parts []string
	for k, s := range list {
		parts = append(parts, th.Tone(s.tone).Render(fmt.Sprintf("%s %d %s", s.glyph, count[k], s.word)))
	}
	if alarms > 0 {
		parts = append(parts, th.Warn.Render(fmt.Sprintf("! %d", alarms)))
	}
	return strings.Join(parts, "  ")
}

// meanOf formats the mean of a metric over the runs of a group that have it, with its standard error. If
// there are several splits, it is the mean over splits, as in the tables of a sweep. meanOf returns "" if no
// run has the metric.
func (d *Dash) meanOf(g []int, key string) string {
	m := metric.Get(key)
	score := compare.ScoreOf(compare.Grouped(g, func(i int) (split string, x float64, ok bool) {
		s := d.runs[i].snap
		if s == nil {
			return "", 0, false
		}
		x, ok = m.Of(metric.OfSnapshot(s))
		return s.Split, x, ok && !math.IsNaN(x) && !math.IsInf(x, 0)
	}))
	if score.Runs == 0 {
		return ""
	}
	text := m.Short + " " + report.WithError(float64(score.Mean), float64(score.SE))
	if score.Runs < len(g) {
		text += fmt.Sprintf(", %d of %d", score.Runs, len(g))
	}
	return text
}

// sameGroup reports whether two runs belong to the same group.
func (d *Board) sameGroup(a, b *watchedRun) bool {
	if a.snap == nil || b.snap == nil {
		return false
	}
	for _, diff := range config.Differences([]rundir.Info{a.info(), b.info()}) {
		if !d.variesInGroup(diff.Field) {
			return false
		}
	}
	return true
}
