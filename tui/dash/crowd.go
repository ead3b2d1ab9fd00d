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
	"dgplab/tui/panel"
	"dgplab/viz/canvas"
)

// mostCrowd is how many runs are on the screen at most when groups of them stand for one:
// those that differ in nothing but seed and split are a line with mean and band, a row of
// the header, a colour. Pictures of single runs are of one of each group.
const mostCrowd = 40

// crowded reports whether there are so many runs that groups of them stand for one.
func (d *Dash) crowded() bool { return len(d.runs) > mostShown }

// rows returns how many lines the header has for runs.
func (d *Dash) rows() int {
	if d.crowded() {
		return len(d.groups)
	}
	return len(d.runs)
}

// grouped reports whether curves are drawn by groups.
func (d *Dash) grouped() bool { return d.look.Grouped || d.crowded() }

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
	if d.mixed = d.crowded(); d.mixed {
		for g, members := range d.groups {
			for _, i := range members {
				d.runs[i].index = g
			}
		}
	}
}

// few returns the places of the runs that pictures of single runs are of: all, or of each
// group the chosen run or else the first that has begun.
func (d *Dash) few() (list []int) {
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

// fewRuns are those as package panel draws them.
func (d *Dash) fewRuns() (list []panel.Run) {
	all := d.panelRuns()
	for _, i := range d.few() {
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
	label := 0
	for _, g := range d.groups {
		label = max(label, kit.Cells(d.groupLabel(g)))
	}
	label = min(label, max(w*2/5, 4))
	for _, g := range d.groups {
		lines = append(lines, d.groupRow(g, label, w))
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

// groupRow is one group: sign of the choice, marker, what its runs have in common, how many
// stand where, and the mean of their test scores with its standard error.
func (d *Dash) groupRow(g []int, label, w int) string {
	th := d.theme
	name, sign := th.Text, " "
	if slices.Contains(g, d.chosen) {
		name, sign = th.Title, th.FocusTitle.Render(th.Glyphs.Focus)
	}
	text := d.groupLabel(g)
	line := sign + d.marker(d.runs[g[0]]) + " " + name.Render(th.Fit(canvas.Shorten(text, label), label)) + "  "
	var parts []string
	for _, key := range []string{"log_lik", "val.best"} {
		if text := d.meanOf(g, key); text != "" {
			parts = append(parts, th.Title.Render(text))
			break
		}
	}
	return line + kit.JoinFitting(w-kit.Cells(line), "  ", append([]string{d.standings(g)}, parts...)...)
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
			list, count = append(list, standing{glyph, word, tone}), append(count, 0)
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
// standard error; "" without any.
func (d *Dash) meanOf(g []int, key string) string {
	var values []float64
	for _, i := range g {
		if s := d.runs[i].snap; s != nil {
			if v, ok := metric.Get(key).Of(metric.OfSnapshot(s)); ok && !math.IsNaN(v) && !math.IsInf(v, 0) {
				values = append(values, v)
			}
		}
	}
	if len(values) == 0 {
		return ""
	}
	text := metric.Get(key).Short + " " + kit.WithError(compare.StandardError(values))
	if len(values) < len(g) {
		text += fmt.Sprintf(", %d of %d", len(values), len(g))
	}
	return text
}

// alike reports whether two runs differ in nothing but what runs of a group may differ in.
func (d *Dash) alike(a, b *shown) bool {
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
