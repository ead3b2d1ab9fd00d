package dash

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

// crowded reports whether there are so many runs that groups of them stand for one: those
// that differ in nothing but seed and split are a line with mean and band, a row of the
// header, a colour. Pictures of single runs are of one of each group.
func (d *Dash) crowded() bool { return len(d.runs) > mostShown }

// rows returns how many lines the header has for runs.
func (d *Dash) rows() int {
	if d.crowded() {
		return len(d.groups)
	}
	return len(d.runs)
}

// grouped reports whether curves are drawn by groups.
func (d *Dash) grouped() bool { return d.curves.Grouped || d.crowded() }

// ofGroup are the fields in which runs of a group may differ.
func (d *Dash) ofGroup(field string) bool {
	return field == "seed" || d.crowded() && field == "split"
}

// color gives all runs of a group its colour, or, when there are few runs again, each run
// one of its own.
func (d *Dash) color() {
	if !d.crowded() && !d.mixed {
		return
	}
	for i, r := range d.runs {
		r.index = i
	}
	d.mixed = d.crowded()
	if d.mixed {
		for g, members := range d.groups {
			for _, i := range members {
				d.runs[i].index = g
			}
		}
	}
}

// few returns the places of the runs that pictures of single runs are of: all, or of each
// group the chosen run or else the first that has begun.
func (d *Dash) representatives() (list []int) {
	if !d.crowded() {
		for i := range d.runs {
			list = append(list, i)
		}
		return list
	}
	for _, g := range d.groups {
		at := max(slices.IndexFunc(g, func(i int) bool { return d.runs[i].snap != nil }), 0)
		if k := slices.Index(g, d.chosen); k >= 0 {
			at = k
		}
		list = append(list, g[at])
	}
	return list
}

// comparedRuns returns the runs for reports about several of them.
func (s scene) comparedRuns() []comparedRun {
	list := make([]comparedRun, len(s.runs))
	for i, r := range s.runs {
		list[i] = comparedRun{Snapshot: r.snap, Index: r.index, Label: s.label(r), Chosen: i == s.chosen}
	}
	return list
}

// representativeRuns returns the compared runs of representatives.
func (s scene) representativeRuns() (list []comparedRun) {
	all := s.comparedRuns()
	for _, i := range s.representatives() {
		list = append(list, all[i])
	}
	return list
}

// membersOf says in the plural what the runs of a group are: what they differ in.
func (d *Dash) membersOf(g []int) string {
	var splits []string
	for _, i := range g {
		if s := d.runs[i].snap; s != nil && !slices.Contains(splits, s.Split) {
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

// crowd draws a row for each group, and with one more line what there is to say about the
// chosen run.
func (d *Dash) crowd(w, h int) (lines []string) {
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
				kit.Plural(more, "more group", "more groups")))
	}
	if h > len(d.groups) && w >= 40 {
		lead := ""
		if d.alarmLine(w-2) == "" { // That names its run.
			lead = d.theme.Dim.Render(canvas.Shorten(d.current().label, w/4) + ": ")
		}
		lines = append(lines, " "+lead+d.detail(w-2-kit.Cells(lead)))
	}
	return lines
}

// groupWindow returns which groups have a row in h lines: that of the chosen run among them,
// and a line that says how many have none.
func (d *Dash) groupWindow(h int) (first, shown int) {
	n := len(d.groups)
	if n > h && h > 1 {
		h--
	}
	at := slices.IndexFunc(d.groups, func(g []int) bool { return slices.Contains(g, d.chosen) })
	return tables.Window(n, at, h)
}

// groupRow is one group: sign of the choice, marker, its label, how many of its runs stand
// where, and the mean of their test scores with its standard error.
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

// standings says how many runs of a group stand where, what has alarms marked.
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

// meanOf writes the mean of a metric over the runs of a group that have it, with its
// standard error; over splits where there are several, as in tables of a sweep. It is ""
// without any.
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
	text := m.Short + " " + kit.WithError(float64(score.Mean), float64(score.SE))
	if score.Runs < len(g) {
		text += fmt.Sprintf(", %d of %d", score.Runs, len(g))
	}
	return text
}

// alike reports whether two runs differ in nothing but what runs of a group may differ in.
func (d *Dash) alike(a, b *watchedRun) bool {
	if a.snap == nil || b.snap == nil {
		return false
	}
	for _, diff := range session.Differences([]rundir.Info{a.info(), b.info()}) {
		if !d.ofGroup(diff.Field) {
			return false
		}
	}
	return true
}
